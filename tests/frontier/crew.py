"""Workers in turn on one crawl in Redis, over a web whose links are numbers. What is fetched, and who leaves when, is
told."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf

import redis

from fcacrawler.frontier import Entry
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.redis.cut import names_of
from fcacrawler.frontier.redis.frontier import RedisFrontier
from fcacrawler.frontier.redis.joining import Joining
from fcacrawler.frontier.redis.parted import PartedFrontier
from fcacrawler.values.links import Candidate, Evidence

CRAWL = {"topic": "test"}


def everywhere(host: str) -> bool:
    return True


def worker(url: str, parts: int, budget: int = 0, name: str = "x", **more: int) -> PartedFrontier | RedisFrontier:
    kind = PartedFrontier if parts > 1 else RedisFrontier
    return kind(url, name, FrontierOptions(parts=parts, **more), CRAWL, Joining(budget))  # type: ignore[arg-type]


class Web:
    """Page n links to 2n + 1, 2n + 2 and three others."""

    def __init__(self, pages: int, hosts: int = 40) -> None:
        rng = random.Random(pages)
        self.pages = pages
        self.hosts = [f"h{rng.randrange(hosts)}.test" for _ in range(pages)]
        some = [{2 * n + 1, 2 * n + 2, *rng.sample(range(pages), 3)} for n in range(pages)]
        self.links = [sorted(m for m in found if m < pages) for found in some]

    def candidate(self, n: int, parent: str = "") -> Candidate:
        evidence = (Evidence(parent, f"to {n}", "around", 0, 5),) if parent else ()
        return Candidate(b"k%d" % n, f"http://{self.hosts[n]}/{n}", self.hosts[n], int(parent != ""), evidence)


@dataclass
class Crew:
    """``make`` makes a worker. ``fetched`` is how often each page was, ``left`` how many were when each worker left."""

    make: Callable[[], PartedFrontier | RedisFrontier]
    web: Web
    size: int
    fetched: Counter[int] = field(default_factory=Counter)
    left: list[int] = field(default_factory=list)
    flights: list[list[Entry]] = field(default_factory=list)
    workers: list[PartedFrontier | RedisFrontier] = field(default_factory=list)
    rng: random.Random = field(default_factory=lambda: random.Random(1))

    def begin(self) -> None:
        for _ in range(self.size):
            self.join()
        for one in self.workers:
            one.update([(c.key, 1.0) for c in one.add([self.web.candidate(0)])], 0)

    def join(self) -> None:
        self.workers.append(self.make())
        self.flights.append([])

    def kill(self, n: int) -> None:
        """Nothing more is heard of it, whatever it holds and has not told."""
        del self.workers[n], self.flights[n]

    def turn(self, n: int) -> None:
        one, flights = self.workers[n], self.flights[n]
        self._rank(one, one.outdated())
        while len(flights) < 3 and (entry := one.lease(everywhere, -inf)):
            flights.append(entry)
        if flights:
            entry = flights.pop(0)
            page = int(entry.candidate.key[1:])
            self._rank(one, one.add([self.web.candidate(m, entry.candidate.url) for m in self.web.links[page]]))
            one.done(entry.candidate.key)
            self.fetched[page] += 1
        if self.rng.random() < 0.02:
            one.sync()

    def _rank(self, one: PartedFrontier | RedisFrontier, waiting: Sequence[Candidate]) -> None:
        one.update([(c.key, self.rng.random()) for c in waiting], 1)

    def all_go(self) -> None:
        """What is in flight waits again."""
        for flights, one in zip(self.flights, self.workers, strict=True):
            for entry in flights:
                one.release(entry.candidate.key, counted=False)
        for one in self.workers:
            one.close()
        self.workers.clear()
        self.flights.clear()

    def to_the_end(self, budget: int = 0) -> None:
        """Until each worker has found that all is over."""
        while self.workers:
            for n in range(len(self.workers) - 1, -1, -1):
                self.turn(n)
                one = self.workers[n]
                enough = budget and one.fetched + one.elsewhere >= budget
                if not self.flights[n] and (enough or one.best() is None) and one.quiet():
                    self.left.append(len(self.fetched))
                    one.close()
                    self.kill(n)


def forget_the_dead(client: redis.Redis, parts: int) -> None:
    """As if all leases of now were over."""
    for part in names_of("x", parts):
        client.zunionstore(key := f"fcacrawler:{{{part}}}:deadlines", {key: 0})
