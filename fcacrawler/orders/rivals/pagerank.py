"""Highest PageRank first: *Cho, Garcia-Molina & Page 1998*; *Du & Hai 2013, Eq. 1*; *Huang et al., Eq. 5*."""

from __future__ import annotations

import numpy as np

from fcacrawler.orders import Given
from fcacrawler.orders.plain import PlainOrder
from fcacrawler.orders.rivals.graph import Floats, KnownGraph, sums
from fcacrawler.values.links import Candidate
from fcacrawler.values.pages import SeenPage

D = 0.85
ROUNDS = 15  # from the ranks of the last time; 0.85^15 is below a tenth


class PageRank(PlainOrder):
    """PR(A) = (1-d) + d·Σ PR(T)/C(T) over the known pages T that link to A, C(T) the number of links on T.

    The equation is solved again when the crawl has grown by a twentieth (by 10 pages at least). In between a new page
    adds its share to those that it links to.
    """

    def __init__(self, given: Given) -> None:
        self.graph = KnownGraph()
        self.epoch = 0
        self._shares: list[float] = []  # Σ PR(T)/C(T), by node
        self._due = 10

    def learn(self, page: SeenPage, relevance: float) -> None:
        n, targets = self.graph.add(page)
        self._shares += [0.0] * (len(self.graph) - len(self._shares))
        for m in targets:
            self._shares[m] += self.value(n) / len(targets)
        if len(self.graph.fetched) >= self._due:
            self._due = len(self.graph.fetched) + max(10, len(self.graph.fetched) // 20)
            self._shares = solve(self.graph, np.array(self._shares)).tolist()
            self.epoch += 1

    def value(self, n: int) -> float:
        """PR of a node."""
        return 1 - D + D * self._shares[n]

    def score(self, candidate: Candidate) -> float:
        n = self.graph.node.get(candidate.url)
        return squashed(1 - D if n is None else self.value(n))


def squashed(value: float) -> float:
    """A value of 0 or more in [0, 1), order kept.

    >>> squashed(0.0), squashed(3.0)
    (0.0, 0.75)
    """
    return value / (1 + value)


def solve(graph: KnownGraph, shares: Floats) -> Floats:
    """Σ PR(T)/C(T) for every node."""
    source, target = graph.links()
    out = np.bincount(source, minlength=len(graph))
    for _ in range(ROUNDS):
        given = (1 - D + D * shares) / np.maximum(out, 1)
        shares = sums(target, given[source], len(graph))
    return shares
