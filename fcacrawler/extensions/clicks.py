"""Scrapy extension: looks every few seconds whether users have clicked, in the log that FCA_CLICKS names."""

from __future__ import annotations

import logging

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from fcacrawler.addon import FocusedCrawl, focus_of
from fcacrawler.downloads.hosts import wake
from fcacrawler.values.errors import FcaError

logger = logging.getLogger(__name__)

OFTEN = 5.0  # seconds between two looks


class Clicking:
    """What has been clicked when the crawl begins is known before anything leaves; see ``assemble``."""

    def __init__(self, crawler: Crawler, focus: FocusedCrawl) -> None:
        self.crawler = crawler
        self.focus = focus

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Clicking:
        focus = focus_of(crawler)
        if not focus.config.run.clicks:
            raise NotConfigured
        clicking = cls(crawler, focus)
        crawler.signals.connect(clicking.spider_opened, signals.spider_opened)
        crawler.signals.connect(clicking.spider_closed, signals.spider_closed)
        return clicking

    def spider_opened(self, spider: Spider) -> None:
        self._looking = create_looping_call(self.look)
        self._looking.start(OFTEN, now=False)

    def spider_closed(self) -> None:
        if self._looking.running:
            self._looking.stop()

    def look(self) -> None:
        log = self.focus.parts.clicks
        if log is None:
            return
        try:
            clicks = log.read()
        except FcaError as error:
            logger.warning("no clicks are read: %s", error)
            return
        self.crawler.stats.set_value("fca/clicks_rejected", log.rejected)
        if len(clicks):
            self.crawler.stats.inc_value("fca/clicks_came", int(clicks.counts[:, 1:].sum()))
            self.focus.parts.crawl.clicked(clicks)
            wake(self.crawler)
