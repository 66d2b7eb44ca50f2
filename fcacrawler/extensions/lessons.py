"""Scrapy extension: when a crawl is over that began with what search engines named, it is kept how good each was.

Why so: decision 243.
"""

from __future__ import annotations

from collections.abc import Callable

from scrapy import signals
from scrapy.crawler import Crawler

from fcacrawler.addon import FocusedCrawl, focus_of
from fcacrawler.app.beginning import lesson


class Lessons:
    """One lesson an engine and crawl; a crawl that goes on replaces its own."""

    def __init__(self, crawler: Crawler, focus: FocusedCrawl) -> None:
        self.crawler = crawler
        self.focus = focus

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Lessons:
        lessons = cls(crawler, focus_of(crawler))
        crawler.signals.connect(lessons.spider_closed, signals.spider_closed)
        return lessons

    def spider_closed(self) -> None:
        if (said := self.focus.said) is not None:
            lesson(self.focus.config, said, fetched(self.focus))


def fetched(focus: FocusedCrawl) -> Callable[[str], bool | None]:
    """Whether a page is relevant as is thought now; None for one that was not fetched."""
    crawl = focus.parts.crawl

    def relevant(url: str) -> bool | None:
        relevance = crawl.judge.relevance(url)
        return None if relevance is None else relevance > crawl.options.gamma

    return relevant
