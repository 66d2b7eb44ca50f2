"""Fetched pages as numbers: how relevant each is, and where the fetched stand among the links of the fetched.

Only what a rank needs is kept, so a page costs 24 bytes, and the places of links only of the latest pages.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fcacrawler.judge.page_links import PageLinks
from fcacrawler.lowlevel.columns import Column, add_to, count
from fcacrawler.lowlevel.compiled import compiled
from fcacrawler.lowlevel.numbers import UNKNOWN
from fcacrawler.orders.semrank.credit import worth
from fcacrawler.orders.semrank.features import CLOSE
from fcacrawler.orders.semrank.known import Pages
from fcacrawler.orders.semrank.places import code
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.verdicts import Judged

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
SLOTS = 1 << 20  # the latest links whose targets are remembered: 4 MB, those of 10,000 to 20,000 pages


class PageTable:
    """Each of a fetched page's links has a slot, in order of the page."""

    def __init__(self, linked: PageLinks) -> None:
        self._linked = linked
        self.number = linked.number
        self._relevance = Column(np.float64)
        self._worth = Column(np.float64)
        self._finders = Column(np.int32)  # the page on which each was first found; UNKNOWN for a seed
        self._starts = Column(np.int64)  # a page's first slot, as far as it is remembered; one more for the end
        self._gone = 0  # pages all of whose slots are forgotten
        self._starts.extend([0])
        self._slots = np.zeros(SLOTS, np.int32)  # a ring: 1 + the fetched page that the link led to
        self._codes = np.full(SLOTS, UNKNOWN, np.int32)  # of where in the layout the links stand: see ``places``
        self._rates: Floats = np.zeros(0)
        self.base = 0.0  # mean relevance of what was fetched

    def __len__(self) -> int:
        return len(self._relevance.values)

    @property
    def relevance(self) -> Floats:
        return np.asarray(self._relevance.values)

    @property
    def worth(self) -> Floats:
        """Relevance, or where a page has led: relevance alone where it has come since the last ``refresh``."""
        return np.asarray(self._worth.values)

    def outcomes(self, copy: float) -> Floats:
        """Worth of pages by number, and behind it, from the end, so much of it for a copy of each: see ``copy_of``."""
        return np.concatenate([self.worth, copy * self.worth[::-1]])

    def copied(self, page: SeenPage, original: int) -> None:
        """A page has come that is a copy: links to it led to its original."""
        for e, parent in zip(page.evidence, self.number.those([e.parent for e in page.evidence]), strict=True):
            slot = self.slot(parent, e.position)
            if slot != UNKNOWN and not self._slots[slot % SLOTS]:
                self._slots[slot % SLOTS] = original + 1

    def add(self, page: SeenPage, judged: Judged) -> int:
        """A page that has come for the first time. Its child rate and its parents' are those of the last
        ``refresh``."""
        n, relevance = judged.number, judged.guess
        if n != len(self):
            raise ValueError(f"page {n} comes after {len(self)} others: the judge has seen other pages than the order")
        finder = judged.parents[0] if judged.parents else UNKNOWN
        start, size = self._starts.values[-1], 1 + max((link.position for link in page.links), default=-1)
        for column, value in ((self._relevance, relevance), (self._worth, relevance), (self._finders, finder)):
            column.extend([value])
        self._starts.extend([start + size])
        self.base += (relevance - self.base) / (n + 1)
        slots = np.arange(start, start + size) % SLOTS
        self._slots[slots] = 0
        self._codes[slots] = UNKNOWN
        self._codes[[(start + link.position) % SLOTS for link in page.links]] = [code(link.path) for link in page.links]
        self._forget()
        for position, m in judged.links:
            self._slots[(start + position) % SLOTS] = m + 1
        for e, parent in zip(page.evidence, judged.parents, strict=True):
            slot = self.slot(parent, e.position)
            if parent != n and slot != UNKNOWN and not self._slots[slot % SLOTS]:
                self._slots[slot % SLOTS] = n + 1
        return n

    def _forget(self) -> None:
        """Not before no link is remembered that is near one of theirs: see ``loc``."""
        quarter = len(self._starts.values) // 4
        if self._starts.values[quarter] + len(CLOSE) <= self._first:
            self._starts.set(self._starts.values[quarter:])
            self._gone += quarter

    def refresh(self, relevances: Floats) -> None:
        """All pages have been judged anew."""
        self._relevance.set(relevances)
        self._worth.set(worth(self.relevance, self._finders.values))
        self.base = float(self.relevance.mean())
        self._rates = child_rates(self.worth, self._linked.parents, self._linked.children)

    def slot(self, parent: int, position: int) -> int:
        """Where a link of a fetched page is; UNKNOWN if that page has none there, or is too long ago."""
        at = parent - self._gone
        if at < 0 or position < 0:
            return UNKNOWN
        slot = int(self._starts.values[at]) + position
        return slot if self._first <= slot < self._starts.values[at + 1] else UNKNOWN

    @property
    def _first(self) -> int:
        """The first slot that is remembered."""
        return int(self._starts.values[-1]) - SLOTS

    def slots(self, parents: Ints, positions: Ints) -> Ints:
        """``slot`` of many."""
        return _slots(self.pages, np.ascontiguousarray(parents), np.ascontiguousarray(positions))

    def codes(self, slots: Ints) -> Ints:
        """Of where in the layout these links stand."""
        return np.where(slots == UNKNOWN, UNKNOWN, self._codes[slots % SLOTS])

    @property
    def pages(self) -> Pages:
        return Pages(
            self._relevance.values,
            self._worth.values,
            self._rates,
            self.base,
            self._starts.values,
            self._gone,
            self._first,
            self._slots,
        )


def copy_of(n: int) -> int:
    """The number of a copy of the n-th page in ``outcomes``: counted from the end.

    >>> [0.9, 0.2, 0.1, 0.45][copy_of(0)]
    0.45
    """
    return -1 - n


@compiled
def _slots(pages: Pages, parents: Ints, positions: Ints) -> Ints:
    found = np.full(len(parents), UNKNOWN)
    for i in range(len(parents)):
        at = parents[i] - pages.gone
        if 0 <= at < len(pages.starts) - 1 and positions[i] >= 0:
            slot = pages.starts[at] + positions[i]
            if pages.oldest <= slot < pages.starts[at + 1]:
                found[i] = slot
    return found


def child_rates(worth: Floats, parents: NDArray[Any], children: NDArray[Any]) -> Floats:
    """(Σ worth of a page's fetched children + 2·mean worth) / (number of them + 2), for every page.

    >>> child_rates(np.array([0.6, 0.8, 0.1]), np.array([0, 0], np.int32), np.array([1, 2], np.int32))
    array([0.475, 0.5  , 0.5  ])
    """
    total, fetched = np.full(len(worth), 2 * worth.mean()), np.full(len(worth), 2.0)
    add_to(total, parents, children, worth)
    count(fetched, parents)
    return np.asarray(total / fetched)
