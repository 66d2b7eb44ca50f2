"""Every page that a spider is given, ours or somebody else's, is visited by the crawl before what the spider makes of
it goes on: the crawl learns, and the page's links wait. Items are told what the page turned out to be, requests which
link of it they follow.

A mistake of ours costs no page: one that cannot be read is asked for again, as often as any that fails. One in the
midst of a visit ends the crawl, for what it has in memory may be half learned; a crawl with a store goes on without.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Mapping
from typing import Any

from itemadapter.adapter import ItemAdapter
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from fcacrawler.addon import FocusedCrawl, focus_of
from fcacrawler.items import PageItem, as_json
from fcacrawler.middlewares.failures import cause
from fcacrawler.middlewares.robots import REFUSED
from fcacrawler.outputs import undone
from fcacrawler.page import canonical_url
from fcacrawler.page.signals import refusal
from fcacrawler.reading import Visited
from fcacrawler.requests import ENTRY, EVIDENCE
from fcacrawler.revisits import copy_of
from fcacrawler.values.errors import BadRecord, BadStore
from fcacrawler.values.links import Evidence
from fcacrawler.values.pages import Page
from fcacrawler.values.verdicts import written

logger = logging.getLogger(__name__)

MISTAKE = "mistake"  # the reason for which a crawl ends then


class _Undone(Exception):
    """The page is not visited; why has been told."""


class Visits:
    """Spider middleware, next to the spider. Of our spiders the page's links are followed; others follow what they
    like."""

    def __init__(self, crawler: Crawler, focus: FocusedCrawl) -> None:
        self.crawler = crawler
        self.focus = focus

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Visits:
        return cls(crawler, focus_of(crawler))

    async def process_spider_output(self, response: Response, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        ours = bool(getattr(self.crawler.spider, "focused", False))
        reader = self.focus.reader
        try:
            visited = await self._visited(response, ours)
        except _Undone:
            self.crawler.signals.send_catch_log(undone, response=response)  # the link by which it came goes back
            return
        if visited is not None and not ours and (item := reader.item(response)) is not None:
            _tell(item, _whole(visited))
            if not self._refuses(item) and (crawl := self.focus.parts.crawl).store:
                crawl.keep(item.url, as_json(item))
        async for output in result:
            if isinstance(output, Request):
                if not ours:
                    output.meta[EVIDENCE] = _evidence(response, reader.read(response), output.url)
            elif visited is not None:
                _tell(output, _whole(visited) if isinstance(output, PageItem) else _judged(visited))
                if ours and isinstance(output, PageItem) and self._refuses(output):
                    continue
            yield output

    async def _visited(self, response: Response, ours: bool) -> Visited | None:
        """What the response's page is found to be, if it is one."""
        reader = self.focus.reader
        try:
            seen = await reader.seen(response)
        except Exception as error:  # whatever it is: it has touched nothing but the page
            self._mistaken("not read", response, error)
            raise _Undone from error
        if seen is None:
            return None
        if self.focus.failure:
            raise _Undone
        try:
            visited = reader.visit(response, seen, follow=ours)
            if ours:
                self._remember(response, visited)
        except (BadStore, BadRecord) as error:
            self.focus.fail(error)
            raise _Undone from error
        except Exception as error:  # whatever it is: what is half learned is not gone on with
            self._mistaken("not learned from", response, error)
            self.focus.fail(error, MISTAKE)
            raise _Undone from error
        return visited

    def _mistaken(self, what: str, response: Response, error: Exception) -> None:
        self.crawler.stats.inc_value("fca/mistakes")
        logger.error("%s, by a mistake of fcacrawler's: %s: %s", what, response.url, cause(error), exc_info=error)

    def _refuses(self, item: PageItem) -> bool:
        """Whether its owner refuses what its page is wanted for."""
        usage = self.focus.config.run.usage
        where = refusal(item.signals, usage) if usage else ""
        if where:
            self.crawler.stats.inc_value(REFUSED + where)
        return bool(where)

    def _remember(self, response: Response, visited: Visited) -> None:
        """For when it is to be asked for again."""
        entry, copies = response.meta.get(ENTRY), self.focus.copies
        if entry is not None and copies is not None:
            copies.put(entry.candidate.key, copy_of(response, visited.content_hash, round(visited.verdict.rank, 6)))


def _judged(visited: Visited) -> dict[str, Any]:
    """What items of other spiders are told, if they have such fields."""
    verdict = visited.verdict
    return {
        "semrank": round(verdict.rank, 6),
        "relevant": verdict.relevant,
        "explanation": written(verdict.explanation),
    }


def _whole(visited: Visited) -> dict[str, Any]:
    return {
        **_judged(visited),
        "duplicate_of": visited.verdict.duplicate_of,
        "mark": visited.verdict.mark,
        "keywords": dict(visited.keywords),
        "path": list(visited.path),
    }


def _tell(item: Any, fields: Mapping[str, Any]) -> None:
    """Into those fields that the item has; a dict has those that are in it."""
    if not ItemAdapter.is_item(item):
        return
    adapter = ItemAdapter(item)
    names = item.keys() if isinstance(item, dict) else adapter.field_names()
    for name, value in fields.items():
        if name in names:
            adapter[name] = value


def _evidence(response: Response, page: Page | None, url: str) -> Evidence:
    """The link of the page that the request follows; without one, only the page it comes from is known."""
    links = page.links if page is not None else ()
    wanted = canonical_url(url)
    for link in links:
        if link.url == wanted:
            return Evidence(page.url if page else response.url, link.anchor, link.context, link.position, len(links))
    return Evidence(page.url if page else response.url, "", "", len(links), len(links))
