"""What the default order learns while it crawls: what words have led to, and how sure a rank is.

All of it is a function of the pages observed, in order; histories are bounded.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fcacrawler.strategies.lexicon import SPACE

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class WordOutcomes:
    """What the words at a link have led to: ridge regression from sparse rows onto relevance.

    min Σ (y - mean y - row·c)² + pull·|c|², by conjugate gradients from the last answer. Rows are those of the first
    link to each of the last ``kept`` fetched pages.
    """

    STEPS = 8

    def __init__(self, kept: int, pull: float) -> None:
        self._kept = kept
        self._pull = pull
        self._ids: list[Ints] = []
        self._values: list[Floats] = []
        self._pages: list[int] = []
        self.weights: Floats = np.zeros(3 * SPACE)
        self.mean = 0.0
        self.version = 0

    def __len__(self) -> int:
        return len(self._pages)

    def add(self, page: int, ids: Ints, values: Floats) -> None:
        self._pages.append(page)
        self._ids.append(ids)
        self._values.append(values)
        if len(self._pages) > self._kept + self._kept // 4:
            cut = len(self._pages) - self._kept
            del self._pages[:cut], self._ids[:cut], self._values[:cut]

    def learn(self, relevance: Floats) -> None:
        """Fit to what is thought of the pages now."""
        if not self._pages:
            return
        y = relevance[self._pages]
        self.mean = float(y.mean())
        ids, column = np.unique(np.concatenate(self._ids), return_inverse=True)
        row = np.repeat(np.arange(len(y)), [len(i) for i in self._ids])
        values = np.concatenate(self._values)

        def forward(c: Floats) -> Floats:
            return np.asarray(np.bincount(row, values * c[column], len(y)), np.float64)

        def back(r: Floats) -> Floats:
            return np.asarray(np.bincount(column, values * r[row], len(ids)), np.float64)

        c = self.weights[ids]
        r = back(y - self.mean - forward(c)) - self._pull * c
        p, rr = r.copy(), float(r @ r)
        for _ in range(self.STEPS):
            if rr < 1e-12:
                break
            a = back(forward(p)) + self._pull * p
            step = rr / float(p @ a)
            c = c + step * p
            r = r - step * a
            before, rr = rr, float(r @ r)
            p = r + rr / before * p
        self.weights = np.zeros(3 * SPACE)
        self.weights[ids] = c
        self.version += 1


class Calibration:
    """p = σ(a·s + b): of the links at p, about so many turn out relevant. Fitted to the last picks, near a prior."""

    STEPS = 4

    def __init__(self, slope: float, middle: float, pull: float) -> None:
        self.prior = np.array([slope, -slope * middle])
        self.pull = pull
        self.at = self.prior.copy()

    def __call__(self, score: Floats) -> Floats:
        return np.asarray(1 / (1 + np.exp(-(self.at[0] * score + self.at[1]))))

    def learn(self, score: Floats, outcome: Floats) -> None:
        """A few Newton steps on the log loss, with a ridge around the prior; the slope stays positive."""
        x = np.stack([score, np.ones_like(score)], 1)
        at = self.at
        hold = self.pull * np.diag([1 / self.prior[0], 1.0])
        for _ in range(self.STEPS):
            p = 1 / (1 + np.exp(-(x @ at)))
            gradient = x.T @ (outcome - p) - hold @ (at - self.prior)
            at = at + np.linalg.solve((x.T * (p * (1 - p) + 1e-6)) @ x + hold, gradient)
            at[0] = max(at[0], 1.0)
        self.at = at
