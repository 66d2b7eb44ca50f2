"""What most orders have in common: they learn from pages, and give one number to a candidate."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from fcacrawler.values.clicks import Clicks
from fcacrawler.values.links import Candidate
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.verdicts import Explanation, Judged


class PlainOrder(ABC):
    """An order without an opinion of its own about pages, whose numbers mean nothing but an order."""

    epoch = 0
    gated = False
    thorough = False
    over = False

    def observe(self, page: SeenPage, judged: Judged) -> float:
        self.learn(page, judged.guess)
        return judged.relevance

    def learn(self, page: SeenPage, relevance: float) -> None:
        """Learn from a page; nothing by default."""
        return

    def copied(self, page: SeenPage, original: str) -> None:
        return

    def clicked(self, clicks: Clicks) -> None:
        return

    def texts(self, page: SeenPage) -> Sequence[str]:
        return ()

    @abstractmethod
    def score(self, candidate: Candidate) -> float:
        """In [0, 1]; higher leaves earlier."""

    def rank(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        return [self.score(c) for c in candidates]

    def explain(self, candidate: Candidate) -> Explanation:
        return Explanation(rank=self.score(candidate))

    def explain_page(self, page: SeenPage) -> Explanation:
        return Explanation(rank=0.0)
