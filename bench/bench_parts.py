"""Is the order of a crawl in parts as good as that of one in one part?

usage: bench_parts.py [--topics boxing "mixed martial arts" tennis cycling] [--workers 4] [--parts 2 4] [--runs 2]

As ``bench_silent.py``: workers as they are on a real Redis, in turn in one process under a clock that is not the
machine's, here never silent; what differs is into how many parts the crawl is cut. Told is the area under the curve of
pages labelled relevant over 4R fetches, for each number of parts against one part with as many workers.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bench.bench_silent import TOPICS, crawl
from bench.bench_workers import figure
from fcacrawler.evaluation.measures import area


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topics", nargs="+", default=TOPICS)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--parts", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--runs", type=int, default=2)
    given = parser.parse_args()
    got: dict[int, list[float]] = {parts: [] for parts in (1, *given.parts)}
    for topic in given.topics:
        for parts, areas in got.items():
            runs = [area(crawl(topic, given.workers, 1, run, parts=parts)) for run in range(given.runs)]
            areas.append(mean(runs))
            print(f"{topic}, {parts} parts: {', '.join(f'{a:.3f}' for a in runs)}", file=sys.stderr, flush=True)
    for parts in given.parts:
        figure(f"area, {given.workers} workers in {parts} parts against one part", mean(got[1]), mean(got[parts]))


if __name__ == "__main__":
    main()
