"""The links among fetched pages, kept once for the judge and for the order.

Why so: decision 144.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fcacrawler.lowlevel.columns import Column
from fcacrawler.lowlevel.numbers import UNKNOWN, Numbers
from fcacrawler.values.pages import SeenPage


class Placed(NamedTuple):
    """A page among those fetched before it, by their numbers."""

    number: int
    neighbours: list[int]  # linked with it, either way
    links: list[tuple[int, int]]  # positions of its links to them, and their numbers
    parents: list[int]  # on which the links stand that it was found by; UNKNOWN for one that has not been fetched
    again: bool = False  # it has been fetched before: then nothing else is told


class PageLinks:
    """Each fetched page has a number, in order of arrival; a page and a link cost 20 to 30 and 8 bytes."""

    def __init__(self) -> None:
        self.number = Numbers()
        self._parents, self._children = Column(np.int32), Column(np.int32)  # a link from … to

    def add(self, page: SeenPage) -> Placed:
        """A page has been fetched."""
        to, by = [link.url for link in page.links], [e.parent for e in page.evidence]
        before, n = len(self.number), self.number.add(page.url)
        if n < before:
            return Placed(n, [], [], [], again=True)
        there, parents = self.number.those(to), self.number.those(by)
        links = [(link.position, m) for link, m in zip(page.links, there, strict=True) if m not in (n, UNKNOWN)]
        out, back = [m for _, m in links], [m for m in parents if m not in (n, UNKNOWN)]
        self._parents.extend([n] * len(out) + back)
        self._children.extend(out + [n] * len(back))
        return Placed(n, out + back, links, parents)

    @property
    def parents(self) -> NDArray[Any]:
        """The pages on which the links stand."""
        return self._parents.values

    @property
    def children(self) -> NDArray[Any]:
        """The pages that the links lead to, in the same order."""
        return self._children.values

    def neighbours(self, n: int) -> list[int]:
        """The pages linked with the n-th one."""
        a, b = self.parents, self.children
        return [*b[a == n].tolist(), *a[b == n].tolist()]
