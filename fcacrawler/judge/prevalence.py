"""How many pages may be relevant at all: the log odds that come off where it would be too many.

Why so: decision 415.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
MOST = 20.0  # log odds
HALVINGS = 30  # of that, until it is found


def excess(chances: Floats, most: float) -> float:
    """δ for which Σ σ(logit(chance) - δ) is ``most``; 0 if it is less as they are, 20 if it is more in any case.

    >>> chances = np.array([0.5, 0.5])
    >>> excess(chances, 1.0), round(excess(chances, 0.5), 6)  # 1/4 is 1/3 to 1, which is log 3 below 1 to 1
    (0.0, 1.098612)
    """
    if chances.sum() <= most:
        return 0.0
    low, high = 0.0, MOST
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if lowered(chances, middle).sum() > most else (low, middle)
    return high


def lowered(chances: Floats, by: float) -> Floats:
    """With log odds that are lower by so much."""
    less = chances * np.exp(-by)
    return np.asarray(less / (1 - chances + less))
