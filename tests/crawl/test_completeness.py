"""How much has been found, as far as that can be told from how the finds have thinned out."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.crawl.completeness import Completeness, completeness

FOUND = st.lists(st.booleans(), max_size=300)


def of(found: list[bool]) -> Completeness | None:
    return completeness(np.array(found, bool))


@pytest.mark.parametrize(
    ("found", "slower"),
    [
        # the last quarter of 160 are 40 pages, the last eighth 20: 5 of those are finds, of h = 40 / 160
        ([True] * 35 + [False] * 105 + [True] * 5 + [False] * 15, (5.5 / 21) / (40 / 160)),
        # none in the last eighth, 5 in the last quarter: that counts
        ([True] * 55 + [False] * 65 + [True] * 5 + [False] * 35, (5.5 / 41) / (60 / 160)),
        # ten pages at least: of 40 pages, not five
        ([True] * 20 + [False] * 20, (0.5 / 11) / (20 / 40)),
    ],
)
def test_the_odds_are_the_root_of_how_much_slower_finds_come(found: list[bool], slower: float) -> None:
    told = of(found)
    if slower > 0.75:
        assert told is None
    else:
        assert told is not None
        assert told.share == pytest.approx(1 / (1 + math.sqrt(slower)), abs=1e-4)
        odds = [math.log(p / (1 - p)) for p in (told.low, told.share, told.high)]
        assert (odds[1] - odds[0], odds[2] - odds[1]) == pytest.approx((1.75, 3.0), abs=0.02)


@given(FOUND)
def test_it_is_a_share_within_its_interval_or_not_told(found: list[bool]) -> None:
    told = of(found)
    if sum(found) < 20:
        assert told is None
    if told is not None:
        assert 0.5 < told.share < 1
        assert 0 < told.low < told.share < told.high < 1


@given(FOUND)
def test_who_found_the_same_sooner_is_told_no_less(found: list[bool]) -> None:
    told, first = of(found), of(sorted(found, reverse=True))
    if told is not None:
        assert first is not None
        assert first.share >= told.share


@given(st.integers(20, 200), st.integers(0, 400))
def test_few_finds_cannot_tell_that_all_is_found(finds: int, vain: int) -> None:
    """Half a find is always thought to lie ahead: in ten pages or in an eighth of all."""
    told = of([True] * finds + [False] * vain)
    pages = finds + vain
    if told is not None:
        ahead = 0.5 / (max(10, pages // 8) + 1) * pages
        assert told.share <= 1 / (1 + math.sqrt(ahead / finds)) + 1e-4
        assert told.share < 1 / (1 + math.sqrt(0.9 / finds))
