"""Lets a crawl learn from the pages of a spider that is not ours, and tells its requests which link they follow."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from fcacrawler.addon import FocusedCrawl, focus_of
from fcacrawler.page import canonical_url
from fcacrawler.reading import ENTRY, EVIDENCE
from fcacrawler.values.links import Evidence
from fcacrawler.values.pages import Page


class Observation:
    """Spider middleware, next to the spider: a page is observed before its requests are ranked."""

    def __init__(self, crawler: Crawler, focus: FocusedCrawl) -> None:
        self.crawler = crawler
        self.focus = focus

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Observation:
        return cls(crawler, focus_of(crawler))

    async def process_spider_output(self, response: Response, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        foreign = not getattr(self.crawler.spider, "focused", False)  # ours reads its pages itself
        reader = self.focus.reader
        page = reader.read(response) if foreign else None
        if page is not None:
            await reader.observe(page, response.meta.get(ENTRY), reader.keywords(page), follow=False)
        async for output in result:
            if foreign and isinstance(output, Request):
                output.meta[EVIDENCE] = _evidence(response, page, output.url)
            yield output


def _evidence(response: Response, page: Page | None, url: str) -> Evidence:
    """The link of the page that the request follows; without one, only the page it comes from is known."""
    links = page.links if page is not None else ()
    wanted = canonical_url(url)
    for link in links:
        if link.url == wanted:
            return Evidence(page.url if page else response.url, link.anchor, link.context, link.position, len(links))
    return Evidence(page.url if page else response.url, "", "", len(links), len(links))
