"""What a page's text says for the topic, against what the pages say that are not about it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from fcacrawler.strategies.latest import Latest, dots, turn_away
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
        self._topic, self._aim, self._room = np.zeros(SPACE), np.zeros(SPACE), np.zeros(SPACE)
        self._latest = Latest(KEPT)
        self._pages = 0

    def aim(self, topic: Mapping[str, float]) -> None:
        """The topic is another one."""
        self._topic = dense(topic)
        self._aim[:] = self._topic

    def add(self, terms: Mapping[str, float]) -> float:
        """What a page's text says, by the background of the last time; it may be below 0."""
        words, weights = _row(terms)
        self._latest.add(words, weights)
        self._pages += 1
        return _says(words, weights, self._aim)

    def again(self, n: int, terms: Mapping[str, float]) -> float:
        """The n-th page has another text now."""
        words, weights = _row(terms)
        at = n - self._pages + len(self._latest)
        if at >= 0:
            self._latest.put(at, words, weights)
        return _says(words, weights, self._aim)

    def judge(self, texts: Floats) -> None:
        """Look at the background anew, and set what the latest pages' texts say, of all pages' ``texts``."""
        pages, damp = self._latest.rows, self._damp()
        t = damp * dots(pages, self._topic)
        g = damp / (1 + np.exp(np.minimum((t / top(t) - LOW) / SOFT, 700.0)))
        self._aim[:] = self._topic
        turn_away(pages, g, AGAINST * g.sum() / (g.sum() + DOUBT), self._aim, self._room)
        texts[-len(damp) :] = damp * dots(pages, self._aim)

    def speech(self, relevance: Floats) -> Floats:
        """How the latest relevant pages speak, against how others do: F - 0.4·m / (m + 10)·R, by number of word.

        F = Σ rel·d·page and R = Σ (1 - rel)·d·page, as vectors of norm 1, with m = Σ (1 - rel)·d; ``relevance`` is of
        all pages.
        """
        pages, damp, speech = self._latest.rows, self._damp(), np.zeros(SPACE)
        told = damp * relevance[-len(damp) :]
        rest = damp - told
        turn_away(pages, told, -1.0, speech, self._room)
        turn_away(pages, rest, AGAINST * rest.sum() / (rest.sum() + DOUBT), speech, self._room)
        return speech

    def _damp(self) -> Floats:
        """d of the latest pages."""
        sizes = np.diff(self._latest.rows.ends)
        return np.asarray(sizes / (sizes + SHORT))


def _row(terms: Mapping[str, float]) -> tuple[NDArray[np.int32], Floats]:
    """Words and weights, which are as exact as float32."""
    weights = np.fromiter(terms.values(), np.float32, len(terms))
    return numbers(terms), weights.astype(np.float64)


def _says(words: NDArray[np.int32], weights: Floats, aim: Floats) -> float:
    return float((aim[words] * weights).sum()) * len(words) / (len(words) + SHORT)


def top(values: Floats) -> float:
    """The mean of the best fifth, of three values at least; never 0, so that it can be divided by.

    >>> top(np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    4.0
    >>> top(np.array([0.0]))
    1e-06
    """
    k = max(3, int(len(values) * BEST))
    return max(TINY, float(np.sort(values)[-k:].mean()))
