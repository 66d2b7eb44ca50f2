"""What a page's text says for the topic, against what the pages say that are not about it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from fcacrawler.strategies.lexicon import SPACE, dense, number

AGAINST = 0.4  # weight of the background beside the topic's 1
DOUBT = 10.0  # how many background pages it takes for half of that
SHORT = 40.0  # distinct words that a page has when its cosine counts half
LOW, SOFT = 0.5, 0.08  # of what the best reach: where a page belongs to the background, and how softly
KEPT = 1000  # latest pages whose words are kept
TINY = 1e-6

BEST = 0.2  # share of the pages that "the best" are

Floats = NDArray[np.float64]
Row = tuple[NDArray[np.int32], NDArray[np.float32]]  # words and weights


class Contrast:
    """text = d·(cos(page, P) - β·cos(page, B)), d = n / (n + 40) for a page of n distinct words: few words say little.

    P is the topic, B the background: Σ g·d·page over the latest 1,000 pages, as a vector of norm 1, with
    g = σ((0.5 - t / top(t)) / 0.08) for t = d·cos(page, P). β = 0.4·m / (m + 10) with m = Σ g·d. So words that
    this web's other pages have as well (menus, names, manners of speech) do not speak for the topic.
    """

    def __init__(self) -> None:
        self._topic = self._aim = np.zeros(SPACE)
        self._rows: list[Row] = []  # of the latest pages
        self._pages = 0

    def aim(self, topic: Mapping[str, float]) -> None:
        """The topic is another one."""
        self._topic = self._aim = dense(topic)

    def add(self, terms: Mapping[str, float]) -> float:
        """What a page's text says, by the background of the last time; it may be below 0."""
        self._rows.append(_row(terms))
        if len(self._rows) > KEPT + KEPT // 4:
            del self._rows[: len(self._rows) - KEPT]
        self._pages += 1
        return _says(self._rows[-1], self._aim)

    def again(self, n: int, terms: Mapping[str, float]) -> float:
        """The n-th page has another text now."""
        row, back = _row(terms), self._pages - n
        if back <= len(self._rows):
            self._rows[-back] = row
        return _says(row, self._aim)

    def judge(self, texts: Floats) -> None:
        """Look at the background anew, and set what the latest pages' texts say, of all pages' ``texts``."""
        ids, values = (np.concatenate(part) for part in zip(*self._rows, strict=True))
        sizes = np.array([len(words) for words, _ in self._rows])
        owner = np.repeat(np.arange(len(sizes)), sizes)
        damp = sizes / (sizes + SHORT)

        def says(aim: Floats) -> Floats:
            return np.asarray(damp * np.bincount(owner, values * aim[ids], len(sizes)))

        t = says(self._topic)
        g = damp / (1 + np.exp(np.minimum((t / top(t) - LOW) / SOFT, 700.0)))
        background = unit(np.asarray(np.bincount(ids, values * g[owner], SPACE), np.float64))
        self._aim = self._topic - AGAINST * g.sum() / (g.sum() + DOUBT) * background
        texts[-len(sizes) :] = says(self._aim)


def _row(terms: Mapping[str, float]) -> Row:
    return np.fromiter(map(number, terms), np.int32, len(terms)), np.fromiter(terms.values(), np.float32, len(terms))


def _says(row: Row, aim: Floats) -> float:
    words, weights = row
    return float((aim[words] * weights).sum()) * len(words) / (len(words) + SHORT)


def unit(vector: Floats) -> Floats:
    """With norm 1; a vector of nothing stays so.

    >>> unit(np.array([3.0, 4.0]))
    array([0.6, 0.8])
    """
    return np.asarray(vector / max(TINY, float(np.sqrt((vector * vector).sum()))))


def top(values: Floats) -> float:
    """The mean of the best fifth, of three values at least; never 0, so that it can be divided by.

    >>> top(np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    4.0
    >>> top(np.array([0.0]))
    1e-06
    """
    k = max(3, int(len(values) * BEST))
    return max(TINY, float(np.sort(values)[-k:].mean()))
