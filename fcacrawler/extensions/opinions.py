"""Keeps what is thought now of a crawl's pages, and completes its feeds with that when it is over.

Why so: decision 196.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.utils.asyncio import create_looping_call

from fcacrawler.addon import FocusedCrawl, focus_of
from fcacrawler.app.harvest_files import point_to
from fcacrawler.app.opinion import Opinion, judge_lines, keep, opinion_of
from fcacrawler.extensions.feeds import Feeds
from fcacrawler.storages import Files, Harvest

logger = logging.getLogger(__name__)

OFTEN, GROWTH = 5.0, 1.25  # seconds between two looks; times as many pages between two files


class Opinions:
    """In JOBDIR/verdicts.npz when a crawl begins, when it knows a quarter more pages or other marks, and at its end.
    Then each feed of JSON lines is written once more beside itself, judged by all that is known."""

    def __init__(self, crawler: Crawler, focus: FocusedCrawl) -> None:
        self.crawler = crawler
        self.focus = focus
        self.judged: dict[Path, str] = {}  # feeds judged once more → what is to be said of them
        self.closed = asyncio.Event()
        self._kept, self._marks = 0, dict[str, bool]()  # pages and marks that were known then

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Opinions:
        opinions = cls(crawler, focus_of(crawler))
        crawler.signals.connect(opinions.spider_opened, signals.spider_opened)
        crawler.signals.connect(opinions.spider_closed, signals.spider_closed)
        return opinions

    def spider_opened(self, spider: Spider) -> None:
        self._look()
        self._looking = create_looping_call(self._look)
        self._looking.start(OFTEN, now=False)

    def _look(self) -> None:
        crawl = self.focus.parts.crawl
        grown, taught = crawl.harvest.pages > GROWTH * self._kept, crawl.judge.marks != self._marks
        if self.focus.job is not None and crawl.harvest.pages and (grown or taught):
            self._keep(self._opinion())

    def _opinion(self) -> Opinion:
        return opinion_of(self.focus.parts.crawl, self.focus.parts.topic.words)

    def _keep(self, opinion: Opinion) -> None:
        self._kept, self._marks = self.focus.parts.crawl.harvest.pages, dict(self.focus.parts.crawl.judge.marks)
        try:
            keep(opinion, self.focus.job or Path())
        except OSError as error:
            logger.warning("what is thought now of the pages is not kept: %s: %s", error.filename, error.strerror)

    async def spider_closed(self, spider: Spider) -> None:
        try:
            if self._looking.running:
                self._looking.stop()
            if (feeds := self.crawler.get_extension(Feeds)) is not None:
                await feeds.closed.wait()
            if self.focus.parts.crawl.harvest.pages:
                await self._complete(self._opinion(), feeds.lines if feeds is not None else [])
        finally:
            self.closed.set()

    async def _complete(self, opinion: Opinion, feeds: Sequence[Files]) -> None:
        if self.focus.job is not None:
            self._keep(opinion)
        for feed in feeds:
            path = Path(feed.path)
            target = path.with_name(f"{path.stem}.judged{path.suffix}")
            try:
                judged, changed = await asyncio.to_thread(judge_lines, opinion, path, target)
            except OSError as error:
                self.judged[target] = f"not written: {error.strerror}"
                continue
            if judged:
                self.judged[target] = f"{changed} are judged otherwise than when they came"
            if judged and isinstance(feed, Harvest):
                point_to(target)
