"""Is the order of a crawl in parts as good as that of one in one part?

usage: bench_parts.py [--world demo] [--topics boxing "mixed martial arts" tennis cycling] [--workers 4] [--parts 2 4]
                      [--runs 2]

As ``bench_silent.py``: workers as they are on a real Redis, in turn in one process under a clock that is not the
machine's, here never silent; what differs is into how many parts the crawl is cut. Told are the area under the curve of
pages labelled relevant over 4R fetches, and the recall at R and 2R, for each number of parts against one part with as
many workers.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bench.bench_silent import TOPICS, crawl
from bench.bench_workers import MEASURES, figure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--world", default="demo")
    parser.add_argument("--topics", nargs="+", default=TOPICS)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--parts", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--runs", type=int, default=2)
    given = parser.parse_args()
    got: dict[str, dict[int, list[float]]] = {name: {parts: [] for parts in (1, *given.parts)} for name in MEASURES}
    for topic in given.topics:
        for parts in (1, *given.parts):
            runs = [crawl(topic, given.workers, 1, n, parts=parts, world=given.world) for n in range(given.runs)]
            for name, measure in MEASURES.items():
                values = [measure(trace) or 0.0 for trace in runs]
                got[name][parts].append(mean(values))
                told = ", ".join(f"{value:.3f}" for value in values)
                print(f"{topic}, {parts} parts: {name} {told}", file=sys.stderr, flush=True)
    for parts in given.parts:
        for name, by in got.items():
            figure(f"{name}, {given.workers} workers in {parts} parts against one part", mean(by[1]), mean(by[parts]))


if __name__ == "__main__":
    main()
