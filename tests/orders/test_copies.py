"""Links that lead to copies: how likely others of their kind are new, by hand; sortings of a list that are copies."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from fcacrawler.lowlevel.numbers import UNKNOWN
from fcacrawler.orders.semrank.copies import Copies, kind_of
from fcacrawler.orders.semrank.order import SemRank
from fcacrawler.values.links import Candidate, Evidence
from tests.orders.pages import given, page, url


def test_a_kind_with_two_copies_and_one_page_of_its_own_is_new_by_a_half() -> None:
    copies = Copies()
    for copy in (True, False, True):
        copies.add(5, copy)
    assert copies.news(np.array([5, 6, UNKNOWN])).tolist() == [(1 + 1) / (1 + 3), 1.0, 1.0]


@drawn(st.lists(st.booleans(), max_size=30))
def test_it_is_a_chance_that_copies_lower_and_other_pages_raise(came: list[bool]) -> None:
    copies, before = Copies(), 1.0
    for copy in came:
        copies.add(5, copy)
        now = float(copies.news(np.array([5]))[0])
        assert 0 < now <= 1
        assert now < before if copy else now >= before
        before = now


def test_a_kind_is_what_one_programme_answers_and_pages_without_a_query_have_none() -> None:
    assert kind_of("http://a/c/toys?sort=name") == kind_of("http://a/c/games?sort=price")
    assert kind_of("http://a/c/toys?sort=name") != kind_of("http://a/c/toys?page=2")
    assert kind_of("http://a/c/toys?sort=name") != kind_of("http://b/c/toys?sort=name")
    assert kind_of("http://a/c/toys") == UNKNOWN


def test_links_of_a_kind_that_led_to_copies_rank_lower_and_explain_says_by_how_much() -> None:
    told = given("car")
    order = SemRank(told)
    for p in (page("s", "car engine", depth=0), page("list", "car engine wheel", parents=["s"])):
        order.observe(p, told.judge.observe(p))
    stands = (Evidence(url("s"), "car", "", 0, 1),)
    sorting, second = (Candidate(b"", url(f"list?sort={by}"), "test", 1, stands) for by in ("price", "name"))
    other = Candidate(b"", url("list?page=2"), "test", 1, stands)
    before, beside = order.rank([sorting, other])
    order.copied(replace(page("list", "car engine wheel", parents=["s"]), url=second.url), url("list"))
    after, still = order.rank([sorting, other])
    assert after < 0.6 * before
    assert still > 0.9 * beside
    said = order.explain(sorting)
    assert said.calibration["news"] == 0.5
    assert said.rank == after == pytest.approx(said.calibration["p"] / 2)
    assert "news" not in order.explain(other).calibration
