"""How relevant a fetched page is to the topic: its text first, then the company that it keeps."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fcacrawler.items import SeenPage
from fcacrawler.strategies.profile import Profile

LINKED = 0.7  # weight of the neighbours' mean beside the page's own cosine
CENTRE, WIDTH = 0.6, 0.12  # of the logistic, in units of what the best reach
BEST = 0.2  # share of the pages that "the best" are
TINY = 1e-6


class TopicJudge:
    """rel = σ((j - 0.6h) / 0.12h) with j = c + 0.7·(Σ c of neighbours + 2·mean c) / (neighbours + 2).

    c is the cosine of page and topic over top(cosines), h is top(j); top is the mean of the best fifth of what was
    fetched, since cosines of another topic have another scale. Neighbours are the fetched pages that are linked with
    the page, either way. All pages are judged anew when there are 5 (later 2 %) more of them.
    """

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._index: dict[str, int] = {}
        self._seeds: dict[int, SeenPage] = {}
        self._cosines: list[float] = []
        self._from: list[int] = []  # links among fetched pages
        self._to: list[int] = []
        self._relevance: list[float] = []
        self._top = self._mean = self._high = TINY
        self._due = 0

    def observe(self, page: SeenPage) -> float:
        known = self.relevance(page.url)
        if known is not None:
            return known
        n = self._index[page.url] = len(self._index)
        if page.depth == 0:
            self.profile.learn(page)
            self._seeds[n] = page
        self._cosines.append(self.profile.cosine(page.terms))
        neighbours = self._connect(n, page)
        if n >= self._due or page.depth == 0:
            self._judge_all()
        else:
            self._relevance.append(self._judge(n, neighbours))
        return self._relevance[n]

    def relevance(self, url: str) -> float | None:
        n = self._index.get(url)
        return None if n is None else self._relevance[n]

    def _connect(self, n: int, page: SeenPage) -> list[int]:
        """Remember the links between the page and those fetched before it."""
        out = [m for link in page.links if (m := self._index.get(link.url, n)) != n]
        back = [m for e in page.evidence if (m := self._index.get(e.parent, n)) != n]
        self._from += [n] * len(out) + back
        self._to += out + [n] * len(back)
        return out + back

    def _judge(self, n: int, neighbours: list[int]) -> float:
        """The page by the scales of the last time when all were judged."""
        company = sum(self._cosines[m] / self._top for m in neighbours)
        j = self._cosines[n] / self._top + LINKED * (company + 2 * self._mean) / (len(neighbours) + 2)
        return 1 / (1 + math.exp((CENTRE - j / self._high) / WIDTH))

    def _judge_all(self) -> None:
        for n, page in self._seeds.items():  # the profile has changed with every seed
            self._cosines[n] = self.profile.cosine(page.terms)
        c = np.array(self._cosines)
        self._top = top(c)
        c /= self._top
        self._mean = float(c.mean())
        a, b = np.array(self._from, dtype=np.intp), np.array(self._to, dtype=np.intp)
        ends = np.concatenate([a, b])
        degree = np.bincount(ends, minlength=len(c))
        company = np.bincount(ends, weights=c[np.concatenate([b, a])], minlength=len(c))
        j = c + LINKED * (company + 2 * self._mean) / (degree + 2)
        self._high = top(j)
        self._relevance = (1 / (1 + np.exp((CENTRE - j / self._high) / WIDTH))).tolist()
        self._due = len(c) + max(5, len(c) // 50)


def top(values: NDArray[np.float64]) -> float:
    """The mean of the best fifth, of three values at least; never 0, so that it can be divided by.

    >>> top(np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    4.0
    >>> top(np.array([0.0]))
    1e-06
    """
    k = max(3, int(len(values) * BEST))
    return max(TINY, float(np.sort(values)[-k:].mean()))
