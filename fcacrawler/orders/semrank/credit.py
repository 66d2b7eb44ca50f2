"""What pages are worth by what they led to: a list of courses is no course, but who looks for courses should read it.

Why so: decision 079.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fcacrawler.lowlevel.numbers import UNKNOWN

Floats = NDArray[np.float64]
GENERATIONS = 3
FURTHER = 0.5  # of what a page is worth counts a generation further
MOST = 0.75  # what a page can be worth by where it leads alone


def worth(relevance: Floats, finders: NDArray[np.int32]) -> Floats:
    """Of every page: rel + (1 - rel)·0.75·l / (l + 1) with l = Σ (rel² + l / 2) over the pages that were first found on
    it; ``finders`` are the numbers of the pages on which each was, UNKNOWN for a seed.

    l looks three generations ahead. Only the page on which another was *first* found is given credit for it: what links
    to relevant pages that are known already leads nowhere.

    >>> worth(np.array([0.0, 1.0, 1.0]), np.array([UNKNOWN, 0, 0], np.int32)).tolist()  # l of the first: 1 + 1
    [0.5, 1.0, 1.0]
    """
    found = finders != UNKNOWN
    leads = np.zeros(len(relevance))
    for _ in range(GENERATIONS):
        leads[:] = np.bincount(finders[found], (relevance**2 + FURTHER * leads)[found], len(relevance))
    return np.asarray(relevance + (1 - relevance) * MOST * leads / (leads + 1))
