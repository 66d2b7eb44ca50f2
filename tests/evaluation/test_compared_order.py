"""A comparison crawls as the real crawler does: the same fetches in the same order, one at a time."""

from dataclasses import replace
from pathlib import Path

import pytest
from scrapy import signals
from scrapy.crawler import Crawler

from fcacrawler.app.config import read_config
from fcacrawler.evaluation.plan import Run, Start
from fcacrawler.evaluation.run import Desk, run
from fcacrawler.page import canonical_url
from fcacrawler.requests import ENTRY
from fcacrawler.spiders.semrank import SemRankSpider
from fcacrawler.worlds import open_world
from tests.crawling import crawl

TOPIC = "auto racing"
LIMITS = {"FCA_TUNNEL": 10**6, "FCA_PATIENCE": 0, "FCA_WORLD": "demo"}


class Watched(SemRankSpider):
    """Notes every response that belongs to a link, pages or not."""

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args, **kwargs):  # type: ignore[no-untyped-def]
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.fetches = []
        crawler.signals.connect(spider.note, signals.response_received)
        return spider

    def note(self, response, request) -> None:  # type: ignore[no-untyped-def]
        if ENTRY in request.meta:
            self.fetches.append(request.meta[ENTRY].candidate.url)


LONG = [("semrank", 300), ("random", 400), ("bfs", 300), ("link-classifier", 200)]  # meets every hazard of the web


@pytest.mark.parametrize(
    ("order", "pages"),
    [("semrank", 60), ("semrank-2013", 60), *(pytest.param(*long, marks=pytest.mark.slow) for long in LONG)],
)
def test_the_comparison_fetches_in_the_order_of_the_real_crawler(
    order: str, pages: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    known = next(t for t in open_world("demo").topics.values() if t.words == TOPIC)
    seeds = tuple(canonical_url(url) for url in known.seeds)
    outcome = crawl(Watched, {**LIMITS, "CONCURRENT_REQUESTS": 1}, topic=TOPIC, order=order, pages=pages)
    really = outcome.crawler.spider.fetches
    config = read_config(LIMITS)
    desk = Desk("demo", replace(config, run=replace(config.run, topic=TOPIC)))
    start = Start(known.name, known.words, 0, seeds, frozenset(), pages - len(seeds))
    assert tuple(really[: len(seeds)]) == seeds
    assert tuple(really[len(seeds) :]) == run(Run(start, order, config.crawl.gamma), desk).urls
    assert len(really) == pages
