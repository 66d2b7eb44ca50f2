"""What the default order learns while it crawls: what words have led to, and how sure a rank is.

All of it is a function of the pages observed, in order; histories are bounded.

Why so: decision 127.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fcacrawler.lowlevel.columns import distinct
from fcacrawler.lowlevel.numbers import UNKNOWN
from fcacrawler.lowlevel.recent_rows import RecentRows, dots
from fcacrawler.lowlevel.ridge import fit
from fcacrawler.orders.semrank.known import Worth
from fcacrawler.page.text.short_texts import SPACE

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
FARTHEST = 700.0  # log odds, below which a chance is none that a number can hold
TINY = 1e-4  # variance of a feature that does not vary
SPREAD = 0.02  # of what a hint makes of links, at least: one that hardly speaks of them is not blown up


class WordOutcomes:
    """What the words at a link have led to: ridge regression from sparse rows onto relevance.

    min Σ (y - mean y - row·c)² + pull·|c - h|², by conjugate gradients from near the last answer. Rows are those of the
    first link to each of the last ``kept`` fetched pages. h is a hint, the same for a word in an anchor, a URL and a
    context, scaled so that sd(row·h) = trust·sd(y), where sd(row·hint) counts as 0.02 at least: of that strength it is
    believed of words that have stood at no link yet.
    """

    STEPS = 8

    def __init__(self, kept: int, pull: float, trust: float) -> None:
        self._pull = pull
        self._trust = trust
        self._links = RecentRows(kept)
        self._pages: list[int] = []
        self._hint, self._scale = np.zeros(SPACE), 0.0
        self._apart: Floats = np.zeros(3 * SPACE)  # c - h
        self._column = np.full(3 * SPACE, UNKNOWN, np.int32)  # room
        self._ids: Ints = np.zeros(0, np.int32)  # that have stood at a link
        self.mean = 0.0
        self.version = 0

    def __len__(self) -> int:
        return len(self._pages)

    @property
    def worth(self) -> Worth:
        return Worth(self._apart, self._hint, self._scale)

    def add(self, page: int, ids: NDArray[np.integer], values: Floats) -> None:
        self._pages.append(page)
        del self._pages[: self._links.add(ids, values)]

    def learn(self, relevance: Floats, hint: Floats) -> None:
        """Fit to what is thought of the pages now; ``hint`` is by number of word."""
        if not self._pages:
            return
        y, rows = relevance[self._pages], self._links.rows
        self.mean = float(y.mean())
        ids = distinct(rows.words)
        hinted = hint[ids % SPACE]
        c = self._apart[ids] + self._scale * hinted  # near the last answer
        spread = float(dots(rows._replace(words=rows.words % SPACE), hint).std())
        self._hint[:], self._scale = hint, float(self._trust * y.std()) / max(spread, SPREAD)
        h = self._scale * hinted
        fit(rows, np.ones(len(y)), y - self.mean, ids, h, self._pull, self.STEPS, c, self._column)
        self._apart[self._ids] = 0.0
        self._ids, self._apart[ids] = ids, c - h
        self.version += 1


class Calibration:
    """p = σ(a·s + b + Σ d_i·(x_i - mean x_i)): of the links at p, about so many turn out relevant.

    s is a score, x the features that it is made of. Fitted to the last picks by logistic regression. A ridge holds a
    and b near a prior, and each d_i near 0, as hard as ``firm`` picks do in which that feature varies as it has so far:
    the score's own weights count until the crawl has shown that others are right.
    """

    STEPS = 5

    def __init__(self, slope: float, middle: float, doubt: float, firm: float) -> None:
        self.prior = np.array([slope, -slope * middle])
        self._doubt = doubt
        self._firm = firm
        self.at = self.prior.copy()  # a, b
        self._rest = float(self.at[1])  # b - Σ d_i·mean x_i
        self.learned: Floats = np.zeros(1)  # d; one for all features before there are picks

    def __call__(self, score: Floats, rows: Floats) -> Floats:
        odds = self.at[0] * score + (rows * self.learned).sum(1) + self._rest
        return np.asarray(1 / (1 + np.exp(-np.maximum(odds, -FARTHEST))))

    def widen(self) -> None:
        """A feature more, the last; nothing is known of it yet."""
        if len(self.learned) > 1:
            self.learned = np.append(self.learned, 0.0)

    def parts(self, row: Floats) -> dict[str, float]:
        """p = σ(slope·s + learned)."""
        return {"slope": float(self.at[0]), "learned": float((row * self.learned).sum() + self._rest)}

    def learn(self, score: Floats, rows: Floats, outcome: Floats) -> None:
        """A few Newton steps on the log loss; the slope stays positive."""
        mean = rows.mean(0)
        x = np.column_stack([score, np.ones_like(score), rows - mean])
        prior = np.concatenate([self.prior, np.zeros(rows.shape[1])])
        at = np.concatenate([self.at, np.broadcast_to(self.learned, rows.shape[1:])])
        hold = np.diag([self._doubt / self.prior[0], self._doubt, *self._firm * (rows.var(0) + TINY)])
        for _ in range(self.STEPS):
            p = 1 / (1 + np.exp(-np.clip(x @ at, -30, 30)))
            gradient = x.T @ (outcome - p) - hold @ (at - prior)
            at = at + np.linalg.solve((x.T * (p * (1 - p) + 1e-6)) @ x + hold, gradient)
            at[0] = max(at[0], 1.0)
        self.at, self.learned = at[:2], at[2:]
        self._rest = float(self.at[1] - mean @ self.learned)
