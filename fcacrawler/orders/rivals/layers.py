"""How many links away from a relevant page the fetched pages are: the layers of a context graph."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from fcacrawler.orders import Given
from fcacrawler.orders.plain import PlainOrder
from fcacrawler.orders.rivals.rows import Row, WordRows
from fcacrawler.orders.schedule import Schedule
from fcacrawler.values.links import Candidate
from fcacrawler.values.pages import SeenPage

LAYERS = 3  # 0: relevant, 1: links to a relevant page, 2: to a page that does; LAYERS: none of these


class Layers:
    """Learned from the crawl itself, since no source of back-links is given: links among the pages it has fetched."""

    def __init__(self, given: Given) -> None:
        self._relevance_of = given.judge.relevance
        self._gamma = given.gamma
        self._node: dict[str, int] = {}
        self._waits: dict[str, list[int]] = {}  # URL not fetched yet → fetched pages that link to it
        self._from: list[int] = []
        self._to: list[int] = []

    def add(self, page: SeenPage) -> None:
        n = self._node.setdefault(page.url, len(self._node))
        for m in self._waits.pop(page.url, ()):
            self._link(m, n)
        for link in page.links:
            m = self._node.get(link.url, -1)
            if m >= 0:
                self._link(n, m)
            else:
                self._waits.setdefault(link.url, []).append(n)

    def _link(self, source: int, target: int) -> None:
        if source != target:
            self._from.append(source)
            self._to.append(target)

    def __len__(self) -> int:
        return len(self._node)

    def numbers(self, urls: Iterable[str]) -> list[int]:
        """Fetched pages are numbered in the order of their fetches."""
        return [self._node[url] for url in urls]

    def links(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        return np.array(self._from, dtype=np.intp), np.array(self._to, dtype=np.intp)

    def relevance(self) -> NDArray[np.float64]:
        """What is thought of the pages now, by number."""
        return np.array([self._relevance_of(url) or 0.0 for url in self._node])

    def layers(self) -> NDArray[np.intp]:
        """The layer of each page, by number."""
        source, target = self.links()
        layer = np.where(self.relevance() > self._gamma, 0, LAYERS)
        for k in range(1, LAYERS):
            near = np.zeros(len(layer), dtype=bool)
            near[source[layer[target] == k - 1]] = True
            layer[near & (layer > k)] = k
        return layer


class LayeredOrder(PlainOrder):
    """A link is worth what the best page is worth that it stands on, by the layers of what has been fetched."""

    def __init__(self, given: Given, every: int) -> None:
        """``every``: pages after which it is trained anew, later a twentieth more."""
        self.epoch = 0
        self._layers = Layers(given)
        self._rows = WordRows()
        self._schedule = Schedule(every)
        self._value: dict[str, float] = {}

    def learn(self, page: SeenPage, relevance: float) -> None:
        self._layers.add(page)
        row = self._rows.add(page.url, page.terms)
        if self._schedule.due(len(self._layers)):
            self._train()
            self._value.update((url, self._worth(row)) for url, row in self._rows.rows.items())
            self.epoch += 1
        self._value[page.url] = self._worth(row)

    @abstractmethod
    def _train(self) -> None:
        """From all pages so far."""

    @abstractmethod
    def _worth(self, row: Row) -> float:
        """Of a page with these words."""

    def score(self, candidate: Candidate) -> float:
        return max((self._value.get(e.parent, 0.0) for e in candidate.evidence), default=0.0)
