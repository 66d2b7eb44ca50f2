"""Do several workers on one Redis crawl fetch in as good an order as one though each falls silent now and then?

usage: bench_silent.py [--topics boxing "mixed martial arts" tennis cycling] [--workers 2] [--at-once 2] [--runs 4]
                       [--often 0.03] [--long 0.6]

Workers as they are, on a real Redis, take turns in one process under a clock that is not the machine's. A page takes
its worker 4 to 10 ms; after one in so many (``--often``) it neither tells nor hears anything for a while (``--long``:
seconds in the mean), as it does when others have its processor. Runs differ in when that happens. Beside it the mean of
one worker that is never silent, with 1, 2 … requests at once up to as many as the workers have together: at each it
repeats itself, but that is one path of many. Told is the area under the curve of pages labelled relevant over 4R
fetches, as by ``bench_workers.py``, which has processes and the machine's clock.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from heapq import heappop, heappush
from pathlib import Path
from statistics import mean, stdev
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bench.bench_workers import figure, goal, traced
from fcacrawler.app.assembly import SEEDS, crawl_of, given_of
from fcacrawler.app.config import Config
from fcacrawler.crawl.crawl import Crawl
from fcacrawler.evaluation.measures import area
from fcacrawler.evaluation.run import unending
from fcacrawler.evaluation.trace import Trace
from fcacrawler.evaluation.web import Fetched, Fetcher
from fcacrawler.frontier import Entry
from fcacrawler.frontier.redis import frontier as redis
from fcacrawler.frontier.redis import line as redis_line
from fcacrawler.frontier.redis import looks, parted, permits, post
from fcacrawler.frontier.redis import talk as redis_talk
from fcacrawler.frontier.redis.frontier import RedisFrontier
from fcacrawler.frontier.redis.joining import Joining
from fcacrawler.frontier.redis.parted import PartedFrontier
from fcacrawler.orders.semrank.order import SemRank
from fcacrawler.page import key_of, vector
from fcacrawler.values.links import Candidate
from fcacrawler.values.topics import Topic
from fcacrawler.worlds import open_world
from tests.redis_server import serving

TOPICS = ("boxing", "mixed martial arts", "tennis", "cycling")
PAGE = (0.004, 0.010)  # seconds that one takes its worker
LATE = 0.3  # seconds by which the others come later than the first, at most
CONFIG = unending(Config(), Config().crawl.gamma)
remembered = lru_cache(200_000)(vector)


@lru_cache
def fetching(world: str) -> Callable[[str], Fetched]:
    return lru_cache(20_000)(Fetcher(open_world(world), CONFIG.page).fetch)


@dataclass
class Worker:
    crawl: Crawl
    at_once: int
    fetch: Callable[[str], Fetched]
    flights: deque[Entry] = field(default_factory=deque)
    beat: float = 1.0  # when it syncs again

    def turn(self, now: float) -> Iterator[Candidate]:
        """What leaves; then the first page that is in flight is read."""
        if now >= self.beat:
            self.crawl.sync()
            self.beat = now + 1.0
        while len(self.flights) < self.at_once and (entry := self.crawl.next(lambda host: True)):
            self.flights.append(entry)
            yield entry.candidate
        if self.flights:
            found = self.flights.popleft().candidate
            fetched = self.fetch(found.url)
            if fetched.page is not None:
                page = replace(fetched.page, url=found.url, depth=found.depth, evidence=found.evidence)
                self.crawl.visit(page, found.key, fetched.follow)
            self.crawl.finished(found.key, fetched.responded)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@contextmanager
def under(clock: Clock) -> Iterator[None]:
    """All that a worker does with Redis is by this clock."""
    with ExitStack() as stack:
        for module in (redis, redis_talk, redis_line, looks, parted, permits, post):
            stack.enter_context(patch.object(module, "monotonic", clock))
        yield


def crawl(
    topic: str,
    workers: int,
    at_once: int,
    seed: int = 0,
    often: float = 0.0,
    long: float = 0.0,
    parts: int = 1,
    world: str = "demo",
) -> Trace:
    """Until 4R pages have left."""
    kind, options = (PartedFrontier if parts > 1 else RedisFrontier), replace(CONFIG.frontier, parts=parts)
    (seeds, relevant, budget), clock, rng = goal(topic, world), Clock(), random.Random(seed)
    urls: list[str] = []
    with serving() as server, under(clock):
        crew = []
        for _ in range(workers):
            given = given_of(CONFIG, Topic(topic, tuple(seeds)), vector_of=remembered)
            frontier = kind(server.url, "silent", options, {}, Joining(budget + len(seeds), seeds=SEEDS))
            crew.append(Worker(crawl_of(CONFIG, given, SemRank(given), frontier), at_once, fetching(world)))
        for worker in crew:
            worker.crawl.seed([Candidate(key_of(url).key, url, key_of(url).host, 0) for url in seeds])
        turns = [(n and LATE * rng.random(), n) for n in range(workers)]
        while len(urls) < budget:
            clock.now, n = heappop(turns)
            worker = crew[n]
            urls += [found.url for found in worker.turn(clock.now) if found.depth]
            busy = rng.uniform(*PAGE) if worker.flights else max(0.001, min(1.0, worker.crawl.shared.wait()))
            silent = rng.expovariate(1 / long) if rng.random() < often else 0.0
            heappush(turns, (clock.now + busy + silent, n))
        for worker in crew:
            worker.crawl.close()
    return traced(urls, relevant, budget)


def measure(
    topics: Sequence[str], workers: int, at_once: int, runs: int, often: float, long: float
) -> dict[str, tuple[list[float], list[float]]]:
    """By topic: the areas of one worker that is never silent, and of several that are."""
    got = {}
    for topic in topics:
        one = [area(crawl(topic, 1, n)) for n in range(1, workers * at_once + 1)]
        several = [area(crawl(topic, workers, at_once, run, often, long)) for run in range(runs)]
        got[topic] = one, several
        told = (", ".join(f"{a:.3f}" for a in areas) for areas in (one, several))
        print(f"{topic}: one {next(told)}; {workers} workers {next(told)}", file=sys.stderr, flush=True)
    return got


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topics", nargs="+", default=TOPICS)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--at-once", type=int, default=2)
    parser.add_argument("--runs", type=int, default=4)
    parser.add_argument("--often", type=float, default=0.03)
    parser.add_argument("--long", type=float, default=0.6)
    given = parser.parse_args()
    got = measure(given.topics, given.workers, given.at_once, given.runs, given.often, given.long)
    what = f"{given.workers} workers, silent for {given.long} s after {given.often:.0%} of pages, against one"
    for topic, (one, several) in got.items():
        apart = f", runs ± {stdev(several):.3f}" if given.runs > 1 else ""
        figure(f"area of {topic}, {what}{apart}", mean(one), mean(several))
    figure(f"area, {what}", *(mean(mean(runs[k]) for runs in got.values()) for k in (0, 1)))


if __name__ == "__main__":
    main()
