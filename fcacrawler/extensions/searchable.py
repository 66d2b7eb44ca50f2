"""The pages of a crawl with a JOBDIR can be searched while it runs: in a thread of its own its index follows its store.

What goes wrong there ends the index and not the crawl: a later search makes what is missing.
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from fcacrawler.addon import FocusedCrawl, focus_of
from fcacrawler.search import Index
from fcacrawler.values.errors import FcaError

logger = logging.getLogger(__name__)

PAUSE = 1.0  # seconds between two looks at the store


class Searchable:
    """Follows the crawl; is up to date when it is over."""

    def __init__(self, crawler: Crawler, focus: FocusedCrawl) -> None:
        self.crawler = crawler
        self.focus = focus
        self._thread = ThreadPoolExecutor(1, "search")
        self._following: asyncio.Task[None] | None = None
        self._ended = asyncio.Event()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Searchable:
        focus = focus_of(crawler)
        if focus.job is None or not focus.config.search.search:
            raise NotConfigured
        found = cls(crawler, focus)
        crawler.signals.connect(found.spider_opened, signals.spider_opened)
        crawler.signals.connect(found.spider_closed, signals.spider_closed)
        return found

    def spider_opened(self, spider: Spider) -> None:
        if self.focus.parts.crawl.store is not None and self.focus.job is not None:
            self._following = asyncio.ensure_future(self._follow(self.focus.job))

    async def spider_closed(self, spider: Spider) -> None:
        """The store is closed and whole by now."""
        self._ended.set()
        if self._following is not None:
            await self._following
        self._thread.shutdown(wait=False)

    async def _follow(self, folder: Path) -> None:
        loop, parts = asyncio.get_running_loop(), self.focus.parts
        try:
            made_by = self.focus.config.vectors.vectors
            index = await loop.run_in_executor(self._thread, Index, folder, parts.vectors, made_by)
            try:
                await self._keep_up(index)
            finally:
                await loop.run_in_executor(self._thread, index.close)
        except (FcaError, OSError) as error:
            logger.warning("pages are not made searchable any more, scrapy search makes up for it: %s", error)

    async def _keep_up(self, index: Index) -> None:
        ended, added = False, 1
        while added or not ended:
            ended = self._ended.is_set()
            added = await asyncio.get_running_loop().run_in_executor(self._thread, index.catch_up)
            self.crawler.stats.inc_value("fca/searchable", added)
            if not added and not ended:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._ended.wait(), PAUSE)
