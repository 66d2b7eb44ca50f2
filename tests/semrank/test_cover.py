"""Which pages of a harvest are shown first."""

from __future__ import annotations

from math import hypot

import numpy as np
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


WITH = st.lists(
    st.tuples(st.integers(0, 4), st.lists(st.sampled_from("abc"), unique=True), st.booleans(),
              st.tuples(st.integers(-2, 2), st.integers(-2, 2))), min_size=1, max_size=8,
)  # fmt: skip


@given(WITH, st.integers(1, 8))
def test_with_vectors_it_is_the_formula_worked_slowly(pages, n) -> None:
    ranks, keywords = [rank / 4 for rank, _, _, _ in pages], [words for _, words, _, _ in pages]
    sought = [i for i, page in enumerate(pages) if page[2]] or [*range(len(pages))]
    there = [i for i, page in enumerate(pages) if page[3] != (0, 0)]
    mean = [sum(pages[i][3][d] for i in there) / max(1, len(there)) for d in (0, 1)]
    apart = [(x - mean[0], y - mean[1]) if i in there else (0.0, 0.0) for i, (_, _, _, (x, y)) in enumerate(pages)]

    def near(i: int, j: int) -> float:
        (a, b), (c, d) = apart[i], apart[j]
        length = hypot(a, b) * hypot(c, d)
        return max(0.0, (a * c + b * d) / length) if length > 1e-9 else 0.0

    every = oracle.concepts({f"u{i}": words for i, words in enumerate(keywords)})
    left = {frozenset(x) for x, y in every if len(x) >= SUPPORT and y}
    nearest, before = dict.fromkeys(sought, 0.0), set[int]()
    vectors = np.array([page[3] for page in pages], np.float32)
    for chosen in cover(ranks, keywords, n, (), vectors, [page[2] for page in pages]):
        news = [sum(len(x) ** 0.5 for x in left if f"u{i}" in x) for i in range(len(pages))]
        nearer = [sum(max(0.0, near(i, j) - nearest[j]) for j in sought) for i in range(len(pages))]
        if max(nearer) < 1e-5:  # what is left is how single precision rounds
            break
        parts = zip(ranks, news, nearer, strict=True)
        score = [r + new / max(max(news), 1e-12) + more / max(nearer) for r, new, more in parts]
        assert score[chosen] == pytest.approx(max(score[i] for i in range(len(pages)) if i not in before), abs=1e-3)
        before.add(chosen)
        left = {x for x in left if f"u{chosen}" not in x}
        nearest = {j: max(held, near(chosen, j)) for j, held in nearest.items()}


def test_what_means_something_else_comes_before_more_of_the_same() -> None:
    """Two pages of one direction from the mean, one of the other: the first is near to two."""
    vectors = np.array([[1, 0], [1, 0], [0, 1]], np.float32)
    assert cover([0.5] * 3, [[]] * 3, 3, (), vectors) == [0, 2, 1]
    assert cover([0.5] * 3, [[]] * 3, 3, (), vectors, [False, False, True]) == [2, 0, 1]
    assert cover([0.5] * 3, [[]] * 3, 3) == [0, 1, 2]


def test_a_side_of_the_topic_comes_before_more_of_the_same() -> None:
    sides = [["race", "car"]] * 4 + [["race", "boat"]] * 3 + [["race", "horse"]] * 3
    assert cover([0.9, 0.9, 0.9, 0.9, *[0.6] * 6], sides, 4) == [0, 4, 7, 1]
    assert cover([], [], 3) == []
