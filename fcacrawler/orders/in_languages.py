"""Any order, with links lower that probably lead to pages in languages that are not wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fcacrawler.judge.languages import LEAST, Wanted
from fcacrawler.orders import Order
from fcacrawler.values.clicks import Clicks
from fcacrawler.values.links import Candidate
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.verdicts import Explanation, Judged


class InLanguages:
    """rank = (0.1 + 0.9·c)·(the order's rank), c the chance that the link's page is in a wanted language. Seeds keep
    theirs."""

    def __init__(self, order: Order, wanted: Wanted) -> None:
        self._order, self._wanted = order, wanted
        self.gated, self.thorough = order.gated, order.thorough
        self.epoch, self.over = order.epoch, order.over

    def observe(self, page: SeenPage, judged: Judged) -> float:
        rank = self._order.observe(page, judged)
        self.epoch, self.over = self._order.epoch, self._order.over
        return rank

    def texts(self, page: SeenPage) -> Sequence[str]:
        return self._order.texts(page)

    def copied(self, page: SeenPage, original: str) -> None:
        self._order.copied(page, original)
        self.epoch = self._order.epoch

    def clicked(self, clicks: Clicks) -> None:
        self._order.clicked(clicks)
        self.epoch = self._order.epoch

    def rank(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        ranks = self._order.rank(candidates)
        return [rank * self._part(candidate) for rank, candidate in zip(ranks, candidates, strict=True)]

    def explain(self, candidate: Candidate) -> Explanation:
        said, part = self._order.explain(candidate), self._part(candidate)
        return replace(said, rank=said.rank * part, calibration={**said.calibration, "language": part})

    def explain_page(self, page: SeenPage) -> Explanation:
        return self._order.explain_page(page)

    def _part(self, candidate: Candidate) -> float:
        if candidate.depth == 0:
            return 1.0
        chance = self._wanted.chance(candidate.url, [evidence.anchor for evidence in candidate.evidence])
        return LEAST + (1 - LEAST) * chance
