"""Fetched pages and the links among them, kept once for the judge and for the order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fcacrawler.lowlevel.columns import Column
from fcacrawler.lowlevel.numbers import UNKNOWN, Numbers
from fcacrawler.values.pages import SeenPage


class Linked:
    """Each fetched page has a number, in order of arrival; a page and a link cost 20 to 30 and 8 bytes."""

    def __init__(self) -> None:
        self.number = Numbers()
        self._parents, self._children = Column(np.int32), Column(np.int32)  # a link from … to
        self.led: Sequence[tuple[int, int]] = ()  # positions of the last page's links to fetched pages, and those

    def add(self, page: SeenPage) -> list[int]:
        """A page has been fetched; the fetched pages that it is linked with, either way."""
        n = self.number.add(page.url)
        self.led = [(link.position, m) for link in page.links if (m := self.number.get(link.url)) not in (n, UNKNOWN)]
        out = [m for _, m in self.led]
        back = [m for e in page.evidence if (m := self.number.get(e.parent)) not in (n, UNKNOWN)]
        self._parents.extend([n] * len(out) + back)
        self._children.extend(out + [n] * len(back))
        return out + back

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
