"""Crawls as they are on the web: many hosts with a delay each, many fetches at once. Who finds most, by fetches and by
time, and how far do two runs of one command differ?

usage: bench_polite.py WORLD [--topics …] [--orders …] [--pages 300] [--delay .5] [--at-once 16] [--runs 2]

WORLD, best one of many hosts (python -m tests.webs.manuals FOLDER), is served on loopback as a proxy, so that a real
``scrapy crawl`` keeps the delay of each of its hosts; https becomes http. The server's log says what was asked for and
when. AUC over fetches is that of scrapy compare, with all labelled pages as R; over time it is the mean share of what
could have been found, over as many seconds as the slowest crawl of the topic took. ``--orders`` may name crawl4ai and
trafilatura too (bench/peers/make_environment.sh): crawl4ai keeps the delay within each ten links that it takes at once,
trafilatura stays on the first seed's host.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.bench_peers import Logged, call, foreign, serve
from fcacrawler.evaluation.measures import area
from fcacrawler.evaluation.trace import Trace
from fcacrawler.page import canonical_url
from fcacrawler.worlds import Answer, open_world

PEERS = ("crawl4ai", "trafilatura")


class Log(list[str]):
    """What the server was asked for, and when."""

    def __init__(self) -> None:
        super().__init__()
        self.times: list[float] = []

    def append(self, url: str) -> None:
        self.times.append(time.monotonic())
        super().append(url)

    def begin(self) -> None:
        self.clear()
        self.times.clear()


class Plain(Logged):
    """The world over plain HTTP, which a proxy can answer: its https URLs are http URLs."""

    def answer(self, url: str) -> Answer | None:
        found = super().answer(url) or self._world.answer(url.replace("http://", "https://", 1))
        if found is None:
            return None
        headers = tuple((name, value.replace("https://", "http://")) for name, value in found.headers)
        return Answer(found.status, headers, found.body.replace(b"https://", b"http://"), found.delay)


def plain(url: str) -> str:
    return canonical_url(url).replace("https://", "http://", 1)


@dataclass(frozen=True, slots=True)
class Crawled:
    """Whether each fetch, seeds left out, found one more relevant page, and when, after the first."""

    hits: tuple[bool, ...]
    times: tuple[float, ...]

    @classmethod
    def of(cls, log: Log, seeds: frozenset[str], relevant: frozenset[str]) -> Crawled:
        fetched = [(at, url) for at, url in zip(log.times, log, strict=True) if url not in seeds]
        missing = set(relevant)
        hits = []
        for _, url in fetched:
            hits.append(url in missing)
            missing.discard(url)
        return cls(tuple(hits), tuple(at - log.times[0] for at, _ in fetched))

    def by_fetches(self, relevant: int, pages: int) -> float:
        return area(Trace(("",) * len(self.hits), self.hits, relevant, pages)) or 0.0

    def by_time(self, relevant: int, pages: int, seconds: float) -> float:
        """
        >>> Crawled((True, False, True), (1.0, 2.0, 3.0)).by_time(4, 2, 4.0)  # one for 3 of 4 s, another for 1
        0.5
        """
        found = sum(max(0.0, seconds - at) for hit, at in zip(self.hits, self.times, strict=True) if hit)
        return found / (seconds * min(relevant, pages))


def crawl(log: Log, port: int, order: str, words: str, seeds: Sequence[str], given: argparse.Namespace) -> None:
    """One real crawl, by one of our orders or by a peer; the log has it then."""
    log.begin()
    pages = given.pages + len(seeds)
    if order in PEERS:
        task = {"words": words, "seeds": seeds, "pages": pages, "port": port}
        foreign(order, {**task, "delay": given.delay, "at_once": given.at_once})
        return
    settings = {
        "DOWNLOAD_DELAY": given.delay,
        "AUTOTHROTTLE_ENABLED": 0,
        "CONCURRENT_REQUESTS": given.at_once,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        "FCA_JS": "never",
        "FCA_TUNNEL": 10**6,
        "FCA_PATIENCE": 0,
        "FCA_PROGRESS": "off",
        "LOG_LEVEL": "ERROR",
        "FEEDS": "{}",
    }
    command = [sys.executable, "-m", "scrapy", "crawl", "semrank", "-a", f"topic={words}", "-a", f"order={order}"]
    command += ["-a", f"seeds={','.join(seeds)}", "-a", f"pages={pages}"]
    command += [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    call(order, command, {**os.environ, "http_proxy": f"http://127.0.0.1:{port}"})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("world")
    parser.add_argument("--topics", nargs="+")
    parser.add_argument("--orders", nargs="+", default=["semrank", "shark", "link-classifier"])
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--delay", type=float, default=0.5)
    parser.add_argument("--at-once", type=int, default=16)
    parser.add_argument("--runs", type=int, default=2)
    given = parser.parse_args()
    world = open_world(given.world)
    log = Log()
    port = serve(given.world, log, Plain)
    for name in given.topics or list(world.topics):
        topic = world.topics[name]
        seeds = [plain(url) for url in topic.seeds]
        relevant = frozenset(map(plain, world.relevant(name))) - set(seeds)
        done: dict[str, list[Crawled]] = {}
        for _ in range(given.runs):
            for order in given.orders:
                crawl(log, port, order, topic.words, seeds, given)
                done.setdefault(order, []).append(Crawled.of(log, frozenset(seeds), relevant))
        seconds = max(run.times[-1] for runs in done.values() for run in runs if run.times)
        for order, runs in done.items():
            found = [sum(run.hits) for run in runs]
            print(
                json.dumps(
                    {
                        "figure": f"polite: {name}, {order}",
                        "R": len(relevant),
                        "auc by fetches": [round(run.by_fetches(len(relevant), given.pages), 4) for run in runs],
                        "auc by time": [round(run.by_time(len(relevant), given.pages, seconds), 4) for run in runs],
                        "found": found,
                        "fetches": [len(run.hits) for run in runs],
                        "seconds": [round(run.times[-1], 1) if run.times else 0 for run in runs],
                        "found differs by": round((max(found) - min(found)) / max(1, max(found)), 3),
                    }
                ),
                flush=True,
            )


if __name__ == "__main__":
    main()
