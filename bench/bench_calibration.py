"""Is a rank a chance? Of the links picked at a rank of .45, how many turn out relevant, by labels and by the judge.

python bench/bench_calibration.py WORLD [--topics a,b] [--seeds-sets 1] [--jobs 2] [--plot FILE] [-s FCA_VECTORS=none]
Also what stopping costs and what it finds: when the mean rank of the last 30 picks falls below .3, .2, .1.
"""

from __future__ import annotations

import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from numpy.typing import NDArray

from bench.planned import arguments, picks, planned
from fcacrawler.app.config import Config
from fcacrawler.evaluation.figures import Figure
from fcacrawler.evaluation.pictures import svg
from fcacrawler.evaluation.plan import Start

BINS, LAST, FLOORS = 10, 30, (0.3, 0.2, 0.1)
Floats = NDArray[np.float64]


def rows(world: str, config: Config, start: Start) -> Floats:
    """A row a pick, in order: the rank it had, 1 if it is labelled relevant, what the judge says in the end."""
    made = list(picks(world, config, start))
    return np.array([(p.rank, p.fetched.final_url in start.relevant, p.judge.relevance(p.url) or 0.0) for p in made])


def error(ranks: Floats, truth: Floats) -> float:
    """Σ over bins of equal width: share of the picks in it · |mean rank - mean truth|."""
    bins = np.minimum((ranks * BINS).astype(int), BINS - 1)
    return sum(abs(float((ranks - truth)[bins == b].sum())) for b in range(BINS)) / len(ranks)


def curve(ranks: Floats, truth: Floats) -> tuple[tuple[float, float], ...]:
    bins = np.minimum((ranks * BINS).astype(int), BINS - 1)
    return tuple(
        (float(ranks[bins == b].mean()), float(truth[bins == b].mean())) for b in range(BINS) if (bins == b).any()
    )


def stopped(crawl: Floats, floor: float) -> int:
    """How many picks before the mean rank of the last 30 is below the floor."""
    means = np.convolve(crawl[:, 0], np.full(LAST, 1 / LAST), "valid")
    below = np.flatnonzero(means < floor)
    return int(below[0]) + LAST if len(below) else len(crawl)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()
    _, config, plan = planned(options)
    with ProcessPoolExecutor(options.jobs, get_context("spawn")) as pool:
        futures = [pool.submit(rows, options.world, config, start) for start in plan]
        crawls = [future.result() for future in futures]
    ranks, labels, judge = np.concatenate(crawls).T
    curves = {
        "by the labels": curve(ranks, labels),
        "by the judge": curve(ranks, judge),
        "oracle": ((0.0, 0.0), (1.0, 1.0)),
    }
    for name in ("by the labels", "by the judge"):
        print(f"{name}: " + "  ".join(f"{x:.2f} → {y:.2f}" for x, y in curves[name]), file=sys.stderr)
    passed = ranks > config.crawl.gamma
    told = {
        "ECE by labels, a crawl": float(np.mean([error(c[:, 0], c[:, 1]) for c in crawls])),
        "ECE by labels, pooled": error(ranks, labels),
        "ECE by judge, a crawl": float(np.mean([error(c[:, 0], c[:, 2]) for c in crawls])),
        "ECE by judge, pooled": error(ranks, judge),
        "share above gamma": float(passed.mean()),
        "of these relevant": float(labels[passed].mean()),
    }
    for floor in FLOORS:
        ends = [stopped(c, floor) for c in crawls]
        sizes = [len(start.relevant) for start in plan]
        told[f"stop below {floor}: fetches / R"] = float(np.mean([n / r for n, r in zip(ends, sizes, strict=True)]))
        hits = [c[:n, 1].sum() / r for c, n, r in zip(crawls, ends, sizes, strict=True)]
        told[f"stop below {floor}: recall"] = float(np.mean(hits))
    for figure, value in told.items():
        print(json.dumps({"figure": figure, "value": round(value, 3), "against": None, "ratio": None}))
    if options.plot:
        figure = Figure("calibration", "Is a rank a chance?", "rank when picked", "share relevant", curves)
        options.plot.write_text(svg(figure, list(curves)).replace(">oracle<", ">a chance<"), "utf-8")


if __name__ == "__main__":
    main()
