"""Does the lattice pay? Two attempts: sides of a topic with quotas, and stopping when no new concepts come.

python bench/bench_lattice.py WORLD [--topics a,b] [--seeds-sets 1] [--jobs 2] [-s FCA_VECTORS=none]
Sides: concepts of the relevant pages' keywords that together cover most of these pages; links that speak of the side
that was fetched least of late rank so much higher. Stopping: when the last 30 picks have brought fewer than so many new
concepts each, against the rule that stops when their mean rank is low; recall is compared at the same mean cost.
"""

from __future__ import annotations

import json
import os
import sys
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from numpy.typing import NDArray

from bench.planned import arguments, done, picks, planned, tell
from fcacrawler.app.assembly import ORDERS
from fcacrawler.app.config import Config
from fcacrawler.evaluation.comparison import Desk, Done
from fcacrawler.evaluation.plan import Run, Start
from fcacrawler.evaluation.run import run
from fcacrawler.evaluation.standings import record
from fcacrawler.evaluation.trace import Trace
from fcacrawler.orders import Given, OrderFactory
from fcacrawler.orders.semrank.order import SemRank
from fcacrawler.page import url_words
from fcacrawler.semrank.incremental import ChangingContext
from fcacrawler.values.links import Candidate
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.verdicts import Judged

KEYWORDS = 10  # of a page, its best
BASE = 200  # relevant pages, the latest
SIDES, LEAST = 8, 0.05  # most sides, and the smallest part of the base that is one
LAST = 50  # picks by which it is seen which side is starved
EVERY = 25  # pages between two looks at the lattice
WINDOW = 30  # picks that a stopping rule looks at
COSTS = (0.84, 1.27, 2.13)  # fetches / R
WHOLE = "as it is"
Floats = NDArray[np.float64]


class Sides(SemRank):
    """The default order with quotas: links that speak of the starved side rank higher by a bonus."""

    def __init__(self, given: Given, bonus: float) -> None:
        super().__init__(given)
        self._bonus = bonus
        self._context = ChangingContext()
        self._base: deque[tuple[str, frozenset[str]]] = deque()
        self._latest: deque[frozenset[str]] = deque(maxlen=LAST)
        self._starved: frozenset[str] = frozenset()
        self._read = 0

    def observe(self, page: SeenPage, judged: Judged) -> float:
        keywords = frozenset(k for k, _ in page.keywords[:KEYWORDS])
        self._latest.append(keywords)
        if judged.relevance > 0.5 and page.url not in self._context and keywords:
            self._context.add(page.url, keywords)
            self._base.append((page.url, keywords))
            if len(self._base) > BASE:
                self._context.remove(self._base.popleft()[0])
        self._read += 1
        if self._read % EVERY == 0:
            self._starved = self._side()
        return super().observe(page, judged)

    def _side(self) -> frozenset[str]:
        """The keywords of the side that has the fewest of the latest pages, for its size."""
        found = [(set(x), frozenset(y)) for x, y in self._context.concepts() if y]
        found = [c for c in found if len(c[0]) >= max(3.0, LEAST * len(self._base))]
        covered: set[str] = set()
        sides: list[tuple[float, frozenset[str]]] = []
        while found and len(sides) < SIDES:
            extent, intent = max(found, key=lambda c: (len(c[0] - covered), len(c[1]), sorted(c[1])))
            if not extent - covered:
                break
            covered |= extent
            fetched = sum(intent <= keywords for keywords in self._latest)
            sides.append((fetched / len(extent), intent))
        return min(sides, key=lambda side: (side[0], sorted(side[1])))[1] if len(sides) > 1 else frozenset()

    def rank(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        ranks = super().rank(candidates)
        return [min(1.0, r + self._bonus * self._helps(c)) for r, c in zip(ranks, candidates, strict=True)]

    def _helps(self, candidate: Candidate) -> bool:
        texts = " ".join([*(f"{e.anchor} {e.context}" for e in candidate.evidence), url_words(candidate.url)])
        words = frozenset(texts.lower().split())
        return any(words.issuperset(keyword.split()) for keyword in self._starved)


def orders() -> dict[str, OrderFactory]:
    return {WHOLE: SemRank} | {f"sides, {b}": partial(Sides, bonus=b) for b in (0.02, 0.05, 0.1)}


@cache
def desk_of(world: str, config: Config) -> Desk:
    return Desk(world, config)


def crawl(world: str, config: Config, task: Run) -> Trace:
    ORDERS[task.order] = orders()[task.order]
    return run(task, desk_of(world, config))


def novelty(world: str, config: Config, start: Start) -> Floats:
    """A row a pick: the rank it had, how many concepts it added, 1 if it is labelled relevant."""
    context = ChangingContext()
    rows = []
    for pick in picks(world, config, start):
        before = len(context)
        page = pick.fetched.page
        if page is not None and (pick.judge.relevance(pick.url) or 0.0) > 0.5 and pick.url not in context:
            context.add(pick.url, [k for k, _ in page.keywords[:KEYWORDS]])
        rows.append((pick.rank, len(context) - before, pick.fetched.final_url in start.relevant))
    return np.array(rows, np.float64)


def stopped(values: Floats, floor: float) -> int:
    """How many picks before the mean of the last 30 is below the floor."""
    below = np.flatnonzero(np.convolve(values, np.full(WINDOW, 1 / WINDOW), "valid") < floor)
    return int(below[0]) + WINDOW if len(below) else len(values)


def at_cost(crawls: Sequence[Floats], plan: Sequence[Start], column: int, cost: float) -> float:
    """Mean recall of the rule whose floor makes the mean cost nearest to this one."""
    sizes = np.array([len(start.relevant) for start in plan])
    most = max(float(c[:, column].max()) for c in crawls)
    floors = np.geomspace(most / 10_000, most, 400)
    ends = [np.array([stopped(c[:, column], floor) for c in crawls]) for floor in floors]
    best = min(ends, key=lambda e: abs(float((e / sizes).mean()) - cost))
    return float(np.mean([c[:n, 2].sum() / r for c, n, r in zip(crawls, best, sizes, strict=True)]))


def main() -> None:
    options = arguments(__doc__).parse_args()
    world, config, plan = planned(options)
    tasks = [Run(start, name, config.crawl.gamma) for start in plan for name in orders()]
    with ProcessPoolExecutor(options.jobs, get_context("spawn")) as pool:
        traces = done(pool, crawl, [(options.world, config, task) for task in tasks])
        crawls = done(pool, novelty, [(options.world, config, start) for start in plan])
    tell([record(world.name, Done(task, trace)) for task, trace in zip(tasks, traces, strict=True)], WHOLE)
    for cost in COSTS:
        concepts, rank = (at_cost(crawls, plan, column, cost) for column in (1, 0))
        figure = {
            "figure": f"recall when stopped by concepts at {cost} R, against by rank",
            "value": round(concepts, 3),
        }
        print(json.dumps(figure | {"against": round(rank, 3), "ratio": round(concepts / rank, 3)}))


if __name__ == "__main__":
    main()
