"""Crawls for tests of manners: everything is fetched that the rules let through."""

from __future__ import annotations

from typing import Any

from fcacrawler.addon import focus_of
from fcacrawler.spiders.semrank import SemRankSpider
from tests.crawling import Outcome, crawl

EVERYTHING = {
    "FCA_TUNNEL": 10**6,
    "FCA_PATIENCE": 0,
    "FCA_PRIVATE": True,  # redirects between addresses of loopback
    "ROBOTSTXT_OBEY": False,
    "CONCURRENT_REQUESTS": 1,
}


def crawled(seeds: str, settings: dict[str, Any] | None = None, **arguments: Any) -> Outcome:
    return crawl(SemRankSpider, {**EVERYTHING, **(settings or {})}, topic="auto racing", seeds=seeds, **arguments)


def dropped(outcome: Outcome) -> dict[str, int]:
    return dict(focus_of(outcome.crawler).parts.crawl.sieve.dropped)
