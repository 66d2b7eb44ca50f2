"""Do several workers on one Redis crawl fetch in as good an order as one?

usage: bench_workers.py [--topics "auto racing" golf cycling] [--workers 2] [--concurrency 4] [--runs 1]

The demo web is crawled for each topic by one worker and by several, each a process of its own, until 4R pages are
fetched; only the budget ends a crawl (decision 062). ``--concurrency`` requests at once are shared by the workers, so
that one and several are compared at the same total. What was fetched, and when, is read off the workers' own logs. A
curve is the number of pages labelled relevant after n fetches, seeds left out; told are its area (see
``evaluation/measures.py``) and the recall at R and 2R, with the mean over the topics as figures; for each topic the
areas' means, and with several runs how far those of one worker lie apart (standard deviation).
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
from statistics import mean, stdev

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
Measured = dict[str, tuple[list[float], list[float]]]  # by topic: of the runs of one worker, and of several


@dataclass(frozen=True)
class Course:
    """One crawl."""

    trace: Trace
    shares: tuple[int, ...]  # fetches of each worker


def goal(topic: str, world: str = "demo") -> tuple[list[str], set[str], int]:
    """Seeds, relevant pages without them, and how many pages are fetched."""
    web = open_world(world)
    seeds = [canonical_url(url) or url for url in web.topics[topic].seeds]
    relevant = {canonical_url(url) or url for url in web.relevant(topic)} - set(seeds)
    return seeds, relevant, SPAN * len(relevant)


def traced(urls: Sequence[str], relevant: set[str], budget: int) -> Trace:
    """A page that is fetched twice is found once."""
    found: set[str] = set()
    hits = []
    for url in urls[:budget]:
        hits.append(url in relevant and url not in found)
        found.add(url)
    return Trace(tuple(urls), tuple(hits), len(relevant), budget)


def crawl(topic: str, workers: int, concurrency: int) -> Course:
    seeds, relevant, budget = goal(topic)
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
    return Course(traced(urls, relevant, budget), tuple(map(len, told)))


def fetches(log: str) -> Iterator[tuple[float, str]]:
    """Time and canonical URL of every page that came in."""
    for time, url in CRAWLED.findall(log):
        if not url.endswith("/robots.txt"):
            yield float(time), canonical_url(url) or url


def measure(topics: Sequence[str], workers: int, concurrency: int, runs: int) -> dict[str, Measured]:
    """Each measure by its name."""
    got: dict[str, Measured] = {name: {topic: ([], []) for topic in topics} for name in MEASURES}
    for _ in range(runs):  # in turns: the machine may be busier at one time than at another
        for topic in topics:
            for which, n in enumerate((1, workers)):
                course = crawl(topic, n, concurrency // n)
                values = {name: m(course.trace) or 0.0 for name, m in MEASURES.items()}
                for name, value in values.items():
                    got[name][topic][which].append(value)
                told = ", ".join(f"{name} {value:.3f}" for name, value in values.items())
                print(
                    f"{topic}, {n} × {concurrency // n}: {told}; fetches {course.shares}", file=sys.stderr, flush=True
                )
    return got


def mean_of(measured: Measured, which: int) -> float:
    """The mean of the topics' means: of one worker (0), of several (1)."""
    return mean(mean(runs[which]) for runs in measured.values())


def figure(name: str, one: float, several: float) -> None:
    print(
        json.dumps(
            {"figure": name, "value": round(several, 3), "against": round(one, 3), "ratio": round(several / one, 3)}
        )
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topics", nargs="+", default=TOPICS)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--concurrency", type=int, default=4)
    parser.add_argument("--runs", type=int, default=1)
    given = parser.parse_args()
    got = measure(given.topics, given.workers, given.concurrency, given.runs)
    for topic, (one, several) in got["area"].items():
        apart = f", one's runs ± {stdev(one):.3f}, theirs ± {stdev(several):.3f}" if given.runs > 1 else ""
        figure(f"area of {topic}, {given.workers} workers against one{apart}", mean(one), mean(several))
    for name, measured in got.items():
        figure(f"{name}, {given.workers} workers against one", mean_of(measured, 0), mean_of(measured, 1))


if __name__ == "__main__":
    main()
