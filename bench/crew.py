"""Many workers in turn on one real Redis and its real scripts, crawling a web that is made up. For bench_scale.py.

Hosts by Zipf's law, 5 to 100 links a page, half of them new, the others to pages beside or to the most linked ones. It
grows until it has so many URLs (*grow*: pages come in, are shared, learned from and ranked by); what is left is then
fetched without a page (*drain*) until every worker finds by itself that the crawl is over. A turn of a worker lands
what it leased in its turn before and leases anew, 16 at most. The network is a Unix socket: what is measured is Redis's
CPU, its memory, and bytes.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from math import inf
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import redis

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from fcacrawler.frontier import Entry
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.redis.cut import SLOTS
from fcacrawler.frontier.redis.frontier import RedisFrontier
from fcacrawler.frontier.redis.joining import Joining
from fcacrawler.frontier.redis.parted import PartedFrontier
from fcacrawler.page import key_of, vector
from fcacrawler.values.links import Candidate, Evidence, Link
from fcacrawler.values.pages import SeenPage
from tests.redis_server import free_port, serving

FLIGHTS = 16  # fetches of a worker at once
RELEVANT = 0.3  # of the pages
REFRESHED, EVERY = 200, 1000  # a worker ranks so many again every so many pages: semrank's 1 % of 100,000 pages
WORDS = (
    "racing car season team driver engine circuit lap championship formula rally museum history club tyre speed track "
    "river market winter garden letter song village street piano doctor teacher window cloud sailor bread soup"
).split()


class Web:
    """Grows as it is read, up to ``most`` URLs."""

    def __init__(self, most: int, hosts: int) -> None:
        self.rng = random.Random(1)
        self.most = most
        self.names = [f"www.host{n}.example" for n in range(hosts)]
        self.shares = [1 / (n + 1) for n in range(hosts)]
        self.host: list[str] = self.rng.choices(self.names, self.shares, k=100)  # by number of URL

    @property
    def whole(self) -> bool:
        return len(self.host) >= self.most

    def url(self, n: int) -> str:
        return f"https://{self.host[n]}/section/{n % 97}/a-title-of-some-words-{n}"

    def links(self, n: int) -> list[Link]:
        words = self.rng.choices(WORDS, k=40)
        numbers = {self.linked(n) for _ in range(min(100, 5 + int(self.rng.expovariate(1 / 20))))}
        return [
            Link(self.url(m), " ".join(words[i % 9 :][:4]), " ".join(words[i % 9 :][:24]), i)
            for i, m in enumerate(sorted(numbers))
        ]

    def page(self, url: str) -> SeenPage:
        links = self.links(int(url.rpartition("-")[2]))
        words = self.rng.choices(WORDS, k=300)
        text = " ".join(f"{w}{self.rng.randrange(40)}" for w in words)
        keywords = tuple((w, 1.0) for w in dict.fromkeys(words[:12]))
        return SeenPage(url, text[:40], "en", 3, keywords, vector(text, "en"), tuple(links), (), text[:2000])

    def linked(self, n: int) -> int:
        rng, kind = self.rng, self.rng.random()
        if kind < 0.5 and not self.whole:
            self.host.append(self.host[n] if rng.random() < 0.75 else rng.choices(self.names, self.shares)[0])
            return len(self.host) - 1
        if kind < 0.9:
            return max(0, min(len(self.host) - 1, n + rng.randrange(-20, 21)))
        return int(len(self.host) * rng.random() ** 4)


def candidate(link: Link, parent: str) -> Candidate:
    key, host = key_of(link.url)
    return Candidate(key, link.url, host, 3, (Evidence(parent, link.anchor, link.context, link.position, 25),))


@dataclass
class Worker:
    frontier: RedisFrontier | PartedFrontier
    flights: list[Entry] = field(default_factory=list)
    heard: int = 0  # pages observed, by all
    epoch: int = 0  # how often the best have been ranked again
    over_at: int = -1  # how many were done when it found that the crawl is over
    synced: float = 0.0


class Crew:
    """Workers that take turns."""

    def __init__(self, url: str, workers: int, web: Web, delay: float, parts: int = 1) -> None:
        self.web, self.delay = web, delay
        self.rng = random.Random(2)
        options = FrontierOptions(shared_pages=1000, parts=parts)
        kind = PartedFrontier if parts > 1 else RedisFrontier
        self.workers = [Worker(kind(url, "scale", options, {}, Joining(ahead=4))) for _ in range(workers)]
        for w in self.workers:
            w.frontier.polite(lambda host: delay, 1)
        self.fetched: Counter[str] = Counter()
        self.by_host: Counter[str] = Counter()
        self.landed_at: dict[str, float] = {}
        self.closest = inf  # seconds between two fetches of a host
        self.push(self.workers[0], [candidate(Link(web.url(n), "", "", n), "") for n in range(100)])

    def push(self, worker: Worker, links: list[Candidate]) -> None:
        waiting = worker.frontier.add(links)
        self.rank(worker, waiting)

    def rank(self, worker: Worker, waiting: list[Candidate]) -> bool:
        worker.frontier.update([(c.key, self.rng.random() ** 3) for c in waiting], worker.epoch)
        return bool(waiting)

    def turn(self, worker: Worker) -> None:
        frontier = worker.frontier
        for landed in worker.flights:
            self.land(worker, landed)
        worker.flights.clear()
        busy: set[str] = set()
        while len(worker.flights) < FLIGHTS:
            self.hear(worker)
            entry = frontier.lease(lambda host: host not in busy, -1.0)
            if entry is None:
                if self.rank(worker, frontier.outdated()):
                    continue
                break
            host = entry.candidate.host
            self.closest = min(self.closest, monotonic() - self.landed_at.get(host, -inf))
            busy.add(host)
            worker.flights.append(entry)
        if monotonic() - worker.synced > 1:
            frontier.sync()
            worker.synced = monotonic()

    def land(self, worker: Worker, entry: Entry) -> None:
        key, url, host = entry.candidate.key, entry.candidate.url, entry.candidate.host
        self.fetched[url] += 1
        self.by_host[host] += 1
        if not self.web.whole:
            page = self.web.page(url)
            worker.frontier.record(key, page, self.rng.random() < RELEVANT)
            worker.heard += 1
            self.push(worker, [candidate(link, url) for link in page.links])
        worker.frontier.done(key)
        self.landed_at[host] = monotonic()

    def hear(self, worker: Worker) -> None:
        """As ``crawl.Crawl.share`` does; the best are ranked again as often as semrank learns."""
        frontier = worker.frontier
        for page in frontier.observed():
            frontier.heard([candidate(link, page.url) for link in page.links])
            worker.heard += 1
        if worker.heard >= EVERY * (worker.epoch + 1):
            worker.epoch += 1
            self.rank(worker, [e.candidate for e in frontier.at_hand(REFRESHED)])
        self.rank(worker, frontier.outdated())

    def over(self, worker: Worker) -> bool:
        frontier = worker.frontier
        return not worker.flights and frontier.best() is None and frontier.quiet()


def at_work(crew: Crew, grow: bool) -> None:
    """Turns until the web is whole, or until all workers have gone."""
    here = [w for w in crew.workers if w.over_at < 0]
    told = monotonic()
    while here and not (grow and crew.web.whole):
        for worker in here:
            crew.turn(worker)
            if crew.over(worker):
                worker.over_at = sum(crew.fetched.values())
                worker.frontier.close()
        here = [w for w in here if w.over_at < 0]
        fetched = sum(crew.fetched.values())
        if monotonic() > told + 5:
            told = monotonic()
            print(
                f"{len(crew.workers)} workers: {fetched} pages of {len(crew.web.host)} URLs",
                file=sys.stderr,
                flush=True,
            )


def weigh(urls: int, done: int) -> dict[str, float]:
    """Bytes in Redis of a URL that waits and of one that is done, of so many, where so few have been fetched."""
    with serving() as server, closing(redis.Redis.from_url(server.url)) as client:
        made = partial(RedisFrontier, server.url, "scale", FrontierOptions(shared_pages=100), {}, Joining(ahead=100))
        made().close()
        empty = client.info("memory")["used_memory_dataset"]
        frontier, web, rng = made(), Web(urls, urls // 50), random.Random(3)
        while not web.whole:
            n = rng.randrange(len(web.host))
            waiting = frontier.add([candidate(link, web.url(n)) for link in web.links(n)])
            frontier.update([(c.key, rng.random() ** 3) for c in waiting], 1)
            frontier.sync()
        sizes = frontier.sizes(0.0)
        frontier.close()
        full = client.info("memory")["used_memory_dataset"]
        frontier = made()
        for _ in range(done):
            entry = frontier.lease(lambda host: True, -1.0)
            assert entry is not None
            frontier.done(entry.candidate.key)
        frontier.close()
        left = client.info("memory")["used_memory_dataset"]
    each = (full - empty) / (sizes.running + sizes.waiting)
    return {"waiting": each, "done": each - (full - left) / done}


def spent(client: redis.Redis, crew: Crew) -> dict[str, float]:
    info: dict[str, Any] = client.info("all")
    trips = sum(w.frontier.trips for w in crew.workers)
    moved = info["total_net_input_bytes"] + info["total_net_output_bytes"]
    cpu = info["used_cpu_user"] + info["used_cpu_sys"]
    pages = sum(crew.fetched.values())
    return {"cpu": cpu, "moved": moved, "trips": trips, "pages": pages, "urls": len(crew.web.host)}


def simulate(workers: int, urls: int, hosts: int, delay: float, drain: bool) -> dict[str, float]:
    """What a page takes while the web grows and, if it is drained too, whether all went well."""
    with serving() as server, closing(redis.Redis.from_url(server.url)) as client:
        crew = Crew(server.url, workers, Web(urls, hosts), delay)
        start = spent(client, crew)
        at_work(crew, grow=True)
        end = spent(client, crew)
        pages = end.pop("pages") - start["pages"]
        told = {name: (end[name] - start[name]) / pages for name in end}
        told["workers"] = jain([w.frontier.trips for w in crew.workers])
        if drain:
            half = Counter(crew.by_host)
            at_work(crew, grow=False)
            told |= check(crew, half)
        else:
            for worker in crew.workers:
                worker.frontier.close()
    return told


@contextmanager
def cluster(masters: int) -> Iterator[list[redis.Redis]]:
    """Nodes on loopback, with a stretch of slots each; the first is their door."""
    with ExitStack() as stack:
        nodes, ports = [], [free_port() for _ in range(masters)]
        for port in ports:
            stack.enter_context(serving("--port", str(port), "--cluster-enabled", "yes"))
            nodes.append(stack.enter_context(closing(redis.Redis(port=port))))
        for i, node in enumerate(nodes):
            node.execute_command("CLUSTER", "ADDSLOTS", *range(SLOTS * i // masters, SLOTS * (i + 1) // masters))
            node.execute_command("CLUSTER", "SET-CONFIG-EPOCH", i + 1)
            node.execute_command("CLUSTER", "MEET", "127.0.0.1", ports[0])
        while any(node.cluster("info")["cluster_state"] != "ok" for node in nodes):
            sleep(0.1)
        yield nodes


def cut(workers: int, urls: int, hosts: int, delay: float, parts: int) -> dict[str, float]:
    """The same on a cluster of four nodes, a page: while the web grows, and from beginning to end. What a node takes
    that is asked nothing, by the clock, is in it; ``seconds`` is how long all took."""
    with cluster(4) as nodes:
        port = nodes[0].connection_pool.connection_kwargs["port"]
        crew = Crew(f"redis://127.0.0.1:{port}/0?cluster=1", workers, Web(urls, hosts), delay, parts)
        start = of_nodes(nodes, crew)
        at_work(crew, grow=True)
        grown = of_nodes(nodes, crew)
        half = Counter(crew.by_host)
        at_work(crew, grow=False)
        told = {f"{name}, growing": n for name, n in a_page(start, grown).items()}
        return told | a_page(start, of_nodes(nodes, crew)) | check(crew, half)


@dataclass(frozen=True)
class OfNodes:
    """So far."""

    pages: int
    trips: int
    cpu: Sequence[float]  # seconds of each node
    moved: int  # bytes to and from all
    at: float


def of_nodes(nodes: Sequence[redis.Redis], crew: Crew) -> OfNodes:
    infos: list[Any] = [node.info("all") for node in nodes]
    return OfNodes(
        sum(crew.fetched.values()),
        sum(w.frontier.trips for w in crew.workers),
        [info["used_cpu_user"] + info["used_cpu_sys"] for info in infos],
        sum(info["total_net_input_bytes"] + info["total_net_output_bytes"] for info in infos),
        monotonic(),
    )


def a_page(start: OfNodes, end: OfNodes) -> dict[str, float]:
    spent, pages = [b - a for a, b in zip(start.cpu, end.cpu, strict=True)], end.pages - start.pages
    return {
        "busiest": max(spent) / pages,
        "all": sum(spent) / pages,
        "trips": (end.trips - start.trips) / pages,
        "moved": (end.moved - start.moved) / pages,
        "seconds": (end.at - start.at) / pages,
    }


def check(crew: Crew, half: Mapping[str, int]) -> dict[str, float]:
    """Whether anything was lost or fetched twice, who found the end and when, and whether hosts were treated alike."""
    urls = [crew.web.url(n) for n in range(len(crew.web.host))]
    sizes = Counter(crew.web.host)
    shares = [half[host] / n for host, n in sizes.items() if n >= 20]
    return {
        "lost": sum(url not in crew.fetched for url in urls),
        "twice": sum(n - 1 for n in crew.fetched.values()),
        "early": sum(w.over_at < len(urls) for w in crew.workers),
        "hosts": jain(shares),
        "closest": 1000 * crew.closest,
    }


def jain(values: Sequence[float]) -> float:
    """Jain's index, 1 if all are alike: (Σx)² / (n·Σx²)."""
    return sum(values) ** 2 / (len(values) * sum(x * x for x in values))
