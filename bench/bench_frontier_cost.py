"""What durability and sharing cost: CPU of a crawl by frontier; throughput and bytes in Redis beside scrapy-redis.

usage: bench_frontier_cost.py [--pages 600] [--urls 1000000] [--probe 20000] [--only crawl|throughput]

The crawl is the real one over HTTP, semrank order, each frontier in a process of its own. The three run a quarter of a
second in turn, so that what else the machine does hits all; three rounds are added up. Throughput: with so many URLs in
Redis, so many more are pushed (in pages of 50 links) and popped, from the link as its page has it to a Request in hand,
over TCP: on this machine, wherever it puts client and server; with a processor for each; and over a line of half a
millisecond there and back. scrapy-redis is driven through its own queue and dupefilter. Bytes are Redis's used_memory
by URL, for the same URLs; ours have their link's anchor and context with them.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, process_time, sleep
from typing import Any

import redis
import scrapy

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from bench.bench_kill import site  # noqa: E402
from fcacrawler.addon import focus_of  # noqa: E402
from fcacrawler.frontier.options import FrontierOptions  # noqa: E402
from fcacrawler.frontier.redis.frontier import RedisFrontier  # noqa: E402
from fcacrawler.frontier.redis.joining import Joining  # noqa: E402
from fcacrawler.page import key_of  # noqa: E402
from fcacrawler.spiders.semrank import SemRankSpider  # noqa: E402
from fcacrawler.values.links import Candidate, Evidence  # noqa: E402
from tests.crawling import crawl  # noqa: E402
from tests.redis_server import free_port, serving  # noqa: E402

LINKS = 50  # of a page
TURNS = 3
SLICE = 0.25  # seconds that a crawl runs while the others are stopped
ROUNDS = 10
LINE = 0.0005  # seconds there and back, between machines of one data centre


def one(seed: str, pages: int, settings: dict[str, Any]) -> None:
    """A crawl in this process; prints its CPU seconds and round trips."""
    start = process_time()
    outcome = crawl(SemRankSpider, settings, topic="lattice", seeds=seed, pages=str(pages))
    frontier = focus_of(outcome.crawler).parts.crawl.frontier
    trips = frontier.trips if isinstance(frontier, RedisFrontier) else 0
    fetched = outcome.stats.get("fca/pages", 0)
    print(json.dumps({"cpu": process_time() - start, "trips": trips, "pages": fetched}))


def crawls(pages: int) -> None:
    cost: dict[str, float] = {}
    trips = 0.0
    with site(pages) as base, serving() as server:
        in_turns({"first": {}}, f"{base}/p/0", 20)  # which may have loops to compile
        for turn in range(TURNS):
            with tempfile.TemporaryDirectory() as folder:
                kinds: dict[str, dict[str, Any]] = {
                    "memory": {},
                    "sqlite": {"JOBDIR": folder},
                    "redis": {"FCA_FRONTIER": server.url, "FCA_CRAWL": f"cost{turn}"},
                }
                for name, told in in_turns(kinds, f"{base}/p/0", pages).items():
                    assert told["pages"] == pages, told
                    cost[name] = cost.get(name, 0.0) + 1000 * told["cpu"] / pages / TURNS
                    trips += told["trips"] / pages / TURNS
                    print(f"{name}: {1000 * told['cpu'] / pages:.2f} ms CPU a page", flush=True)
    for name in ("sqlite", "redis"):
        figure(f"CPU ms a page, {name} against memory", cost[name], cost["memory"])
    figure("round trips to Redis a page", trips, 0.5)


def in_turns(kinds: dict[str, dict[str, Any]], seed: str, pages: int) -> dict[str, Any]:
    """A crawl for each of these settings, all at once but one at a time; what each says at its end."""
    same = {"FCA_GAMMA": "0", "FCA_PATIENCE": "0", "ROBOTSTXT_OBEY": False, "LOG_LEVEL": "ERROR"}
    same |= {"CONCURRENT_REQUESTS_PER_DOMAIN": 8}
    with ExitStack() as stack:
        runs = {}
        for name, settings in kinds.items():
            command = [sys.executable, __file__, "--one", seed, json.dumps(same | settings), "--pages", str(pages)]
            run = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            runs[name] = stack.enter_context(run)
            stack.callback(run.kill)
            run.send_signal(signal.SIGSTOP)
        while going := [run for run in runs.values() if run.poll() is None]:
            for run in going:
                run.send_signal(signal.SIGCONT)
                with suppress(subprocess.TimeoutExpired):
                    run.wait(SLICE)
                    continue
                run.send_signal(signal.SIGSTOP)
        return {name: json.loads(run.stdout.read().splitlines()[-1]) for name, run in runs.items() if run.stdout}


def figure(name: str, value: float, against: float) -> None:
    ratio = round(value / against, 3) if against else None
    print(json.dumps({"figure": name, "value": round(value, 3), "against": round(against, 3), "ratio": ratio}))


@dataclass(frozen=True)
class Found:
    """A link as a page has it; 50 URLs a host."""

    number: int

    @property
    def url(self) -> str:
        return f"http://www.host{self.number // 50}.example/articles/{self.number}"

    @property
    def parent(self) -> str:
        return f"http://www.host{self.number // 50}.example/articles/{self.number // LINKS}"

    @property
    def rank(self) -> float:
        return self.number * 2654435761 % 2**32 / 2**32


class Ours:
    """Per link: its key, the dupe check, record with anchor and context, rank, the queue of its host; told page by
    page. Popped: leases in lots, a Request each, and its end (scrapy-redis has none: a kill loses what is popped)."""

    def __init__(self, url: str) -> None:
        self.frontier = RedisFrontier(url, "cost", FrontierOptions(), {}, Joining(ahead=LINKS))

    def push(self, found: Sequence[Found]) -> None:
        context = "the context of a link is the words that stand just before it and after it"
        for i in range(0, len(found), LINKS):
            page = {}
            for position, f in enumerate(found[i : i + LINKS]):
                key, host = key_of(f.url)
                evidence = Evidence(f.parent, "a link", context, position, LINKS)
                page[key] = f.rank, Candidate(key, f.url, host, 3, (evidence,))
            waiting = self.frontier.add([c for _, c in page.values()])
            self.frontier.update([(c.key, page[c.key][0]) for c in waiting], 1)
        self.frontier.sync()

    fill = push

    def pop(self, n: int) -> None:
        for _ in range(n):
            entry = self.frontier.lease(lambda host: True, -1.0)
            assert entry is not None
            scrapy.Request(entry.candidate.url)
            self.frontier.done(entry.candidate.key)


class Theirs:
    """Per link: a Request, the dupe check, the queue by priority; popped: a Request. A round trip each."""

    def __init__(self, url: str) -> None:
        from scrapy_redis.dupefilter import RFPDupeFilter
        from scrapy_redis.queue import PriorityQueue

        self.server = redis.Redis.from_url(url)
        self.queue = PriorityQueue(self.server, scrapy.Spider("cost"), "cost:requests")
        self.seen = RFPDupeFilter(self.server, "cost:dupefilter")

    def fill(self, found: Sequence[Found]) -> None:
        """As ``push``, but many at once, which scrapy-redis does not: to begin the measurement with a full queue."""
        for i in range(0, len(found), 1000):
            pipeline = self.server.pipeline(transaction=False)
            for f in found[i : i + 1000]:
                request = self.request(f)
                pipeline.sadd(self.seen.key, self.seen.request_fingerprint(request))
                pipeline.zadd(self.queue.key, {self.queue._encode_request(request): -request.priority})
            pipeline.execute()

    def request(self, f: Found) -> scrapy.Request:
        return scrapy.Request(f.url, priority=int(1000 * f.rank), meta={"depth": 3})

    def push(self, found: Sequence[Found]) -> None:
        for f in found:
            request = self.request(f)
            if not self.seen.request_seen(request):
                self.queue.push(request)

    def pop(self, n: int) -> None:
        for _ in range(n):
            assert self.queue.pop() is not None


def throughput(urls: int, probe: int) -> None:
    """Both hold so many URLs; then they take turns, so that what else the machine does hits both."""
    kinds: dict[str, type[Ours | Theirs]] = {"ours": Ours, "scrapy-redis": Theirs}
    with ExitStack() as stack:
        ports, clients, size, servers = {}, {}, {}, []
        for name, kind in kinds.items():
            ports[name] = free_port()
            server = stack.enter_context(serving("--port", str(ports[name])))
            clients[name] = stack.enter_context(closing(redis.Redis.from_url(server.url)))
            assert server.process is not None
            servers.append(server.process.pid)
            before = clients[name].info("memory")["used_memory"]
            kind(server.url).fill([Found(n) for n in range(urls)])
            size[name] = (clients[name].info("memory")["used_memory"] - before) / urls
            print(f"{name}: {size[name]:.0f} bytes a URL", flush=True)
        figure("bytes a waiting URL in Redis, ours against scrapy-redis", size["ours"], size["scrapy-redis"])
        wheres = {"on this machine": 0.0, "with a processor each": 0.0, f"over a line of {1000 * LINE} ms": LINE}
        for where, line in wheres.items():
            sides = {name: kind(stack.enter_context(reached(ports[name], line))) for name, kind in kinds.items()}
            with apart(servers) if "each" in where else nullcontext():
                compare(sides, clients, range(urls, urls := urls + probe), where)


@contextmanager
def apart(servers: Sequence[int]) -> Iterator[None]:
    """This process on one processor, those on another, where the system lets us."""
    usable = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_setaffinity") else []
    if len(usable) < 2:
        yield
        return
    os.sched_setaffinity(0, usable[:1])
    for pid in servers:
        os.sched_setaffinity(pid, usable[1:2])
    yield
    for pid in (0, *servers):
        os.sched_setaffinity(pid, usable)


def compare(sides: dict[str, Ours | Theirs], clients: dict[str, redis.Redis], numbers: range, where: str) -> None:
    walls: dict[str, list[float]] = {name: [] for name in sides}
    cpus: dict[str, list[float]] = {name: [] for name in sides}
    step = len(numbers) // ROUNDS
    for n in numbers[::step]:
        found = [Found(i) for i in range(n, n + step)]
        for name, side in sides.items():
            wall, cpu = perf_counter(), process_time() + spent(clients[name])
            side.push(found)
            side.pop(step)
            walls[name].append((perf_counter() - wall) / step)
            cpus[name].append((process_time() + spent(clients[name]) - cpu) / step)
    rate = {name: 1 / median(walls[name]) for name in sides}
    cpu_time = {name: 1e6 * median(cpus[name]) for name in sides}
    figure(f"push+pop a second {where}, ours against scrapy-redis", rate["ours"], rate["scrapy-redis"])
    figure(f"CPU µs of client and server a push+pop {where}", cpu_time["ours"], cpu_time["scrapy-redis"])


@contextmanager
def reached(port: int, line: float) -> Iterator[str]:
    """The URL of the Redis at this port, at the end of a line that takes so many seconds there and back."""
    if not line:
        yield f"redis://127.0.0.1:{port}"
        return
    near = free_port()
    command = [sys.executable, str(ROOT / "bench/slow_line.py"), str(near), str(port), str(line)]
    with subprocess.Popen(command) as process:
        try:
            while not answers(near):
                sleep(0.05)
            yield f"redis://127.0.0.1:{near}"
        finally:
            process.terminate()


def answers(port: int) -> bool:
    with socket.socket() as s:
        return s.connect_ex(("127.0.0.1", port)) == 0


def spent(client: redis.Redis) -> float:
    """CPU seconds of the server so far."""
    told = client.info("cpu")
    return float(told["used_cpu_user"] + told["used_cpu_sys"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=600)
    parser.add_argument("--urls", type=int, default=1_000_000)
    parser.add_argument("--probe", type=int, default=20_000)
    parser.add_argument("--only", choices=["crawl", "throughput"])
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        one(given.one[0], given.pages, json.loads(given.one[1]))
        return
    if given.only != "throughput":
        crawls(given.pages)
    if given.only != "crawl":
        if importlib.util.find_spec("scrapy_redis") is None:
            print("throughput beside scrapy-redis is left out: pip install scrapy-redis")
        else:
            throughput(given.urls, given.probe)


if __name__ == "__main__":
    main()
