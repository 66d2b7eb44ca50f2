"""What a page's text says for the topic, against what the pages say that are not about it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from fcacrawler.strategies.columns import Column
from fcacrawler.strategies.lexicon import SPACE, dense, numbers

AGAINST = 0.4  # weight of the background beside the topic's 1
DOUBT = 10.0  # how many background pages it takes for half of that
SHORT = 40.0  # distinct words that a page has when its cosine counts half
LOW, SOFT = 0.5, 0.08  # of what the best reach: where a page belongs to the background, and how softly
KEPT = 1000  # latest pages whose words are kept
TINY = 1e-6

BEST = 0.2  # share of the pages that "the best" are

Floats = NDArray[np.float64]


class Contrast:
    """text = d·(cos(page, P) - β·cos(page, B)), d = n / (n + 40) for a page of n distinct words: few words say little.

    P is the topic, B the background: Σ g·d·page over the latest 1,000 pages, as a vector of norm 1, with
    g = σ((0.5 - t / top(t)) / 0.08) for t = d·cos(page, P). β = 0.4·m / (m + 10) with m = Σ g·d. So words that
    this web's other pages have as well (menus, names, manners of speech) do not speak for the topic.
    """

    def __init__(self) -> None:
        self._topic = self._aim = np.zeros(SPACE)
        self._words, self._weights = Column(np.int32), Column(np.float64)  # of the latest pages, one after the other …
        self._ends = Column(np.int32)  # … and where each page's end, after where the first one's begin
        self._ends.extend([0])
        self._pages = 0

    def aim(self, topic: Mapping[str, float]) -> None:
        """The topic is another one."""
        self._topic = self._aim = dense(topic)

    def add(self, terms: Mapping[str, float]) -> float:
        """What a page's text says, by the background of the last time; it may be below 0."""
        words, weights = _row(terms)
        self._words.extend(words)
        self._weights.extend(weights)
        self._ends.extend([len(self._words)])
        if len(self._ends) > KEPT + KEPT // 4 + 1:
            self._forget(len(self._ends) - KEPT - 1)
        self._pages += 1
        return _says(words, weights, self._aim)

    def _forget(self, pages: int) -> None:
        start = self._ends.values[pages]
        self._words.set(self._words.values[start:])
        self._weights.set(self._weights.values[start:])
        self._ends.set(self._ends.values[pages:] - start)

    def again(self, n: int, terms: Mapping[str, float]) -> float:
        """The n-th page has another text now."""
        words, weights = _row(terms)
        at = n - self._pages + len(self._ends) - 1
        if at >= 0:
            start, end = self._ends.values[at : at + 2]
            self._words.set(np.concatenate([self._words.values[:start], words, self._words.values[end:]]))
            self._weights.set(np.concatenate([self._weights.values[:start], weights, self._weights.values[end:]]))
            self._ends.values[at + 1 :] += len(words) - (end - start)
        return _says(words, weights, self._aim)

    def judge(self, texts: Floats) -> None:
        """Look at the background anew, and set what the latest pages' texts say, of all pages' ``texts``."""
        pages, damp = self._latest()
        t = damp * (pages @ self._topic)
        g = damp / (1 + np.exp(np.minimum((t / top(t) - LOW) / SOFT, 700.0)))
        background = unit(g @ pages)
        background *= AGAINST * g.sum() / (g.sum() + DOUBT)
        self._aim = np.subtract(self._topic, background, out=background)
        texts[-len(damp) :] = damp * (pages @ self._aim)

    def speech(self, relevance: Floats) -> Floats:
        """How the latest relevant pages speak, against how others do: F - 0.4·m / (m + 10)·R, by number of word.

        F = Σ rel·d·page and R = Σ (1 - rel)·d·page, as vectors of norm 1, with m = Σ (1 - rel)·d; ``relevance`` is of
        all pages.
        """
        pages, damp = self._latest()
        told = damp * relevance[-len(damp) :]
        rest = damp - told
        others = unit(rest @ pages)
        others *= AGAINST * rest.sum() / (rest.sum() + DOUBT)
        return np.subtract(unit(told @ pages), others, out=others)

    def _latest(self) -> tuple[sparse.csr_array, Floats]:
        """The latest pages' words, a row each, and d."""
        ends = self._ends.values
        sizes = np.diff(ends)
        rows = sparse.csr_array((self._weights.values, self._words.values, ends), (len(sizes), SPACE))
        return rows, sizes / (sizes + SHORT)


def _row(terms: Mapping[str, float]) -> tuple[NDArray[np.int32], Floats]:
    """Words and weights, which are as exact as float32."""
    weights = np.fromiter(terms.values(), np.float32, len(terms))
    return numbers(terms), weights.astype(np.float64)


def _says(words: NDArray[np.int32], weights: Floats, aim: Floats) -> float:
    return float((aim[words] * weights).sum()) * len(words) / (len(words) + SHORT)


def unit(vector: Floats) -> Floats:
    """The same array with norm 1; a vector of nothing stays so.

    >>> unit(np.array([3.0, 4.0]))
    array([0.6, 0.8])
    """
    vector /= max(TINY, float(np.sqrt((vector * vector).sum())))
    return vector


def top(values: Floats) -> float:
    """The mean of the best fifth, of three values at least; never 0, so that it can be divided by.

    >>> top(np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    4.0
    >>> top(np.array([0.0]))
    1e-06
    """
    k = max(3, int(len(values) * BEST))
    return max(TINY, float(np.sort(values)[-k:].mean()))
