"""Breadth-first, and among links of one depth the highest PageRank first: the BFCrawler of *Du & Hai 2013, §1.1*."""

from __future__ import annotations

from fcacrawler.orders.rivals.pagerank import PageRank
from fcacrawler.values.links import Candidate
from fcacrawler.values.verdicts import Explanation


class BreadthFirst(PageRank):
    """rank = 1 / (2 + depth - PR/(1 + PR)): never mixes two depths, since PR/(1 + PR) lies in [0, 1)."""

    def score(self, candidate: Candidate) -> float:
        return 1 / (2 + candidate.depth - super().score(candidate))

    def explain(self, candidate: Candidate) -> Explanation:
        features = {"depth": float(candidate.depth), "pagerank": super().score(candidate)}
        return Explanation(rank=self.score(candidate), features=features)
