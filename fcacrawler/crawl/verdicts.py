"""What is thought now of the pages that a crawl has visited, what was when they came, and when that has changed.

A fold over the pages observed: a crawl that goes on knows it again.

Why so: decision 196.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fcacrawler.crawl.completeness import Completeness, completeness
from fcacrawler.lowlevel.columns import Column
from fcacrawler.values.verdicts import Judged

OFTEN, GROWTH = 5, 1.02  # pages, or times as many, between two looks at all of them


@dataclass(frozen=True, slots=True)
class Thought:
    """What is thought of all pages at one moment: a place a page, in the order in which they first came."""

    keys: NDArray[np.uint64]  # see ``short``
    ranks: NDArray[np.float64]
    relevant: NDArray[np.bool_]
    came: NDArray[np.float64]  # the rank that each had when it came
    changed: NDArray[np.int32]  # how many pages were known when it became relevant or ceased to be; 0: it never did

    @property
    def finds(self) -> int:
        """How many pages are relevant, each content once."""
        return int(self.relevant.sum())


class Verdicts:
    """Some 21 bytes a page. All pages are looked at whenever there are 5 (later 2 %) more of them."""

    def __init__(self) -> None:
        self._keys = Column(np.uint64)
        self._came = Column(np.float64)
        self._relevant = Column(np.bool_)  # when they were last looked at
        self._changed = Column(np.int32)
        self._due = 0
        self.completeness: Completeness | None = None  # when they were last looked at; None: it cannot be told
        self._own = False  # the order has an opinion of its own, which it does not change

    def judged(self, key: bytes, judged: Judged) -> None:
        """The judge knows a page, for the first time or again; ``key`` is its URL's."""
        if judged.number == len(self._keys.values):
            self._keys.extend([short(key)])
            for column in (self._came, self._relevant, self._changed):
                column.extend([0])

    def add(self, judged: Judged, rank: float, relevant: bool) -> None:
        """The page has come, with this rank."""
        n = judged.number
        self._came.values[n], self._relevant.values[n], self._changed.values[n] = rank, relevant, 0
        self._own |= rank != judged.relevance

    @property
    def due(self) -> bool:
        return len(self._keys.values) >= self._due

    def look(self, relevances: NDArray[np.float64], gamma: float) -> None:
        """See which have become relevant, and which have ceased to be."""
        now = self.now(relevances, gamma)
        self._relevant.set(now.relevant)
        self._changed.set(now.changed)
        self.completeness = completeness(now.relevant)
        self._due = max(len(now.keys) + OFTEN, int(GROWTH * len(now.keys)))

    def now(self, relevances: NDArray[np.float64], gamma: float) -> Thought:
        """``relevances``: what the judge thinks of all pages."""
        ranks = np.array(self._came.values if self._own else relevances)
        relevant = ranks > gamma
        changed = np.where(relevant == self._relevant.values, self._changed.values, len(ranks))
        return Thought(np.array(self._keys.values), ranks, relevant, np.array(self._came.values), changed)


def short(key: bytes) -> int:
    """The last eight bytes of a URL's key: enough to tell the pages of one crawl apart. (The first are its host's.)

    >>> short(bytes(range(16))) == 0x0F0E0D0C0B0A0908
    True
    """
    return int.from_bytes(key[-8:], "little")
