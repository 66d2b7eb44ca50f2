"""Topic words in anchor, URL and text of the linking page: the keyword-based crawler of *Huang et al., §IV*."""

from __future__ import annotations

from collections.abc import Iterable

from fcacrawler.orders import Given
from fcacrawler.orders.plain import PlainOrder
from fcacrawler.values.links import Candidate
from fcacrawler.values.pages import SeenPage

MOST = 20  # keywords of a topic


class Keyword(PlainOrder):
    """The mean, over anchor, URL and text of the linking page, of the share of the keywords' weight that occurs there.

    The keywords are the user's words and the heaviest words of the seeds; of several links the best one counts.
    """

    def __init__(self, given: Given) -> None:
        self.epoch = 0
        self._profile = given.profile
        self._keywords: dict[str, float] = {}
        self._texts: dict[str, float] = {}  # share, by text
        self._pages: dict[str, float] = {}  # share, by URL of a fetched page

    def learn(self, page: SeenPage, relevance: float) -> None:
        if page.depth == 0 or not self._keywords:
            vector = self._profile.vector
            heaviest = sorted(vector, key=lambda t: (-vector[t], t))[:MOST]
            self._keywords = {t: vector[t] for t in {*heaviest, *self._profile.words} if vector.get(t, 0.0) > 0}
            self._texts.clear()
            self.epoch += 1
        self._pages[page.url] = self._share(page.terms)

    def _share(self, words: Iterable[str]) -> float:
        found = sum(self._keywords.get(w, 0.0) for w in set(words))
        return found / (sum(self._keywords.values()) or 1.0)

    def _text(self, text: str) -> float:
        known = self._texts.get(text)
        if known is None:
            known = self._texts[text] = self._share(self._profile.vector_of(text))
        return known

    def score(self, candidate: Candidate) -> float:
        if not candidate.evidence:
            return 0.0
        url = self._text(*self._profile.url_words(candidate.url))
        return (url + max(self._text(e.anchor) + self._pages.get(e.parent, 0.0) for e in candidate.evidence)) / 3
