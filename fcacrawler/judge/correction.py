"""What users' marks make of the judge's log odds, also of pages that nobody has marked.

Why so: decision 184.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
THOUGHT = 25.0  # marks that what is thought of all other pages is worth
PULL = np.array([0.3, 1.0, 0.3])  # towards no correction
STEPS, FAR = 12, 2.0  # of Newton's method, and how far one goes


def correction(x: Floats, odds: Floats, said: Floats, least: Floats) -> tuple[Floats, Floats]:
    """t, and the part that each mark has in it, a row a mark.

    With t, σ(odds + x·t) is nearest in log loss to what was ``said`` of the first rows, 1 or 0, and to σ(odds), which
    was thought, of the others: these weigh 25 rows altogether. t is pulled to 0, and is not below ``least``.

    So marks on pages that were judged right change little, and what they change of all other pages has its price: where
    the slope is 0, t is Σ weight·(said - p)·x / pull over all rows. A mark's part is its term; the others' terms, and
    what t is held above ``least``, are the price.

    >>> x = np.array([[1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]] * 50)
    >>> t, parts = correction(x, np.zeros(100), np.array([1.0, 0.0] * 10), np.full(3, -9.0))
    >>> t.round(1).tolist(), len(parts)
    ([0.9, 0.0, 0.0], 20)
    """
    y = np.append(said, _chance(odds[len(said) :]))
    weights = np.append(np.ones(len(said)), np.full(len(y) - len(said), THOUGHT / max(1, len(y) - len(said))))
    t = np.zeros(x.shape[1])
    for _ in range(STEPS):
        p = _chance(odds + x @ t)
        slope = x.T @ (weights * (p - y)) + PULL * t
        bend = (x * (weights * p * (1 - p))[:, None]).T @ x + np.diag(PULL)
        t = np.maximum(t - np.clip(np.linalg.solve(bend, slope), -FAR, FAR), least)
    left = said - _chance(odds + x @ t)[: len(said)]
    return t, np.asarray(left[:, None] * x[: len(said)] / PULL)


def _chance(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -30, 30))))
