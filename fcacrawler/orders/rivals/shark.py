"""Shark-search: *Hersovici et al. 1998*, the classic strong baseline."""

from __future__ import annotations

from fcacrawler.orders import Given
from fcacrawler.orders.plain import PlainOrder
from fcacrawler.values.links import Candidate, Evidence
from fcacrawler.values.pages import SeenPage

DELTA = 0.5  # what a page hands down of its own or of its inherited score
BETA = 0.8  # weight of the anchor against its context
GAMMA = 0.5  # weight of what is inherited against what stands at the link
NONE = 0.02  # a page with less than this has nothing of the topic


class Shark(PlainOrder):
    """score = γ·inherited + (1-γ)·(β·anchor + (1-β)·context), the best over the links to the candidate for each part.

    inherited = δ·similarity of the linking page, or δ·what that page has inherited if it is off the topic. The anchor's
    score is the better one of anchor text and URL.
    """

    def __init__(self, given: Given) -> None:
        self.epoch = 0
        self._profile = given.profile
        self._hands_down: dict[str, float] = {}

    def learn(self, page: SeenPage, relevance: float) -> None:
        similarity = self.similarity(page)
        inherited = max((self._hands_down.get(e.parent, 0.0) for e in page.evidence), default=0.0)
        self._hands_down[page.url] = DELTA * (similarity if similarity > NONE else inherited)
        self.epoch += page.depth == 0  # the profile has changed

    def score(self, candidate: Candidate) -> float:
        if not candidate.evidence:
            return 0.0
        inherited = max(self._hands_down.get(e.parent, 0.0) for e in candidate.evidence)
        return GAMMA * inherited + (1 - GAMMA) * max(self._near(candidate.url, e) for e in candidate.evidence)

    def _near(self, url: str, link: Evidence) -> float:
        return BETA * self.anchor(url, link.anchor) + (1 - BETA) * self._profile.text(link.context)

    def similarity(self, page: SeenPage) -> float:
        return self._profile.cosine(page.terms)

    def anchor(self, url: str, text: str) -> float:
        return max(self._profile.text(text), self._profile.url(url))
