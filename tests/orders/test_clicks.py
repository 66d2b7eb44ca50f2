"""Users' clicks in the default order: worked by hand, held to a slow reading, and arriving while the crawl runs."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given as over
from hypothesis import settings
from hypothesis import strategies as st

from fcacrawler.orders import Given
from fcacrawler.orders.semrank.click_table import MOST
from fcacrawler.orders.semrank.order import SemRank
from fcacrawler.values.clicks import Clicks, clicks_of
from fcacrawler.values.pages import SeenPage
from tests.orders.pages import candidate, given, order_of_fetches, page, url

SEED = page("s", "car race", [f"u{n}" for n in range(30)], depth=0)
GOOD, BAD = page("good", "car race", ["u1"]), page("bad", "dog bone", ["u1", "u2"])


def crawled(told: Given, pages: tuple[SeenPage, ...] = (SEED, GOOD, BAD)) -> SemRank:
    order = SemRank(told)
    for p in pages:
        order.observe(p, told.judge.observe(p))
    return order


def test_the_clicks_of_a_link_are_the_mean_relevance_of_the_pages_clicked_in_its_walks() -> None:
    """u1 lies in the walks of three users with the good page, of one with the bad one, of two with pages unknown."""
    walks = [[url("good"), url("u1")]] * 3 + [[url("u1"), url("bad"), url("far")], [url("u1"), url("far")]]
    told = given("car", walks=walks)
    order = crawled(told)
    (_, good, bad), base = order._pages.relevance, order._pages.base
    assert order.features(candidate("u1", SEED))["clicks"] == pytest.approx((3 * good + bad + 2 * base) / 6)
    assert order.features(candidate("u2", SEED))["clicks"] == pytest.approx(base)  # in nobody's walk


def test_without_clicks_there_is_no_such_part() -> None:
    assert "clicks" not in crawled(given("car")).features(candidate("u1", SEED))


@settings(max_examples=20, deadline=None)
@over(st.integers(0, 10**6))
def test_the_compiled_reading_is_the_slow_one(seed: int) -> None:
    dice = random.Random(seed)
    names = ["good", "bad", "u1", "u2", *(f"p{n}" for n in range(MOST + 20))]
    walks = [[url(x) for x in dice.sample(names, dice.randint(2, 9))] for _ in range(150)]
    walks += [[url("u1"), url(f"p{n}")] for n in range(MOST + 20)]
    told = given("car", walks=walks)
    pages = (SEED, GOOD, BAD, *(page(f"p{n}", dice.choice(["car", "dog"])) for n in range(0, MOST + 20, 3)))
    order = crawled(told, pages)
    relevance = dict(zip((p.url for p in pages), order._pages.relevance.tolist(), strict=True))
    for name in ("u1", "u2"):
        counts = clicks_of(walks)
        near = sorted(
            ((-int(n), counts.urls[b if counts.urls[a] == url(name) else a]))
            for (a, b), n in zip(counts.pairs.tolist(), counts.counts[:, 0], strict=True)
            if url(name) in (counts.urls[a], counts.urls[b])
        )[:MOST]
        known = [(-n, relevance[other]) for n, other in near if other in relevance]
        base = order._pages.base
        expected = (sum(n * r for n, r in known) + 2 * base) / (sum(n for n, _ in known) + 2)
        assert order.features(candidate(name, SEED))["clicks"] == pytest.approx(expected)


def test_clicks_may_come_while_the_crawl_runs_and_count_as_if_they_had_been_known() -> None:
    pages = (SEED, GOOD, BAD, *(page(f"u{n}", "car race" if n % 2 else "dog", parents=["s"]) for n in range(3, 28)))
    first, later = [[url("good"), url("u1")]] * 3, [[url("bad"), url("u2")], [url("good"), url("u2")]] * 2
    known = crawled(given("car", walks=[*first, *later]), pages)
    order = crawled(given("car"), pages)
    links = [candidate("u1", SEED, GOOD), candidate("u2", SEED, BAD)]
    before, epoch = order.rank(links), order.epoch
    for walks in (first, later):
        order.clicked(clicks_of(walks))
    assert order.epoch > epoch
    assert order.rank(links) != before
    for link in links:
        assert order.features(link) == known.features(link)
    assert order.w == known.w
    news = page("u29", "car race", parents=["s"])
    order.observe(news, order._judge.observe(news))  # learns on, with picks of before the clicks
    assert np.isfinite(order.rank(links)).all()


def test_what_users_clicked_along_with_relevant_pages_leaves_first_and_says_so() -> None:
    web = [
        page("s", "car race", ["a", "b", "x1", "x2"], depth=0),
        page("a", "car race"),
        page("b", "dog bone"),
        page("x1", "dog bone"),
        page("x2", "car race"),
        page("d", "dog bone", depth=0),
    ]
    walks = [[url("s"), url("x2")]] * 5 + [[url("d"), url("a")]] * 5

    def first(clicks: Clicks) -> list[str]:
        return order_of_fetches(lambda told: _told(SemRank(told), clicks), web, ["s", "d"])

    assert first(clicks_of(()))[:3] == ["s", "d", "a"]
    assert first(clicks_of(walks))[:3] == ["s", "d", "x2"]
    why = crawled(given("car", walks=walks), (web[0], web[-1])).explain(candidate("x2", web[0]))
    assert why.features["clicks"] > 0.5


def _told(order: SemRank, clicks: Clicks) -> SemRank:
    order.clicked(clicks)
    return order
