"""How far words and vectors are to be listened to, by what they say.

Why so: decisions 250, 342.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from fcacrawler.search.nearness import Floats

UNSURE = 15.0  # weight of what is no word, where words leave it open which page is meant, and vectors are sure
UNSURE_TITLE = 6.0  # the same of a title, whatever vectors are
NOISE, SURE = 2.4, 1.6  # z of the best hundredth where nothing is near in particular; v at most
CANDIDATES = 500  # by words, and by vectors, of a crawl


class Unsure(NamedTuple):
    """How far it is left open by the words of a query what is meant, and what else is worth for that."""

    x: float
    vectors: float  # u
    titles: float  # t

    @classmethod
    def of(cls, worded: Iterable[float], meanings: Iterable[Floats]) -> Unsure:
        """``worded``: BM25 of pages; ``meanings``: z of all pages of each crawl that is asked."""
        x = openness(sorted(worded, reverse=True)[:CANDIDATES])
        v = UNSURE * max(map(sureness, meanings), default=0.0)
        return cls(x, 1 + v * x**2, 1 + max(UNSURE_TITLE, v) * x**2)


def readable(best: Sequence[int], meaning: Floats) -> float:
    """The part of the best by words that have a vector: how far vectors can be asked at all.

    >>> readable([0, 2], np.array([1.5, -0.5, 0.0], np.float32)), readable([], np.array([], np.float32))
    (0.5, 0.0)
    """
    if not best:
        return float(bool(len(meaning)))
    return sum(n < len(meaning) and bool(meaning[n]) for n in best) / len(best)


def sureness(meaning: Floats) -> float:
    """How far the best hundredth of all is nearer than where nothing is near in particular, in [0, ``SURE``].

    >>> sureness(np.array([3.0, 3.0, *[0.0] * 98], np.float32)), sureness(np.array([], np.float32))
    (0.6, 0.0)
    """
    count = 1 + len(meaning) // 100
    best = float(np.partition(meaning, -count)[-count]) if len(meaning) else 0.0
    return round(min(SURE, max(0.0, best - NOISE)), 6)


def openness(scores: Sequence[float]) -> float:
    """How open it is which of these pages is meant, in [0, 1]: the entropy of exp(score), over that of ``CANDIDATES``
    equal ones.

    >>> openness([2.0] * CANDIDATES), openness([9.0]), round(openness([0.0, 0.0]), 4)
    (1.0, 0.0, 0.1115)
    """
    if not scores:
        return 1.0
    p = np.exp(np.array(scores) - max(scores))
    p /= p.sum()
    return min(1.0, max(0.0, float(-(p * np.log(np.maximum(p, 1e-300))).sum() / np.log(CANDIDATES))))


def overlap(one: set[str], other: set[str]) -> float:
    """
    >>> overlap({"auto", "race"}, {"auto", "race", "histori"}) == 2 / 3, overlap(set(), set())
    (True, 0.0)
    """
    return len(one & other) / len(one | other) if one | other else 0.0
