"""Ends an idle crawl with the reason that the crawl itself gives."""

from __future__ import annotations

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider

from fcacrawler.addon import FocusedCrawl, focus_of
from fcacrawler.crawl.flights import NOTHING_LEFT
from fcacrawler.extensions.left_out import left_out
from fcacrawler.values.errors import FcaError


class NothingFetched(FcaError):
    """A crawl that has not even begun."""


class Ending:
    """An idle crawl closes with the reason that the crawl itself gives."""

    def __init__(self, crawler: Crawler, focus: FocusedCrawl) -> None:
        self.crawler = crawler
        self.focus = focus

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Ending:
        ending = cls(crawler, focus_of(crawler))
        crawler.signals.connect(ending.spider_idle, signals.spider_idle)
        return ending

    def spider_idle(self, spider: Spider) -> None:
        reason = None
        with self.focus.using_frontier():
            reason = self.focus.parts.crawl.over()
        if reason in NOTHING_LEFT and self._nothing_came():
            why = ", ".join(f"{kind} ({n})" for kind, n in left_out(self.crawler, self.focus).items())
            self.focus.tell_failure(NothingFetched(f"no seed could be fetched: {why or 'there was none'}"), "no_seed")
        raise CloseSpider(self.focus.failed_as or reason or "finished")

    def _nothing_came(self) -> bool:
        """No page was read, now or by an earlier run, nor anything else that a spider could use."""
        signs = ["item_scraped_count", "fca/unchanged"]
        if not getattr(self.crawler.spider, "focused", False):
            signs.append("downloader/response_status_count/200")  # which need not be a page
        return not any(map(self.crawler.stats.get_value, signs)) and not self.focus.parts.crawl.harvest.pages
