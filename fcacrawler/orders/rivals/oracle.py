"""The ceiling of a comparison: greedy with the labels and the whole link graph known. In comparisons only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from fcacrawler.orders.plain import PlainOrder
from fcacrawler.values.links import Candidate
from fcacrawler.values.pages import SeenPage


class Oracle(PlainOrder):
    """A relevant page that is known leaves first, of several the one with most links to relevant pages that are not
    known yet; if there is none, the page with the fewest links to an unknown relevant page."""

    def __init__(self, relevant: Set[str], links: Mapping[str, Sequence[str]]) -> None:
        """``links``: URL → the URLs it links to, of every page of the web."""
        self.epoch = 0
        self._relevant = relevant
        self._links = links
        self._back: dict[str, list[str]] = {}
        for url, targets in links.items():
            for target in targets:
                self._back.setdefault(target, []).append(url)
        self._known: set[str] = set()
        self._waiting: set[str] = set()  # relevant, known, not fetched
        self._distance: dict[str, int] = {}

    def learn(self, page: SeenPage, relevance: float) -> None:
        found = {page.url, *(link.url for link in page.links)} - self._known
        self._known |= found
        self._waiting |= found & self._relevant
        self._waiting.discard(page.url)
        self.thorough = not self._waiting  # a relevant page is among the best wherever it stood
        if self.thorough:
            self._distance = self._distances()
        self.epoch += 1

    def _distances(self) -> dict[str, int]:
        """Links from a page to the nearest relevant one that is not known, for all pages that lead to one."""
        layer = self._relevant - self._known
        distance = dict.fromkeys(layer, 0)
        far = 0
        while layer:
            far += 1
            layer = {u for url in layer for u in self._back.get(url, ())} - distance.keys()
            distance.update(dict.fromkeys(layer, far))
        return distance

    def score(self, candidate: Candidate) -> float:
        if candidate.url in self._relevant:
            more = sum(u in self._relevant and u not in self._known for u in self._links.get(candidate.url, ()))
            return 1 - 1 / (2 + more)
        return 1 / (2 + self._distance[candidate.url]) if candidate.url in self._distance else 0.0
