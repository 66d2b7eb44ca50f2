"""The papers' figures as numbers: which points each order's curve has. *Du & Hai 2013, Fig. 5-9*."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, median_low

from fcacrawler.evaluation.comparison import Done
from fcacrawler.evaluation.measures import SPAN, f_measure, fetches_to, found_at, seconds_to
from fcacrawler.evaluation.trace import Trace

STEPS = 50
RECALLS = tuple(k / STEPS for k in range(1, STEPS + 1))
PAGE, AT_ONCE = 0.1, 8  # the simulated network: seconds a page takes, pages under way together

Point = tuple[float, float]
Value = Callable[[Trace, float], float | None]  # of a crawl at a place on the x axis; None: beyond its budget
Middle = Callable[[Sequence[float]], float]


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: a curve an order."""

    name: str
    title: str
    x: str
    y: str
    curves: dict[str, tuple[Point, ...]]
    unit: bool = True  # y lies in [0, 1]


def harvest_at(trace: Trace, multiple: float) -> float | None:
    """Harvest rate after a multiple of R fetches."""
    n = max(1, round(multiple * trace.relevant))
    return found_at(trace, n) / min(n, len(trace.hits)) if trace.hits and n <= trace.budget else None


def precision_at(trace: Trace, recall: float) -> float:
    """Precision when that recall is reached; 0 if it never is."""
    n = fetches_to(trace, recall)
    return 0.0 if n is None else found_at(trace, n) / n


def f_at(trace: Trace, recall: float) -> float:
    """F when that recall is reached; 0 if it never is."""
    n = fetches_to(trace, recall)
    return 0.0 if n is None else f_measure(found_at(trace, n) / n, found_at(trace, n) / trace.relevant)


def time_at(trace: Trace, recall: float) -> float:
    """Seconds until that recall is reached, for ever if it never is."""
    seconds = seconds_to(trace, recall, PAGE, AT_ONCE)
    return math.inf if seconds is None else seconds


def figures(results: Sequence[Done]) -> list[Figure]:
    """The four figures of the papers for these crawls, one curve an order: means over the crawls, of time medians. A
    curve over recall ends where fewer than half of the crawls have got so far."""
    multiples = [SPAN * k / STEPS for k in range(1, STEPS + 1)]
    network = f"{PAGE * 1000:.0f} ms a page, {AT_ONCE} at a time"

    def drawn(name: str, title: str, y: str, value: Value, middle: Middle, unit: bool = True) -> Figure:
        over_pages = value is harvest_at
        places, x = (multiples, "pages fetched / R") if over_pages else (RECALLS, "recall")
        curves = {
            order: _curve([d.trace for d in results if d.run.order == order], value, middle, places, over_pages)
            for order in dict.fromkeys(d.run.order for d in results)
        }
        return Figure(name, title, x, y, curves, unit)

    return [
        drawn("harvest", "Harvest rate over pages", "harvest rate", harvest_at, fmean),
        drawn("precision", "Precision against recall", "precision", precision_at, fmean),
        drawn("f", "F against recall", "F", f_at, fmean),
        drawn("time", "Crawl time at equal recall", f"seconds ({network})", time_at, median_low, unit=False),
    ]


def _curve(
    traces: Sequence[Trace], value: Value, middle: Middle, places: Sequence[float], over_pages: bool
) -> tuple[Point, ...]:
    able = [t for t in traces if t.relevant]
    points = []
    for place in places:
        so_far = [t for t in able if over_pages or fetches_to(t, place) is not None]
        values = [v for t in able if (v := value(t, place)) is not None]
        if values and 2 * len(so_far) >= len(able):
            points.append((place, middle(values)))
    return tuple(points)


def sweep(results: Sequence[Done], value: Callable[[Trace], float | None], name: str, title: str, y: str) -> Figure:
    """A measure over γ, one curve an order."""
    curves: dict[str, tuple[Point, ...]] = {}
    for order in dict.fromkeys(done.run.order for done in results):
        points = []
        for gamma in sorted({d.run.gamma for d in results}):
            traces = [d.trace for d in results if d.run.order == order and d.run.gamma == gamma]
            known = [v for t in traces if (v := value(t)) is not None]
            if known:
                points.append((gamma, sum(known) / len(known)))
        curves[order] = tuple(points)
    return Figure(name, title, "γ", y, curves)
