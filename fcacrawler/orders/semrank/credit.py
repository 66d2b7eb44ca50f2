"""What pages have led to: a list of courses is no course, but who looks for courses should read it.

Why so: decision 079.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fcacrawler.lowlevel.columns import Column
from fcacrawler.lowlevel.numbers import UNKNOWN

Floats = NDArray[np.float64]
GENERATIONS = 3
FURTHER = 0.5  # of what a page is worth counts a generation further
MOST = 0.75  # what a page can be worth by where it leads alone


class Credit:
    """worth = rel + (1 - rel)·0.75·l / (l + 1) with l = Σ (rel² + l / 2) over the pages that were first found on it.

    l looks three generations ahead. Only the page on which another was *first* found is given credit for it: what links
    to relevant pages that are known already leads nowhere.
    """

    def __init__(self) -> None:
        self._finders = Column(np.int32)
        self._worth = Column(np.float64)

    @property
    def worth(self) -> Floats:
        """Of every page, by number: relevance alone where it has come since the last refresh."""
        return np.asarray(self._worth.values)

    def add(self, finder: int, relevance: float) -> None:
        """A page has been fetched that was first found on the page numbered so; UNKNOWN for a seed."""
        self._finders.extend([finder])
        self._worth.extend([relevance])

    def refresh(self, relevance: Floats) -> None:
        found = self._finders.values != UNKNOWN
        finders = self._finders.values[found]
        leads = np.zeros(len(relevance))
        for _ in range(GENERATIONS):
            leads[:] = np.bincount(finders, (relevance**2 + FURTHER * leads)[found], len(relevance))
        self._worth.set(relevance + (1 - relevance) * MOST * leads / (leads + 1))
