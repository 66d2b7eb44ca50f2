"""How much of what there is to find has been found: an estimate with an interval, from how the finds have thinned out.

Why so: decision 197.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LATELY = (4, 8)  # the latest pages are a quarter of all, and an eighth …
FEWEST = 10  # … and so many at least
FINDS = 20  # before, nothing can be told
FALLEN = 0.75  # of the rate over all pages: while the latest is above, nothing can be told
BELOW, ABOVE = 1.75, 3.0  # log odds that the truth lies below or above it in some three of four crawls


@dataclass(frozen=True, slots=True)
class Completeness:
    """The share of all relevant pages that is found, and an interval that holds it in some three of four crawls."""

    share: float
    low: float
    high: float


def completeness(relevant: NDArray[np.bool_]) -> Completeness | None:
    """share = 1 / (1 + √(λ / h)), with h the finds a page so far and λ those of the latest pages: of the last quarter
    or the last eighth, whichever is more. Source: none; measured beside other curves (decision 197).

    ``relevant``: of the pages, in order of arrival, as is thought now. None before the twentieth find, and as long as
    finds have not thinned out: λ > ¾·h.

    >>> completeness(np.arange(160) < 40)  # forty finds, then none: h = 40 / 160, λ = ½ / 21
    Completeness(share=0.7642, low=0.3602, high=0.9849)
    >>> completeness(np.arange(160) % 4 == 0)
    """
    pages, finds = len(relevant), int(relevant.sum())
    if finds < FINDS:
        return None
    slower = max(_rate(relevant[-max(FEWEST, pages // part) :]) for part in LATELY) * pages / finds
    if slower > FALLEN:
        return None
    odds = -0.5 * math.log(slower)
    share, low, high = (round(1 / (1 + math.exp(-x)), 4) for x in (odds, odds - BELOW, odds + ABOVE))
    return Completeness(share, low, high)


def _rate(relevant: NDArray[np.bool_]) -> float:
    """Never 0: half a find more, a page more."""
    return (float(relevant.sum()) + 0.5) / (len(relevant) + 1)
