"""What all that a page shows says of its relevance: learned from what was thought of other pages."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fcacrawler.judge.views import NAMES, ROOM, by_view, row
from fcacrawler.lowlevel.columns import Column, distinct
from fcacrawler.lowlevel.numbers import UNKNOWN
from fcacrawler.lowlevel.recent_rows import RecentRows, Rows, dots
from fcacrawler.lowlevel.ridge import fit
from fcacrawler.values.pages import SeenPage

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
KEPT = 1000  # latest pages that are learned from
PULL = 1.0  # of the ridge
STEPS = 8
FIRST = 20  # pages before anything is learned
GROWTH = 1.15  # pages between two lessons
MARKED = 5.0  # weight of a page that a user has said something of
SLOPE, FIRM = 2.0, 2.0  # of a chance over the answers in units of their spread, before anything is learned; how firmly


class Learned:
    """l = a·z + b, the log odds of a page's relevance; z is the answer of a ridge regression on its views.

    Pages are of two halves, by a hash of their number. The answer for a page is that of the other half's regression
    (for a new page the mean of both), so that no page confirms itself. a and b make σ(l) nearest to what was taught.
    Marked pages teach both halves, 1 or 0, with a weight of 5, and a and b nothing; ``apart`` are the answers for them
    of a regression that was taught by the marks of the other half only.
    """

    def __init__(self) -> None:
        self._rows = RecentRows(KEPT)
        self._answers = Column(np.float64)  # z, of all pages
        self._shares = Column(np.float32, len(NAMES))  # of z, by view
        self._worth = np.zeros((2, ROOM))  # of features, by half
        self._ids: tuple[Ints, ...] = (np.zeros(0, np.int32),) * 2
        self._column = np.full(ROOM, UNKNOWN, np.int32)  # room
        self._means = np.zeros(2)
        self._middle, self._spread = 0.0, 1.0  # of z
        self._line = np.array([0.0, 0.0])  # a, b
        self._marks: dict[int, tuple[Ints, Floats, float]] = {}  # by number of the page: its row, and 1 or 0
        self.apart = np.zeros(0)
        self._due = FIRST
        self.pages = 0  # that were learned from

    def add(self, page: SeenPage) -> None:
        ids, values = row(page)
        answer, shares = self._answer(ids, values)
        self._rows.add(ids, values)
        self._answers.extend([answer])
        self._shares.extend(shares)

    def again(self, n: int, page: SeenPage) -> None:
        """The n-th page is another one now."""
        ids, values = row(page)
        at = n - len(self._answers.values) + len(self._rows)
        if at >= 0:
            self._rows.put(at, ids, values)
        self._answers.values[n], self._shares.values[n] = self._answer(ids, values)
        if n in self._marks:
            self._marks[n] = ids, values, self._marks[n][2]

    def mark(self, n: int, good: bool | None, page: SeenPage | None) -> None:
        """A user says this of the n-th page; None: nothing any more. Without the page it must be one of the latest."""
        at = n - len(self._answers.values) + len(self._rows)
        if good is None:
            self._marks.pop(n, None)
        elif page is not None:
            self._marks[n] = *row(page), float(good)
        elif at >= 0:
            self._marks[n] = *self._rows.row(at), float(good)

    def _answer(self, ids: Ints, values: Floats) -> tuple[float, Floats]:
        """And what of it each view says."""
        worth = self._worth[:, ids].mean(0)
        return float(worth @ values + self._means.mean()), by_view(ids, worth * values)

    def shares(self, those: slice) -> Floats:
        """What of l each view says, in the order of ``NAMES``, and last what holds for all pages; a row a page."""
        said = self._line[0] * self._shares.values[those].astype(np.float64)
        rest = self.odds(self._answers.values[those]) - said.sum(1)
        return np.column_stack([said, rest])

    def odds(self, answers: Floats) -> Floats:
        """l of pages with these answers."""
        return np.asarray(self._line[0] * answers + self._line[1])

    def scaled(self, answers: Floats) -> Floats:
        """In units of their spread."""
        return np.asarray((answers - self._middle) / self._spread)

    def answers(self, those: slice | Ints) -> Floats:
        """z of pages."""
        return np.asarray(self._answers.values[those])

    def marked(self) -> tuple[list[int], Floats]:
        """The pages that teach what was said of them, and what that was."""
        return list(self._marks), np.array([said for _, _, said in self._marks.values()])

    def learn(self, relevance: Floats, anew: bool = False) -> bool:
        """From what is thought of all pages, if there are enough new ones, or if it is to begin ``anew``; whether
        there were."""
        if len(relevance) < (FIRST if anew else self._due):
            return False
        self._due = int(GROWTH * len(relevance)) + 1
        here = np.arange(len(relevance) - len(self._rows), len(relevance))
        own = np.isin(here, list(self._marks), invert=True)
        rows, said = joined(self._rows.rows, list(self._marks.values()))
        y, z, self.apart = np.append(relevance[here], said), np.zeros(len(here)), np.zeros(len(said))
        shares_of = np.zeros((len(here), len(NAMES)))
        of_marks = _halves(np.array(list(self._marks), np.int64))
        for half in range(2):
            theirs = _halves(here) ^ half
            self._means[half] = mean = float(y[: len(here)] @ theirs) / max(theirs.sum(), 1)
            if len(said):
                those = of_marks == half
                shares = np.append(theirs * own, MARKED * ~those)
                self.apart[those] = self._half(half, rows, shares, y - mean)[len(here) :][those] + mean
            shares = np.append(theirs * own, np.full(len(said), MARKED))
            answers = self._half(half, rows, shares, y - mean)[: len(here)]
            z[theirs == 0] = answers[theirs == 0] + mean
            shares_of[theirs == 0] = self._by_view(half)[theirs == 0]
        self._answers.values[here], self._shares.values[here] = z, shares_of
        self._middle, self._spread = float(z.mean()), max(float(z.std()), 1e-6)
        self._line = line(z[own], relevance[here][own])
        self.pages = len(here)
        return True

    def _by_view(self, half: int) -> Floats:
        """What a half's regression says of the latest pages."""
        rows = self._rows.rows
        owners = np.repeat(np.arange(len(self._rows)), np.diff(rows.ends))
        return by_view(rows.words, self._worth[half][rows.words] * rows.weights, owners, len(self._rows))

    def _half(self, half: int, rows: Rows, shares: Floats, y: Floats) -> Floats:
        worth = self._worth[half]
        ids = distinct(rows.words)
        c = worth[ids]  # near the last answer
        fit(rows, shares, y, ids, np.zeros(len(ids)), PULL, STEPS, c, self._column)
        worth[self._ids[half]] = 0.0
        worth[ids] = c
        self._ids = (ids, self._ids[1]) if half == 0 else (self._ids[0], ids)
        return dots(rows, worth)


def joined(rows: Rows, more: Sequence[tuple[Ints, Floats, float]]) -> tuple[Rows, Floats]:
    """The rows with those of marked pages behind them, and what was said of these."""
    if not more:
        return rows, np.zeros(0)
    ids, values, said = zip(*more, strict=True)
    ends = rows.ends[-1] + np.cumsum([len(i) for i in ids])
    ends, words = np.append(rows.ends, ends.astype(np.int32)), np.concatenate([rows.words, *ids])
    return Rows(ends, words, np.concatenate([rows.weights, *values])), np.array(said)


def _halves(pages: NDArray[np.int64]) -> NDArray[np.int64]:
    """0 or 1 by number, without a rhythm that pages may have too."""
    return (pages * 2654435761 >> 16) & 1


def line(z: Floats, y: Floats, steps: int = 10) -> Floats:
    """a and b for which σ(a·z + b) is nearest to y in log loss; a is held near 2 by the spread of z.

    >>> line(np.array([-1.0, 1.0] * 500), np.array([0.1, 0.9] * 500)).round(1).tolist()
    [2.2, 0.0]
    """
    middle, spread = float(z.mean()), max(float(z.std()), 1e-9)
    x = np.stack([(z - middle) / spread, np.ones(len(z))], 1)
    share = min(max(float(y.mean()), 1e-3), 1 - 1e-3)
    t = np.array([SLOPE, np.log(share / (1 - share))])
    for _ in range(steps):
        p = 1 / (1 + np.exp(-np.clip(x @ t, -30, 30)))
        slope = x.T @ (p - y) + np.array([FIRM * (t[0] - SLOPE), 0.0])
        bend = (x * (p * (1 - p))[:, None]).T @ x + np.diag([FIRM, 1e-6])
        t = t - np.clip(np.linalg.solve(bend, slope), -1, 1)
    return np.array([t[0] / spread, t[1] - t[0] * middle / spread])
