"""Scrapy extension: reads the sitemaps that a host's robots.txt names. What they list waits in the frontier with
nothing but its URL to speak for it, and the order decides."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import Any

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.robotstxt import RobotParser

from fcacrawler.addon import FocusedCrawl, focus_of
from fcacrawler.crawl.rules import site_of
from fcacrawler.downloads.hosts import wake
from fcacrawler.page import canonical_url, key_of, read_sitemap
from fcacrawler.requests import ENTRY

logger = logging.getLogger(__name__)

FILES = 20  # of a host at most
LEVELS = 3  # an index of indexes of sitemaps
ATTEMPTS = 3  # at a file that is refused
TOGETHER = 100  # URLs that are ranked at once: nothing else runs meanwhile


class Sitemaps:
    """One task a host; the crawl does not end before they have."""

    def __init__(self, crawler: Crawler, focus: FocusedCrawl) -> None:
        self.crawler = crawler
        self.focus = focus
        self.most = focus.config.manners.sitemaps

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Sitemaps:
        sitemaps = cls(crawler, focus_of(crawler))
        if sitemaps.most and getattr(crawler.spider, "focused", False):
            crawler.signals.connect(sitemaps.robots_parsed, signals.robots_parsed)
            crawler.signals.connect(sitemaps.spider_closed, signals.spider_closed)
        return sitemaps

    def robots_parsed(self, robotparser: RobotParser, request: Request) -> None:
        named = getattr(getattr(robotparser, "rp", None), "sitemaps", ())
        entry = request.meta.get(ENTRY)
        files = deque((url, 1) for url in dict.fromkeys(map(canonical_url, named)) if url)
        if files and entry is not None:
            task = self.focus.errands.begin(self._read(files, request.url, entry.candidate.depth + 1))
            task.add_done_callback(self._over)

    def _over(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a sitemap is left: %s", error)
        wake(self.crawler)

    def spider_closed(self) -> None:
        self.focus.errands.cancel()

    async def _read(self, files: deque[tuple[str, int]], named_by: str, depth: int) -> None:
        site, left, asked = site_of(_host(named_by)), self.most, 0
        while files and left > 0 and asked < FILES:
            url, level = files.popleft()
            if site_of(_host(url)) != site:
                continue
            asked += 1
            found = read_sitemap(await self._fetched(url), left)
            if found.index:
                files.extend((u, level + 1) for u in found.urls if level < LEVELS)
                continue
            own = [u for u in found.urls if site_of(_host(u)) == site]
            left -= len(own)
            for i in range(0, len(own), TOGETHER):
                self.focus.parts.crawl.listed(own[i : i + TOGETHER], url, depth)
                await asyncio.sleep(0)
            self.crawler.stats.inc_value("fca/sitemap_urls", len(own))

    async def _fetched(self, url: str) -> bytes:
        """The body; empty if it cannot be had."""
        request = Request(url, meta={"dont_obey_robotstxt": True, "dont_retry": True})
        for _ in range(ATTEMPTS):
            while wait := self.focus.hosts.cooling.left(_host(url)):
                await asyncio.sleep(wait)
            download: Any = self.crawler.engine.download_async(request.copy())
            response: Any = (await asyncio.gather(download, return_exceptions=True))[0]
            if not isinstance(response, Response):
                self.crawler.stats.inc_value(f"fca/sitemap_failed/{type(response).__name__}")
                return b""
            if response.status == 200:
                return bytes(response.body)
            if not self.focus.hosts.cooling.left(_host(url)):
                break
        self.crawler.stats.inc_value("fca/sitemap_failed/status")
        return b""


def _host(url: str) -> str:
    return key_of(url).host
