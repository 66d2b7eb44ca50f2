"""How long is a good host waited for while others are idle? Polite crawls under a clock that is not the machine's.

usage: bench_waiting.py WORLD [--topics a,b] [--orders semrank,shark] [--worse .5,.7,.8] [--pages 150] [--delay .5]
                        [--at-once 16] [--runs 2]

A crawl as it is, but for downloads: a host is asked once in ``--delay`` seconds, an answer takes .05 to .15 s, and so
many fetches are under way at most. ``--worse``: below γ, how much of the best waiting link's rank a link of an idle
host must have (``crawl/tunnel.py``). Runs differ in how long answers take. Measures are those of ``bench_polite.py``,
which has processes and the machine's clock.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from pathlib import Path
from statistics import mean
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.bench_polite import Crawled
from fcacrawler.app.assembly import ORDERS, crawl_of, given_of
from fcacrawler.app.config import Config, read_config
from fcacrawler.crawl import tunnel
from fcacrawler.evaluation.run import Desk, learn, unending
from fcacrawler.frontier import Entry
from fcacrawler.frontier.memory import MemoryFrontier
from fcacrawler.page import canonical_url, key_of
from fcacrawler.values.links import Candidate
from fcacrawler.values.topics import Topic

ANSWER = (0.05, 0.15)  # seconds
SOON = 1e-9


@dataclass
class Net:
    """Hosts that keep a delay, and what is under way, by a clock of its own."""

    delay: float
    dice: random.Random
    now: float = 0.0
    asked: dict[str, float] = field(default_factory=dict)  # hosts, and when last
    under_way: list[tuple[float, int, Entry]] = field(default_factory=list)
    busy: set[str] = field(default_factory=set)

    def free(self, host: str) -> bool:
        return host not in self.busy and self.now - self.asked.get(host, -math.inf) >= self.delay - SOON

    def ask(self, entry: Entry) -> None:
        host = entry.candidate.host
        self.asked[host] = self.now
        self.busy.add(host)
        heappush(self.under_way, (self.now + self.dice.uniform(*ANSWER), entry.arrival, entry))

    def wait(self, full: bool) -> Entry | None:
        """The next answer; none if a host has become free before, and there is room."""
        free_at = [at + self.delay for host, at in self.asked.items() if host not in self.busy]
        later = min((at for at in free_at if at > self.now + SOON), default=math.inf)
        answer = self.under_way[0][0] if self.under_way else math.inf
        if not full and later < answer:
            self.now = later
            return None
        if not self.under_way:
            return None
        self.now, _, entry = heappop(self.under_way)
        self.busy.discard(entry.candidate.host)
        return entry

    @property
    def at_rest(self) -> bool:
        """Nothing is under way, and no host has a delay to keep."""
        return not self.under_way and all(map(self.free, self.asked))


def crawl(desk: Desk, topic: str, order: str, given: argparse.Namespace, dice: random.Random) -> Crawled:
    """As many pages as are wanted, seeds not counted."""
    about, config = desk.world.topics[topic], unending(desk.config, desk.config.crawl.gamma)
    seeds = [canonical_url(url) or url for url in about.seeds]
    missing = relevant(desk, topic)
    told = given_of(config, Topic(about.words, tuple(seeds)), vector_of=desk.vector_of)
    crawl = crawl_of(config, told, ORDERS[order](told), MemoryFrontier(config.frontier))
    crawl.seed([Candidate(key_of(url).key, url, key_of(url).host, 0) for url in seeds])
    net, hits, times = Net(given.delay, dice), list[bool](), list[float]()
    while len(hits) < given.pages:
        full = len(net.under_way) >= min(given.at_once, given.pages + len(seeds) - len(hits))
        if not full and (entry := crawl.next(net.free)) is not None:
            net.ask(entry)
            continue
        if net.at_rest:
            break
        if (entry := net.wait(full)) is not None:
            fetched = desk.fetch(entry.candidate.url)
            learn(crawl, entry.candidate, fetched)
            if fetched.responded and entry.candidate.depth:
                hits.append(fetched.final_url in missing)
                times.append(net.now)
                missing.discard(fetched.final_url)
    return Crawled(tuple(hits), tuple(times))


def relevant(desk: Desk, topic: str) -> set[str]:
    """Labelled pages, seeds left out."""
    seeds = {canonical_url(url) or url for url in desk.world.topics[topic].seeds}
    return {canonical_url(url) or url for url in desk.world.relevant(topic)} - seeds


def tell(figure: str, r: int, pages: int, seconds: float, runs: Sequence[Crawled]) -> Mapping[str, float]:
    row = {
        "auc by fetches": mean(run.by_fetches(r, pages) for run in runs),
        "auc by time": mean(run.by_time(r, pages, seconds) for run in runs),
        "found": mean(sum(run.hits) for run in runs),
        "seconds": mean(run.times[-1] if run.times else 0.0 for run in runs),
    }
    found = [sum(run.hits) for run in runs]
    told = {name: round(value, 3) for name, value in row.items()}
    apart = round((max(found) - min(found)) / max(1, *found), 3)
    print(json.dumps({"figure": figure, "R": r, **told, "found differs by": apart}), flush=True)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("world")
    parser.add_argument("--topics", default="")
    parser.add_argument("--orders", default="semrank,shark")
    parser.add_argument("--worse", default=f"{tunnel.WORSE}")
    parser.add_argument("--pages", type=int, default=150)
    parser.add_argument("--delay", type=float, default=0.5)
    parser.add_argument("--at-once", type=int, default=16)
    parser.add_argument("--runs", type=int, default=2)
    given = parser.parse_args()
    config: Config = read_config({})
    desk = Desk(given.world, config)
    rows: dict[str, list[Mapping[str, float]]] = {}
    for topic in given.topics.split(",") if given.topics else list(desk.world.topics):
        done: dict[str, list[Crawled]] = {}
        for order in given.orders.split(","):
            for worse in given.worse.split(",") if order == "semrank" else [""]:
                with patch.object(tunnel, "WORSE", float(worse or tunnel.WORSE)):
                    runs = [crawl(desk, topic, order, given, random.Random(run)) for run in range(given.runs)]
                done[f"{order} {worse}".strip()] = runs
        seconds = max(run.times[-1] for runs in done.values() for run in runs if run.times)
        for name, runs in done.items():
            row = tell(f"waiting: {topic}, {name}", len(relevant(desk, topic)), given.pages, seconds, runs)
            rows.setdefault(name, []).append(row)
    for name, told in rows.items():
        means = {key: round(mean(row[key] for row in told), 3) for key in told[0]}
        print(json.dumps({"figure": f"waiting: mean of {len(told)} topics, {name}", **means}))


if __name__ == "__main__":
    main()
