"""How relevant a fetched page is to the topic: its text and its title, then the company that it keeps."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fcacrawler.items import SeenPage
from fcacrawler.strategies.profile import Profile
from fcacrawler.vectors import Vectors, embed

TITLE = (0.3, 0.2)  # weights of the title's cosines with the query and with the seeds' titles, beside the text's of 1
LINKED = 0.7  # weight of the neighbours' mean beside the page's own evidence
CENTRE, WIDTH = 0.6, 0.12  # of the logistic, in units of what the best reach
BEST = 0.2  # share of the pages that "the best" are
TINY = 1e-6

Floats = NDArray[np.float64]


class TopicJudge:
    """rel = σ((j - 0.6h) / 0.12h) with j = c + 0.7·(Σ c of neighbours + 2·mean c) / (neighbours + 2).

    c = text / top(text) + 0.3·query / top(query) + 0.2·seeds / top(seeds): cosines of the page's words with the topic
    and, where there are vectors, of its title with the topic's words and with the seeds' titles. h is top(j); top is
    the mean of the best fifth of what was fetched, since cosines of another topic have another scale. Neighbours are
    the fetched pages that are linked with the page, either way. All pages are judged anew when there are 5 (later 2 %)
    more of them.
    """

    def __init__(self, profile: Profile, vectors: Vectors | None = None) -> None:
        self.profile = profile
        self._vectors = vectors
        self._query = embed(vectors, [profile.topic.words], profile.language)[0] if vectors else np.zeros(0)
        self._titles, self._length = np.zeros_like(self._query), TINY  # sum of the seeds' titles, and its length
        self._scales = np.array([1.0, *TITLE]) if vectors else np.ones(1)
        self._index: dict[str, int] = {}
        self._seeds: dict[int, SeenPage] = {}
        self._cosines: list[list[float]] = []
        self._from: list[int] = []  # links among fetched pages
        self._to: list[int] = []
        self._own: list[float] = []  # c
        self._relevance: list[float] = []
        self._mean = self._high = TINY
        self._due = 0

    def observe(self, page: SeenPage) -> float:
        known = self.relevance(page.url)
        if known is not None:
            return known
        n = self._index[page.url] = len(self._index)
        if page.depth == 0:
            self.profile.learn(page)
            self._seeds[n] = page
            if self._vectors:
                self._titles = self._titles + embed(self._vectors, [page.title], page.language)[0]
                self._length = max(float(np.linalg.norm(self._titles)), TINY)
        self._cosines.append(self._look(page))
        neighbours = self._connect(n, page)
        if n >= self._due or page.depth == 0:
            self._judge_all()
        else:
            self._relevance.append(self._judge(n, neighbours))
        return self._relevance[n]

    def relevance(self, url: str) -> float | None:
        n = self._index.get(url)
        return None if n is None else self._relevance[n]

    def _look(self, page: SeenPage) -> list[float]:
        """The page's cosines, each in [0, 1]."""
        text = self.profile.cosine(page.terms)
        if not self._vectors:
            return [text]
        title = embed(self._vectors, [page.title], page.language)[0]
        near = float(title @ self._titles) / self._length
        return [text, max(0.0, float(title @ self._query)), max(0.0, near)]

    def _connect(self, n: int, page: SeenPage) -> list[int]:
        """Remember the links between the page and those fetched before it."""
        out = [m for link in page.links if (m := self._index.get(link.url, n)) != n]
        back = [m for e in page.evidence if (m := self._index.get(e.parent, n)) != n]
        self._from += [n] * len(out) + back
        self._to += out + [n] * len(back)
        return out + back

    def _judge(self, n: int, neighbours: list[int]) -> float:
        """The page by the scales of the last time when all were judged."""
        own = float(np.dot(self._cosines[n], self._scales))
        self._own.append(own)
        company = sum(self._own[m] for m in neighbours)
        j = own + LINKED * (company + 2 * self._mean) / (len(neighbours) + 2)
        return 1 / (1 + math.exp((CENTRE - j / self._high) / WIDTH))

    def _judge_all(self) -> None:
        if len(self._cosines) <= len(self._seeds) + 1:  # the profile changes with every seed
            for n, page in self._seeds.items():
                self._cosines[n] = self._look(page)
        cosines = np.array(self._cosines)
        self._scales = np.array([1.0, *TITLE])[: cosines.shape[1]] / [top(column) for column in cosines.T]
        c = cosines @ self._scales
        self._own = c.tolist()
        self._mean = float(c.mean())
        a, b = np.array(self._from, dtype=np.intp), np.array(self._to, dtype=np.intp)
        ends = np.concatenate([a, b])
        degree = np.bincount(ends, minlength=len(c))
        company = np.bincount(ends, weights=c[np.concatenate([b, a])], minlength=len(c))
        j = c + LINKED * (company + 2 * self._mean) / (degree + 2)
        self._high = top(j)
        self._relevance = (1 / (1 + np.exp((CENTRE - j / self._high) / WIDTH))).tolist()
        self._due = len(c) + max(5, len(c) // 50)


def top(values: Floats) -> float:
    """The mean of the best fifth, of three values at least; never 0, so that it can be divided by.

    >>> top(np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    4.0
    >>> top(np.array([0.0]))
    1e-06
    """
    k = max(3, int(len(values) * BEST))
    return max(TINY, float(np.sort(values)[-k:].mean()))
