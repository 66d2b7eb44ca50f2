"""Mean judged relevance of the fetched pages that link to a candidate: the strongest simple order we know."""

from __future__ import annotations

from fcacrawler.orders import Given
from fcacrawler.orders.plain import PlainOrder
from fcacrawler.values.links import Candidate
from fcacrawler.values.pages import SeenPage


class MeanParent(PlainOrder):
    """A mean and not a sum: sums run into hubs."""

    def __init__(self, given: Given) -> None:
        self.epoch = 0
        self._relevance_of = given.judge.relevance
        self._fetched = 0

    def learn(self, page: SeenPage, relevance: float) -> None:
        self._fetched += 1
        self.epoch += self._fetched % 5 == 0  # the judge has thought again of those that it has judged

    def score(self, candidate: Candidate) -> float:
        known = [self._relevance_of(e.parent) or 0.0 for e in candidate.evidence]
        return sum(known) / len(known) if known else 0.0
