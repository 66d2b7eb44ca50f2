"""How many links away from a relevant page the fetched pages are: the layers of a context graph."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from fcacrawler.orders import Given
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
