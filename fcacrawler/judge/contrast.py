"""What a page's text says for the topic, against what the pages say that are not about it.

Why so: decision 076.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from fcacrawler.lowlevel.columns import Column
from fcacrawler.lowlevel.numbers import UNKNOWN
from fcacrawler.lowlevel.recent_rows import RecentRows, dots, renumber, turn_away
from fcacrawler.page.text.short_texts import SPACE, dense, weighted

AGAINST = 0.4  # weight of the background beside the topic's 1
DOUBT = 10.0  # how many background pages it takes for half of that
SHORT = 40.0  # distinct words that a page has when its cosine counts half
LOW, SOFT = 0.5, 0.08  # of what the best reach: where a page belongs to the background, and how softly
KEPT = 1000  # latest pages whose words are kept
TINY = 1e-6

BEST = 0.2  # share of the pages that "the best" are

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


class Contrast:
    """text = d·(cos(page, P) - β·cos(page, B)), d = n / (n + 40) for a page of n distinct words: few words say little.

    P is the topic, B the background: Σ g·d·page over the latest 1,000 pages, as a vector of norm 1, with
    g = σ((0.5 - t / top(t)) / 0.08) for t = d·cos(page, P). β = 0.4·f·m / (m + 10) with m = Σ g·d. So words that
    this web's other pages have as well (menus, names, manners of speech) do not speak for the topic. Where P is a few
    words and hardly a page is believed (f), most of the topic's own pages lie in the background.
    """

    def __init__(self) -> None:
        self._latest = RecentRows(KEPT)
        self._pages = 0
        self._firm = 1.0  # f
        self._speech = np.zeros(SPACE)
        self._given = np.zeros(SPACE)  # the topic
        self._numbers = np.full(SPACE, UNKNOWN, np.int32)  # words in order of arrival: common ones lie close together
        self._words = Column(np.int32)  # by that number: which word it is, …
        self._topic, self._aim = Column(np.float64), Column(np.float64)  # … P, and P - β·B

    def aim(self, topic: Mapping[str, float], firm: float = 1.0) -> None:
        """The topic is another one; so firmly it is known by whole pages, not by a few words."""
        self._firm = firm
        self._given = dense(topic)
        self._topic.set(self._given[self._words.values])
        self._aim.set(self._topic.values)

    def add(self, words: Ints, weights: Floats) -> float:
        """What a page's text says, by the background of the last time; it may be below 0."""
        words = self._renumbered(words)
        self._latest.add(words, weights)
        self._pages += 1
        return self._says(words, weights)

    def again(self, n: int, words: Ints, weights: Floats) -> float:
        """The n-th page has another text now."""
        words = self._renumbered(words)
        at = n - self._pages + len(self._latest)
        if at >= 0:
            self._latest.put(at, words, weights)
        return self._says(words, weights)

    def _renumbered(self, words: Ints) -> Ints:
        words, new = renumber(words, self._numbers, len(self._words.values))
        if len(new):
            self._words.extend(new)
            self._topic.extend(self._given[new])
            self._aim.extend(self._given[new])
        return words

    def _says(self, words: Ints, weights: Floats) -> float:
        return float((self._aim.values[words] * weights).sum()) * len(words) / (len(words) + SHORT)

    def judge(self, texts: Floats) -> None:
        """Look at the background anew, and set what the latest pages' texts say, of all pages' ``texts``."""
        pages, damp, aim = self._latest.rows, self._damp(), self._aim.values
        t = damp * dots(pages, self._topic.values)
        g = damp / (1 + np.exp(np.minimum((t / top(t) - LOW) / SOFT, 700.0)))
        aim[:] = self._topic.values
        turn_away(pages, g, AGAINST * self._firm * g.sum() / (g.sum() + DOUBT), aim)
        texts[-len(damp) :] = damp * dots(pages, aim)

    def speech(self, relevance: Floats) -> Floats:
        """How the latest relevant pages speak, against how others do: F - 0.4·m / (m + 10)·R, by number of word. It is
        told until the next call.

        F = Σ rel·d·page and R = Σ (1 - rel)·d·page, as vectors of norm 1, with m = Σ (1 - rel)·d; ``relevance`` is of
        all pages.
        """
        pages, damp, said = self._latest.rows, self._damp(), np.zeros(len(self._words.values))
        told = damp * relevance[-len(damp) :]
        rest = damp - told
        turn_away(pages, told, -1.0, said)
        turn_away(pages, rest, AGAINST * rest.sum() / (rest.sum() + DOUBT), said)
        self._speech[self._words.values] = said
        return self._speech

    def likeness(self, vector: Mapping[str, float], than_usual: bool = False) -> Callable[[Mapping[str, float]], float]:
        """A function of a page's terms: d·cosine with the vector, over what the best of the latest pages reach; or how
        much more that is ``than_usual``, over how much more the best reach; usual is half of that at the most."""
        values = dense(vector)
        likes = self._damp() * dots(self._latest.rows, values[self._words.values])
        best = top(likes)
        usual = min(float(np.median(likes)), best / 2) if than_usual and len(likes) else 0.0

        def near(terms: Mapping[str, float]) -> float:
            words, weights = weighted(terms)
            like = float((values[words] * weights).sum()) * len(terms) / (len(terms) + SHORT)
            return (like - usual) / (best - usual)

        return near

    def _damp(self) -> Floats:
        """d of the latest pages."""
        sizes = np.diff(self._latest.rows.ends)
        return np.asarray(sizes / (sizes + SHORT))


def top(values: Floats) -> float:
    """The mean of the best: the geometric mean of a fifth of all and of as many as lie above the others, no more than a
    fifth, at least three; never 0, so that it can be divided by. Why so: decision 221.

    >>> top(np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    4.0
    >>> top(np.array([0.0]))
    1e-06
    """
    if not len(values):
        return TINY
    best = np.sort(values)[::-1]
    k = len(best) * BEST
    k = max(3, int(min(k, math.sqrt(k * upper(best)))))
    return max(TINY, float(best[:k].mean()))


def upper(falling: Floats) -> int:
    """How many of the values, the highest first, belong together if they are of two kinds: the n for which
    n·(N - n)·(mean of the first n - mean of the others)² is highest (*Otsu 1979*).

    >>> upper(np.array([5.0, 5.0, 4.0, 1.0, 1.0, 0.0, 0.0]))
    3
    """
    if len(falling) < 2:
        return len(falling)
    n, left = np.arange(1, len(falling)), len(falling)
    sums = np.cumsum(falling)
    apart = sums[:-1] / n - (sums[-1] - sums[:-1]) / (left - n)
    return int((n * (left - n) * apart**2).argmax()) + 1
