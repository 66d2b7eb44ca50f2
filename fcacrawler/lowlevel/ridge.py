"""Ridge regression from sparse rows, by conjugate gradients."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fcacrawler.lowlevel.compiled import compiled
from fcacrawler.lowlevel.recent_rows import Rows

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


@compiled
def fit(
    rows: Rows,
    shares: Floats,
    y: Floats,
    ids: Ints,
    h: Floats,
    pull: float,
    steps: int,
    c: Floats,
    column: NDArray[np.int32],
) -> None:
    """Conjugate gradients from c to min Σ share·(y - row·c)² + pull·|c - h|². ``ids``: the words, c's columns;
    ``column``: room for as many as there are words at all."""
    for k in range(len(ids)):
        column[ids[k]] = k
    at = np.empty(len(rows.words), np.int32)
    for k in range(len(at)):
        at[k] = column[rows.words[k]]
    r = pull * (h - c)
    for i in range(len(y)):
        if not shares[i]:
            continue
        left = y[i]
        for k in range(rows.ends[i], rows.ends[i + 1]):
            left -= c[at[k]] * rows.weights[k]
        for k in range(rows.ends[i], rows.ends[i + 1]):
            r[at[k]] += shares[i] * left * rows.weights[k]
    p = r.copy()
    rr = (r * r).sum()
    for _ in range(steps):
        if rr < 1e-12:
            break
        a = pull * p
        for i in range(len(y)):
            if not shares[i]:
                continue
            through = 0.0
            for k in range(rows.ends[i], rows.ends[i + 1]):
                through += p[at[k]] * rows.weights[k]
            for k in range(rows.ends[i], rows.ends[i + 1]):
                a[at[k]] += shares[i] * through * rows.weights[k]
        step = rr / (p * a).sum()
        c += step * p
        r -= step * a
        before, rr = rr, (r * r).sum()
        p = r + rr / before * p
