"""How good the judge was: what it thought of the pages that a crawl fetched, against the labels.

A page is flagged if its semrank is above γ. Where there is nothing to measure (no page labelled, or all of them) the
value is None: then no judge can be told from another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fcacrawler.evaluation.comparison import Done
from fcacrawler.evaluation.measures import f_measure
from fcacrawler.evaluation.standings import mean

BINS = 10  # of equal width, of the calibration's error
MEASURES = ("precision", "recall", "f1", "average_precision", "roc", "ece")
MOMENTS = ("end", "came")  # judged when the crawl was over, and when each page came

Floats = NDArray[np.float64]
Values = dict[str, float | None]
Row = dict[str, str | int | float | None]


def flagged(ranks: Floats, about: Floats, gamma: float) -> tuple[float, float, float]:
    """Precision, recall and F of the pages above γ.

    >>> flagged(np.array([0.9, 0.8, 0.1, 0.1]), np.array([1.0, 0.0, 1.0, 0.0]), 0.45)
    (0.5, 0.5, 0.5)
    """
    above = ranks > gamma
    right = float(about[above].sum())
    precision = right / above.sum() if above.any() else 0.0
    recall = right / about.sum() if about.any() else 0.0
    return float(precision), float(recall), f_measure(float(precision), float(recall))


def average_precision(ranks: Floats, about: Floats) -> float:
    """Σ precision·(recall - recall before), going down the ranks; pages of one rank come together.

    >>> average_precision(np.array([0.9, 0.8, 0.7]), np.array([1.0, 0.0, 1.0]))
    0.8333333333333333
    """
    order = np.argsort(-ranks, kind="stable")
    last = np.append(np.diff(ranks[order]) != 0, True)
    found = np.cumsum(about[order])[last]
    steps = np.diff(found, prepend=0.0)
    return float((steps * found / (np.flatnonzero(last) + 1)).sum() / about.sum())


def roc(ranks: Floats, about: Floats) -> float:
    """The chance that a relevant page has a higher rank than another one; a half where they are equal.

    >>> roc(np.array([0.9, 0.5, 0.5]), np.array([1.0, 1.0, 0.0]))
    0.75
    """
    right, wrong = np.sort(ranks[about > 0]), np.sort(ranks[about == 0])
    below = np.searchsorted(wrong, right, "left") + np.searchsorted(wrong, right, "right")
    return float(below.sum() / (2 * len(right) * len(wrong)))


def ece(ranks: Floats, about: Floats) -> float:
    """Expected calibration error: Σ over bins of the share of the pages in it · |mean rank - share of relevant ones|.

    >>> ece(np.array([0.75, 0.75]), np.array([1.0, 0.0]))
    0.25
    """
    bins = np.minimum((ranks * BINS).astype(int), BINS - 1)
    off = np.bincount(bins, ranks - about, BINS)
    return float(np.abs(off).sum() / len(ranks))


def measured(ranks: Sequence[float], about: Sequence[bool], gamma: float) -> Values:
    """All measures by name."""
    values, truth = np.asarray(ranks, float), np.asarray(about, float)
    if not 0 < truth.sum() < len(truth):
        return dict.fromkeys(MEASURES)
    both = average_precision(values, truth), roc(values, truth), ece(values, truth)
    return dict(zip(MEASURES, (*flagged(values, truth, gamma), *both), strict=True))


def judgements(results: Sequence[Done]) -> list[Row]:
    """A row a crawl and moment."""
    rows: list[Row] = []
    for done in results:
        run, judged = done.run, done.trace.judged
        about = [j.about for j in judged]
        for moment in MOMENTS:
            values = measured([j.end if moment == "end" else j.came for j in judged], about, run.gamma)
            rows.append(
                {
                    "topic": run.start.topic,
                    "seeds": run.start.kind,
                    "seed_set": run.start.seed_set,
                    "order": run.order,
                    "marks": run.marks,
                    "marking": run.marking,
                    "label": run.label,
                    "gamma": run.gamma,
                    "judged": moment,
                    "pages": len(judged),
                    "relevant": sum(about),
                    **{name: None if value is None else round(value, 6) for name, value in values.items()},
                }
            )
    return rows


class Line(NamedTuple):
    """A line of a table."""

    of: str  # a topic, or an order
    judged: str  # one of MOMENTS
    means: Values


def labels_of(rows: Sequence[Row]) -> list[str]:
    """The orders, each with as many marks as it was given."""
    return list(dict.fromkeys(str(r["label"]) for r in rows))


def tabled(rows: Sequence[Row], label: str) -> list[Line]:
    """Topic, moment and measures of one order: means over its sets of seeds, and over topics ("all") at the end."""
    own = [r for r in rows if r["label"] == label]
    topics = list(dict.fromkeys(str(r["topic"]) for r in own))
    table = []
    for topic in topics:
        for moment in MOMENTS:
            those = [r for r in own if r["topic"] == topic and r["judged"] == moment]
            table.append(Line(topic, moment, {name: _mean(those, name) for name in MEASURES}))
    for moment in MOMENTS:
        means = [values for _, at, values in table if at == moment]
        table.append(
            Line("all", moment, {name: mean(v for m in means if (v := m[name]) is not None) for name in MEASURES})
        )
    return table


def summed_up(rows: Sequence[Row]) -> list[Line]:
    """Label, moment and means over topics, at the end: of orders, and of how many marks make of one."""
    return [Line(label, "end", tabled(rows, label)[-len(MOMENTS)].means) for label in labels_of(rows)]


def _mean(rows: Sequence[Row], name: str) -> float | None:
    return mean(float(value) for r in rows if isinstance(value := r[name], int | float))
