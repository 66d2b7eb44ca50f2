"""Do several workers on one Redis crawl fetch in as good an order as one?

usage: bench_workers.py [--topics "auto racing" golf cycling] [--workers 2] [--concurrency 2] [--runs 1]

The demo web is crawled for each topic by one worker and by several, each a process of its own with so many requests at
once, until 4R pages are fetched; only the budget ends a crawl (decision 062). What was fetched, and when, is read off
the workers' own logs. A curve is the number of pages labelled relevant after n fetches, seeds left out; told are its
area (see ``evaluation/measures.py``) and the recall at R and 2R, with the mean over the topics as figures.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from fcacrawler.evaluation.measures import area, recall  # noqa: E402
from fcacrawler.evaluation.trace import Trace  # noqa: E402
from fcacrawler.page import canonical_url  # noqa: E402
from fcacrawler.worlds import open_world  # noqa: E402
from tests.redis_server import serving  # noqa: E402

TOPICS = ("auto racing", "golf", "cycling")
SPAN = 4  # R pages are fetched so many times
ENDLESS = {"FCA_WORLD": "demo", "FCA_TUNNEL": 1_000_000, "FCA_PATIENCE": 0, "FCA_PROGRESS": "off", "LOG_LEVEL": "DEBUG"}
CRAWLED = re.compile(r"^([\d.]+) Crawled \(\d+\) <GET (\S+)>", re.M)
MEASURES = {
    "area": area,
    "recall at R": lambda t: recall(t, t.relevant),
    "recall at 2R": lambda t: recall(t, 2 * t.relevant),
}


@dataclass(frozen=True)
class Course:
    """One crawl."""

    trace: Trace
    shares: tuple[int, ...]  # fetches of each worker


def crawl(topic: str, workers: int, concurrency: int) -> Course:
    world = open_world("demo")
    about = world.topics[topic]
    seeds = {canonical_url(url) for url in about.seeds}
    relevant = {canonical_url(url) for url in world.relevant(topic)} - seeds
    budget = SPAN * len(relevant)
    settings = {**ENDLESS, "CONCURRENT_REQUESTS": concurrency, "LOG_FORMAT": "%(created).6f %(message)s"}
    with serving() as server, tempfile.TemporaryDirectory() as folder:
        settings["FCA_FRONTIER"] = server.url
        command = [sys.executable, "-m", "scrapy", "crawl", "semrank", "-a", f"topic={topic}"]
        command += ["-a", f"pages={budget + len(seeds)}"]
        command += [x for name, value in settings.items() for x in ("-s", f"{name}={value}")]
        logs = [Path(folder) / f"{n}.log" for n in range(workers)]
        running = [
            subprocess.Popen(
                [*command, "-s", f"LOG_FILE={log}", "-O", f"{log}.jsonl"], cwd=ROOT, stderr=subprocess.DEVNULL
            )
            for log in logs
        ]
        assert [worker.wait() for worker in running] == [0] * workers
        told = [list(fetches(log.read_text("utf-8"))) for log in logs]
    urls = [url for _, url in sorted(fetch for some in told for fetch in some) if url not in seeds]
    found: set[str] = set()
    hits = []
    for url in urls[:budget]:
        hits.append(url in relevant and url not in found)
        found.add(url)
    return Course(Trace(tuple(urls), tuple(hits), len(relevant), budget), tuple(map(len, told)))


def fetches(log: str) -> Iterator[tuple[float, str]]:
    """Time and canonical URL of every page that came in."""
    for time, url in CRAWLED.findall(log):
        if not url.endswith("/robots.txt"):
            yield float(time), canonical_url(url) or url


def measure(topics: Sequence[str], workers: int, concurrency: int, runs: int) -> dict[str, tuple[float, float]]:
    """Each measure with several workers and with one, the mean over topics and runs."""
    got: dict[int, list[list[float]]] = {1: [], workers: []}
    for topic in topics:
        for n in runs * list(got):
            course = crawl(topic, n, concurrency)
            values = [m(course.trace) or 0.0 for m in MEASURES.values()]
            got[n].append(values)
            told = ", ".join(f"{name} {value:.3f}" for name, value in zip(MEASURES, values, strict=True))
            print(f"{topic}, {n} × {concurrency}: {told}; fetches {course.shares}", file=sys.stderr, flush=True)
    several, one = ([mean(column) for column in zip(*got[n], strict=True)] for n in (workers, 1))
    return {name: pair for name, *pair in zip(MEASURES, several, one, strict=True)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topics", nargs="+", default=TOPICS)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument("--runs", type=int, default=1)
    given = parser.parse_args()
    for name, (several, one) in measure(given.topics, given.workers, given.concurrency, given.runs).items():
        figure = {"figure": f"{name}, {given.workers} workers against one", "value": round(several, 3)}
        print(json.dumps({**figure, "against": round(one, 3), "ratio": round(several / one, 3)}))


if __name__ == "__main__":
    main()
