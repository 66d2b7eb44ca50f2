"""Item pipelines: a page's keywords go into the crawl's formal context, and the page and its links get their ranks.

Neither awaits anything but slow vectors: a page is observed before the next link leaves. Items of foreign spiders pass
through itemadapter, so that dicts, dataclasses and attrs classes work.
"""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from itemadapter.adapter import ItemAdapter
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem

from fcacrawler.addon import FocusedCrawl, focus_of
from fcacrawler.items import PageItem
from fcacrawler.page import keywords, language_of
from fcacrawler.reading import ReadItem
from fcacrawler.revisits import copy_of
from fcacrawler.values.errors import BadRecord, BadStore
from fcacrawler.values.pages import Page
from fcacrawler.values.verdicts import Verdict, written

FIELDS = tuple(f.name for f in fields(PageItem))
TEXT_FIELDS = ("text", "content", "body", "description")  # where a foreign item's text may be, in this order


class Keywords:
    """TF-IDF keywords of every item; a page's go into the formal context (page has keyword)."""

    def __init__(self, focus: FocusedCrawl) -> None:
        self.focus = focus

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Keywords:
        return cls(focus_of(crawler))

    def process_item(self, item: Any) -> Any:
        if isinstance(item, ReadItem):
            words = self.focus.reader.keywords(item.page)
            item.keywords = dict(words)
            self.focus.context.add(item.url, item.keywords)
            return item
        adapter = ItemAdapter(item)
        if _takes(adapter, "keywords") and not adapter.get("keywords"):
            text = next((t for f in TEXT_FIELDS if isinstance(t := adapter.get(f), str) and t), "")
            page = Page("", "", "", language_of("", text), text, ())
            if found := dict(keywords(page)):
                adapter["keywords"] = found
            if found and isinstance(url := adapter.get("url"), str):
                self.focus.context.add(url, found)
        return item


class Ranking:
    """Lets the crawl observe the page: it learns, the page's links wait, the item says why."""

    def __init__(self, focus: FocusedCrawl) -> None:
        self.focus = focus

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Ranking:
        return cls(focus_of(crawler))

    async def process_item(self, item: Any) -> Any:
        if isinstance(item, ReadItem):
            try:
                verdict = await self.focus.reader.observe(item.page, item.entry, tuple(item.keywords.items()))
            except (BadStore, BadRecord) as error:
                self.focus.fail(error)
                raise DropItem("the crawl has ended") from None
            _judged(item, verdict)
            item.path = self.focus.parts.crawl.paths.to(item.url)
        return item


class Keeping:
    """The item goes into the crawl's store, as it is now."""

    def __init__(self, focus: FocusedCrawl) -> None:
        self.store, self.copies = focus.parts.crawl.store, focus.copies

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Keeping:
        return cls(focus_of(crawler))

    def process_item(self, item: Any) -> Any:
        if self.store and isinstance(item, ReadItem) and item.entry is not None:
            written_down = {name: getattr(item, name) for name in FIELDS}
            self.store.keep(item.entry.candidate.key, json.dumps(written_down, ensure_ascii=False))
            if self.copies is not None:
                self.copies.put(item.entry.candidate.key, copy_of(item.response, item))
        return item


def _judged(item: PageItem, verdict: Verdict) -> None:
    item.semrank = round(verdict.rank, 6)
    item.relevant = verdict.relevant
    item.duplicate_of = verdict.duplicate_of
    item.explanation = written(verdict.explanation)


def _takes(adapter: ItemAdapter, field: str) -> bool:
    """A dict takes any field; a declared item those that it declares."""
    return isinstance(adapter.item, dict) or field in adapter.field_names()
