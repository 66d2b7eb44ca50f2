"""What groups of links have led to: folders of sites that pages stand in, tag paths that links stand at.

A group lies within another one: a folder in the folder around it, a page's list among the lists like it of its host.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fcacrawler.lowlevel.columns import Column
from fcacrawler.lowlevel.numbers import UNKNOWN
from fcacrawler.orders.semrank.known import Groups

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
LEVELS = 4  # groups around a page or a link, the widest first
ROOM = 1 << 16  # groups, by a hash of their names
LATEST = 20_000  # rows of pages of which what is thought may still change


class GroupTable:
    """Mean worth of a group's pages, drawn towards that of the group around it.

    rate(group) = (Σ worth of its pages + doubt·rate(the group around it)) / (their number + doubt); around the widest
    is the whole web with its base rate. Pages of the groups within a group are its pages too.
    """

    def __init__(self, doubt: float) -> None:
        self._doubt = doubt
        self._rows = Column(np.int32, LEVELS)  # the latest …
        self._pages = Column(np.int32)  # … and the pages that they are of
        self._settled: Floats = np.zeros(ROOM)  # Σ worth of those before them, as it was then
        self._total: Floats = np.zeros(ROOM)
        self._count: Floats = np.zeros(ROOM)

    def add(self, rows: Sequence[Sequence[int]] | NDArray[np.integer], page: int, worth: float) -> None:
        """A page has been fetched, and belongs to these groups; UNKNOWN where there are none."""
        self._rows.extend(rows)
        self._pages.extend([page] * len(rows))
        for row in rows:
            for group in row:
                if group != UNKNOWN:
                    self._total[group] += worth
                    self._count[group] += 1

    def refresh(self, worth: Floats) -> None:
        """Something else is thought of all pages."""
        rows, values = self._rows.values, worth[self._pages.values]
        spare = len(rows) - LATEST
        if spare > LATEST // 4:
            self._settled = self._settled + _totals(rows[:spare], values[:spare])
            self._rows.set(rows[spare:])
            self._pages.set(self._pages.values[spare:])
            rows, values = self._rows.values, values[spare:]
        self._total = self._settled + _totals(rows, values)

    @property
    def known(self) -> Groups:
        return Groups(self._total, self._count, self._doubt)


def _totals(rows: Ints, worth: Floats) -> Floats:
    """Σ worth by group."""
    there = rows != UNKNOWN
    weights = np.repeat(worth, LEVELS)[there.ravel()]
    return np.bincount(rows[there], weights, ROOM).astype(np.float64)
