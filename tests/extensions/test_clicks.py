"""Clicks that come while a crawl runs: they change what is fetched next, and items say so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scrapy.http import Response

from fcacrawler.extensions.clicks import Clicking
from fcacrawler.items import PageItem
from fcacrawler.orders.semrank.graded import DEFAULT, WEIGHTS
from fcacrawler.orders.semrank.parts import CLICKS, EXT
from fcacrawler.spiders.semrank import SemRankSpider
from tests.crawling import crawl
from tests.site import Site
from tests.spiders.test_crawls import town  # noqa: F401  # a fixture

AT = 8  # pages


class Watched(SemRankSpider):
    """After some pages there are clicks, and a look at the log."""

    name = "watched"
    log: Path
    seen = 0
    clicks = ""

    def parse(self, response: Response, **kwargs: Any) -> Iterator[PageItem]:
        self.seen += 1
        if self.seen == AT:
            self.log.write_text(self.clicks)
            clicking = self.crawler.get_extension(Clicking)
            assert clicking is not None
            clicking.look()
        yield from super().parse(response, **kwargs)


def watched(town: Site, log: Path, clicks: str) -> tuple[list[str], list[PageItem]]:  # noqa: F811
    """The paths in the order in which they were fetched."""
    log.write_text("")
    Watched.log, Watched.clicks = log, clicks
    settings = {"CONCURRENT_REQUESTS": 1, "FCA_CLICKS": str(log), "FCA_TUNNEL": "100", "FCA_GAMMA": "0.01"}
    items = crawl(Watched, settings, topic="auto racing", seeds=town.base, pages="40").items
    return [item.url.removeprefix(town.base) for item in items], items


def test_clicks_that_come_while_the_crawl_runs_change_what_is_next_and_items_say_so(
    town: Site,  # noqa: F811
    tmp_path: Path,
) -> None:
    before, items = watched(town, tmp_path / "none.tsv", "user\tquery\turl\n")
    assert not any("clicks" in item.explanation["features"] for item in items)
    last = before[-1]
    assert last.startswith("/cook/")
    pages = [last, "/race/0", "/race/1", "/race/2", "/race/3"]  # one on cooking is clicked along with pages about races
    lines = [f"u{n}\traces\t{town.url(path)}" for n in range(30) for path in pages]
    after, items = watched(town, tmp_path / "clicks.tsv", "\n".join(["user\tquery\turl", *lines, ""]))
    assert after.index(last) < before.index(last)
    item = next(item for item in items if item.url.endswith(last))
    features = item.explanation["features"]
    assert features["clicks"] > 0.5
    weighed = {name: WEIGHTS[name] for name in features}
    ext = {n: w for n, w in weighed.items() if n in (*EXT, "extent", *CLICKS)}
    assert item.explanation["ext"] == pytest.approx(
        sum(features[n] * w for n, w in ext.items()) / sum(ext.values()), abs=1e-3
    )
    at_first = sum(ext.values()) / sum(DEFAULT.weight(name, 0) for name in features)
    assert at_first < item.explanation["w"] < sum(ext.values()) / sum(weighed.values())  # see Graded.weight
