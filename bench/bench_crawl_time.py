"""Crawl time at equal recall: every order of a finished comparison on a simulated network, own CPU included.

100 ms a page, 8 pages at a time; the median over the crawls, of which those that never get so far last for ever. Reads
what ``scrapy compare`` has written (a budget of 8R shows more of high recalls than 4R).

    scrapy compare ../shared/worlds/wikispeedia --budget 8R --out out/time
    python bench/bench_crawl_time.py out/time [--order semrank]
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from statistics import median_low
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fcacrawler.evaluation.comparison import file_name
from fcacrawler.evaluation.figures import time_at
from fcacrawler.evaluation.plan import HUB
from fcacrawler.evaluation.trace import Trace

RECALLS = tuple(k / 10 for k in range(1, 10))
CEILING = "oracle"  # no rival: it knows the labels


def trace_of(record: dict[str, Any], folder: Path) -> Trace:
    """A crawl as it was written down; its CPU time is spread evenly over its fetches."""
    hub = HUB if record["seeds"] == HUB else ""
    name = file_name("{topic}.{hub}{seed_set}.{order}.{gamma:g}".format(hub=hub, **record))
    rows = [line.split("\t") for line in (folder / "fetches" / f"{name}.tsv").read_text("utf-8").splitlines()[1:]]
    cpu = tuple(n * record["cpu_ms_per_page"] / 1000 for n in range(1, len(rows) + 1))
    return Trace(
        tuple(u for _, _, u in rows), tuple(hit == "1" for _, hit, _ in rows), record["R"], record["budget"], cpu
    )


def times(folder: Path) -> dict[str, list[list[float]]]:
    """Order → for each recall, the seconds of each crawl."""
    found: dict[str, list[Trace]] = {}
    for record in json.loads((folder / "results.json").read_text("utf-8")):
        found.setdefault(record["order"], []).append(trace_of(record, folder))
    return {order: [[time_at(t, r) for t in traces if t.relevant] for r in RECALLS] for order, traces in found.items()}


def shown(seconds: float) -> str:
    return "–" if math.isinf(seconds) else f"{seconds:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where scrapy compare has written to")
    parser.add_argument("--order", default="semrank")
    options = parser.parse_args()
    found = times(options.folder)
    middle = {order: [median_low(t) for t in by_recall] for order, by_recall in found.items()}
    print("| order | " + " | ".join(f"{r:g}" for r in RECALLS) + " |")
    print("| --- |" + " --- |" * len(RECALLS))
    for order in sorted(middle, key=lambda o: middle[o]):
        print(f"| {order} | " + " | ".join(map(shown, middle[order])) + " |")
    ours = middle[options.order]
    for i, recall in enumerate(RECALLS):
        best = min((o for o in middle if o not in (options.order, CEILING)), key=lambda o: middle[o][i])
        against = middle[best][i]
        if math.isinf(ours[i]) or math.isinf(against):
            continue
        both = list(zip(found[options.order][i], found[best][i], strict=True))
        first, second = sum(a < b for a, b in both), sum(a > b for a, b in both)
        print(f"recall {recall:g}: {first} of {len(both)} crawls before {best}, {second} after it", file=sys.stderr)
        figure = {"figure": f"crawl seconds to recall {recall:g} against {best}", "value": round(ours[i], 3)}
        print(json.dumps(figure | {"against": round(against, 3), "ratio": round(ours[i] / against, 3)}))


if __name__ == "__main__":
    main()
