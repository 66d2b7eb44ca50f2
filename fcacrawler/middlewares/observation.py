"""Lets a crawl learn from the pages of a spider that is not ours, and tells its requests which link they follow; and
follows the refreshes of pages.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware
from scrapy.http import Response

from fcacrawler.addon import FocusedCrawl, focus_of
from fcacrawler.page import canonical_url
from fcacrawler.reading import ENTRY, EVIDENCE
from fcacrawler.values.links import Evidence
from fcacrawler.values.pages import Page

_HEAD = 4 * 4096  # bytes; Scrapy looks for a refresh among the first 4,096 characters of a page


class Refreshes(MetaRefreshMiddleware):
    """Scrapy's, which decodes every page to look for a refresh; this one does so where the word is there."""

    def process_response(  # type: ignore[override]  # Scrapy is about to drop the spider
        self, request: Request, response: Response
    ) -> Request | Response:
        head = response.body[:_HEAD].lower()
        if b"refresh" not in head and b"\0" not in head:  # which there is where letters are of several bytes
            return response
        return super().process_response(request, response)


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
