"""Breadth-first: nearest to a seed first, in order of arrival."""

from __future__ import annotations

from collections.abc import Sequence

from fcacrawler.items import Candidate, Explanation, SeenPage


class BreadthFirst:
    epoch = 0
    gated = False
    thorough = False

    def observe(self, page: SeenPage, relevance: float) -> float:
        return relevance

    def rank(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        return [1 / (1 + c.depth) for c in candidates]

    def explain(self, candidate: Candidate) -> Explanation:
        return Explanation(rank=1 / (1 + candidate.depth), features={"depth": float(candidate.depth)})

    def explain_page(self, page: SeenPage) -> Explanation:
        return Explanation(rank=0.0, features={"depth": float(page.depth)})
