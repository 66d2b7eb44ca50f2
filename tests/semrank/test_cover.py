"""Which pages of a harvest are shown first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.semrank.cover import SUPPORT, cover
from tests.reference import semrank as oracle

PAGES = st.lists(st.tuples(st.integers(0, 4), st.lists(st.sampled_from("abcd"), unique=True)), max_size=9)


@given(PAGES, st.integers(1, 9))
def test_it_is_the_formula_worked_slowly(pages, n) -> None:
    ranks, keywords = [rank / 4 for rank, _ in pages], [words for _, words in pages]
    every = oracle.concepts({f"u{i}": words for i, words in enumerate(keywords)})
    left = {frozenset(x) for x, y in every if len(x) >= SUPPORT and y}
    shown = cover(ranks, keywords, n)
    assert len(shown) == len(set(shown)) == min(n, len(pages))
    before: set[int] = set()
    for chosen in shown:
        news = [sum(len(x) ** 0.5 for x in left if f"u{i}" in x) for i in range(len(pages))]
        score = [rank + new / max(max(news), 1e-12) for rank, new in zip(ranks, news, strict=True)]
        best = max(score[i] for i in range(len(pages)) if i not in before)
        assert score[chosen] == pytest.approx(best)
        before.add(chosen)
        left = {x for x in left if f"u{chosen}" not in x}


def test_a_side_of_the_topic_comes_before_more_of_the_same() -> None:
    sides = [["race", "car"]] * 4 + [["race", "boat"]] * 3 + [["race", "horse"]] * 3
    assert cover([0.9, 0.9, 0.9, 0.9, *[0.6] * 6], sides, 4) == [0, 4, 7, 1]
    assert cover([], [], 3) == []
