"""What all that a page shows says of its relevance: learned from what was thought of other pages."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fcacrawler.judge.views import NAMES, ROOM, Features, by_view, row
from fcacrawler.lowlevel.columns import Column, distinct
from fcacrawler.lowlevel.numbers import UNKNOWN
from fcacrawler.lowlevel.recent_rows import RecentRows, Rows, dots
from fcacrawler.lowlevel.ridge import fit
from fcacrawler.page.text.short_texts import weighted
from fcacrawler.values.pages import SeenPage

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
KEPT = 1000  # latest pages that are learned from
PULL = 1.0  # of the ridge
STEPS = 8
FIRST = 20  # pages before anything is learned
GROWTH, SOON = 1.15, 1.1  # pages between two lessons, and if there are new marks
MARKED = 5.0  # weight of a page that a user has said something of
ENOUGH = 1.25  # marks between two lessons, whether there are new pages or not
TAUGHT = 400  # latest marks that are learned from
SLOPE, FIRM = 2.0, 2.0  # of a chance over the answers in units of their spread, before anything is learned; how firmly


class Marked(NamedTuple):
    """A page that a user has said something of."""

    ids: Ints
    values: Floats
    said: float  # 1 or 0
    apart: float  # the answer for it of a regression that its mark has not taught


class Learned:
    """l = a·z + b, the log odds of a page's relevance; z is the answer of a ridge regression on its views.

    Pages are of two halves, by a hash of their number. The answer for a page is that of the other half's regression
    (for a new page the mean of both), so that no page confirms itself. a and b make σ(l) nearest to what was taught.
    The latest 400 marked pages teach both halves, 1 or 0, with a weight of 5, and a and b nothing. A lesson is due when
    there are 15 % more pages, or new marks and 10 % more pages or a quarter more marks: what a page costs is bounded.
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
        self._marks: dict[int, Marked] = {}  # by number of the page
        self._due = self._soon = FIRST
        self._told = self._known = 0  # marks, and of them those that were there at the last lesson
        self.pages = 0  # that were learned from

    def add(self, page: SeenPage, text: Features) -> None:
        ids, values = row(page, text)
        answer, shares = self._answer(ids, values)
        self._rows.add(ids, values)
        self._answers.extend([answer])
        self._shares.extend(shares)

    def again(self, n: int, page: SeenPage) -> None:
        """The n-th page is another one now."""
        ids, values = row(page, weighted(page.terms))
        at = n - len(self._answers.values) + len(self._rows)
        if at >= 0:
            self._rows.put(at, ids, values)
        self._answers.values[n], self._shares.values[n] = self._answer(ids, values)
        if n in self._marks:
            self._marks[n] = self._marks[n]._replace(ids=ids, values=values)

    def mark(self, n: int, good: bool | None, page: SeenPage | None) -> None:
        """A user says this of the n-th page; None: nothing any more. Without the page it must be one of the latest."""
        at = n - len(self._answers.values) + len(self._rows)
        before = self._marks.pop(n, None)
        self._told += 1
        if good is None or (page is None and at < 0 and before is None):
            return
        apart = before.apart if before else float(self._answers.values[n])
        if page is not None or before is None:
            ids, values = row(page, weighted(page.terms)) if page is not None else self._rows.row(at)
        else:
            ids, values = before.ids, before.values
        self._marks[n] = Marked(ids, values, float(good), apart)
        if len(self._marks) > TAUGHT:
            del self._marks[next(iter(self._marks))]

    def _answer(self, ids: Ints, values: Floats) -> tuple[float, Floats]:
        """And what of it each view says."""
        worth = (self._worth[0][ids] + self._worth[1][ids]) / 2
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

    def marked(self) -> tuple[list[int], Floats, Floats]:
        """The pages that teach what was said of them, what that was, and z of them as if it had not been said."""
        marks = self._marks.values()
        return list(self._marks), np.array([m.said for m in marks]), np.array([m.apart for m in marks])

    def due(self) -> bool:
        """There are enough new pages or marks."""
        pages = len(self._answers.values)
        told = self._told > self._known and (pages >= self._soon or self._told > ENOUGH * self._known)
        return pages >= FIRST and (told or pages >= self._due)

    def learn(self, relevance: Floats) -> None:
        """From what is thought of all pages."""
        self._due, self._soon = int(GROWTH * len(relevance)) + 1, int(SOON * len(relevance)) + 1
        self._known = self._told
        here = np.arange(len(relevance) - len(self._rows), len(relevance))
        own = np.isin(here, list(self._marks), invert=True)
        rows = joined(self._rows.rows, self._marks.values())
        ids = distinct(rows.words)
        at, said, apart = self.marked()
        y, z = np.append(relevance[here], said), np.zeros(len(here))
        of_marks = _halves(np.array(at, np.int64))
        for half in range(2):
            theirs = _halves(here) ^ half
            self._means[half] = mean = float(y[: len(here)] @ theirs) / max(theirs.sum(), 1)
            if len(said):
                those = of_marks == half
                shares = np.append(theirs * own, MARKED * ~those)
                apart[those] = self._half(half, rows, ids, shares, y - mean)[len(here) :][those] + mean
            shares = np.append(theirs * own, np.full(len(said), MARKED))
            answers = self._half(half, rows, ids, shares, y - mean)[: len(here)]
            z[theirs == 0] = answers[theirs == 0] + mean
        self._marks = {n: self._marks[n]._replace(apart=said) for n, said in zip(at, apart.tolist(), strict=True)}
        self._answers.values[here], self._shares.values[here] = z, self._by_view(_halves(here))
        self._middle, self._spread = float(z.mean()), max(float(z.std()), 1e-6)
        self._line = line(z[own], relevance[here][own])
        self.pages = len(here)

    def _by_view(self, halves: NDArray[np.int64]) -> Floats:
        """What each of the latest pages is told by its regression, the one that it has not taught."""
        rows = self._rows.rows
        owners = np.repeat(np.arange(len(self._rows)), np.diff(rows.ends))
        return by_view(rows.words, self._worth[halves[owners], rows.words] * rows.weights, owners, len(self._rows))

    def _half(self, half: int, rows: Rows, ids: Ints, shares: Floats, y: Floats) -> Floats:
        worth = self._worth[half]
        c = worth[ids]  # near the last answer
        fit(rows, shares, y, ids, np.zeros(len(ids)), PULL, STEPS, c, self._column)
        worth[self._ids[half]] = 0.0
        worth[ids] = c
        self._ids = (ids, self._ids[1]) if half == 0 else (self._ids[0], ids)
        return dots(rows, worth)


def joined(rows: Rows, marks: Collection[Marked]) -> Rows:
    """The rows with those of marked pages behind them."""
    if not marks:
        return rows
    ends = rows.ends[-1] + np.cumsum([len(m.ids) for m in marks])
    ends, words = np.append(rows.ends, ends.astype(np.int32)), np.concatenate([rows.words, *(m.ids for m in marks)])
    return Rows(ends, words, np.concatenate([rows.weights, *(m.values for m in marks)]))


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
