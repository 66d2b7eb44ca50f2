"""The part of the web graph that a crawl knows: fetched pages, and all that they link to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fcacrawler.values.pages import SeenPage

Floats = NDArray[np.float64]


class KnownGraph:
    """Nodes are URLs, numbered as they become known; links run from fetched pages."""

    def __init__(self) -> None:
        self.node: dict[str, int] = {}
        self.fetched: list[int] = []
        self._from: list[int] = []
        self._to: list[int] = []

    def add(self, page: SeenPage) -> tuple[int, list[int]]:
        """The page's node and those that it links to."""
        n = self._node(page.url)
        targets = [m for link in page.links if (m := self._node(link.url)) != n]
        self.fetched.append(n)
        self._from += [n] * len(targets)
        self._to += targets
        return n, targets

    def _node(self, url: str) -> int:
        return self.node.setdefault(url, len(self.node))

    def __len__(self) -> int:
        return len(self.node)

    def links(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """All links: from, to."""
        return np.array(self._from, dtype=np.intp), np.array(self._to, dtype=np.intp)


def sums(groups: NDArray[np.intp], values: Floats, size: int) -> Floats:
    """The sum of the values of each group 0 … size-1.

    >>> sums(np.array([0, 2, 2]), np.array([0.5, 1.0, 2.0]), 4)
    array([0.5, 0. , 3. , 0. ])
    """
    return np.bincount(groups, weights=values, minlength=size).astype(np.float64)
