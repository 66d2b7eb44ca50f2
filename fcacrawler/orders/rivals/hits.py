"""Highest authority first: *Kleinberg 1999*, on the graph around the topic (*Du & Hai 2013, §1.1*)."""

from __future__ import annotations

import numpy as np

from fcacrawler.orders import Given
from fcacrawler.orders.plain import PlainOrder
from fcacrawler.orders.rivals.graph import KnownGraph, sums
from fcacrawler.values.links import Candidate
from fcacrawler.values.pages import SeenPage

ROUNDS = 8
SHARP = 3  # a page that is half relevant counts an eighth


class Hits(PlainOrder):
    """I: authority(p) = Σ hub(q) over q → p. O: hub(p) = weight(p)·Σ authority(q) over p → q. Each of L2 norm 1.

    A hub weighs relevance³ by the judge, so the graph is the one around the topic (*Bharat & Henzinger 1998*); without
    that the crawl drifts to whatever is linked most. Solved again when the crawl has grown by a twentieth (by 10 pages
    at least); in between a new page votes with its weight times the mean hub.
    """

    def __init__(self, given: Given) -> None:
        self.graph = KnownGraph()
        self.epoch = 0
        self._relevance_of = given.judge.relevance
        self._pages: list[str] = []
        self._votes: list[float] = []  # authority, by node
        self._vote = 1.0  # of a page that weighs 1
        self._due = 10

    def learn(self, page: SeenPage, relevance: float) -> None:
        _, targets = self.graph.add(page)
        self._pages.append(page.url)
        self._votes += [0.0] * (len(self.graph) - len(self._votes))
        for m in targets:
            self._votes[m] += relevance**SHARP * self._vote
        if len(self._pages) >= self._due:
            self._due = len(self._pages) + max(10, len(self._pages) // 20)
            self._solve()

    def _solve(self) -> None:
        size, (source, target) = len(self.graph), self.graph.links()
        weight = np.zeros(size)
        weight[self.graph.fetched] = [(self._relevance_of(url) or 0.0) ** SHARP for url in self._pages]
        hub = weight / max(1e-12, float(np.linalg.norm(weight)))
        for _ in range(ROUNDS):
            authority = sums(target, hub[source], size)
            authority /= max(1e-12, float(np.linalg.norm(authority)))
            hub = weight * sums(source, authority[target], size)
            hub /= max(1e-12, float(np.linalg.norm(hub)))
        self._votes = sums(target, hub[source], size).tolist()
        self._vote = float(hub.sum() / max(1e-12, weight.sum()))
        self.epoch += 1

    def score(self, candidate: Candidate) -> float:
        n = self.graph.node.get(candidate.url)
        return 0.0 if n is None else self._votes[n]
