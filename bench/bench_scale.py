"""What does one Redis bear, and what do larger crawls need? Numbers for docs/results/scale.md.

usage: bench_scale.py [--workers 64] [--urls 30000] [--hosts 2000] [--delay 0.005] [--weighed 500000]
       bench_scale.py --parts 1 2 4 [--workers 16] [--urls 4000] [--hosts 400]

``crew.py`` crawls a made-up web with so many workers on one real Redis, and again with one: the difference is what each
worker more costs. What a page costs the worker itself, and what a page costs that another has read, is measured on real
crawls. What larger crawls need is computed from all that by ``needs``, whose formulas are in its docstring.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bench.bench_kill import site
from bench.crew import cut, simulate, weigh
from fcacrawler.app.assembly import crawl_of, given_of
from fcacrawler.app.config import Config
from fcacrawler.crawl import crawl
from fcacrawler.evaluation.run import learn
from fcacrawler.evaluation.web import Fetcher
from fcacrawler.frontier.memory import MemoryFrontier
from fcacrawler.frontier.records import dump_page, load_page
from fcacrawler.orders.semrank.order import SemRank
from fcacrawler.page import key_of
from fcacrawler.values.links import Candidate
from fcacrawler.values.topics import Topic
from fcacrawler.worlds import open_world
from tests.redis_server import serving

FEW, MANY = 100, 400  # pages of the crawls that say what a page costs
BUSY, NODE = 0.7, 48  # CPU and GB of memory that one Redis is given
HEADROOM = 1.4  # its memory by that of its data: fragments and buffers
FLIGHTS, SECONDS = 16, 1.0  # fetches of a worker at once, and what one takes: assumed
COLUMNS = ("URLs", "days", "pages", "pages/s", "crawls", "workers", "GB", "Redis CPU", "web Mbit/s", "Redis Mbit/s")
FIGURES = {
    "busiest": ("Redis CPU ms of the busiest node", 1000),
    "all": ("Redis CPU ms of all nodes", 1000),
    "trips": ("round trips", 1),
    "moved": ("kB to and from Redis", 0.001),
    "seconds": ("ms on the clock", 1000),
}
PAGE = 25_000  # bytes of a page on the wire, compressed: assumed


def hearing(pages: int = 600) -> dict[str, float]:
    """CPU seconds and bytes of learning from a page that another worker has read: the second half of a crawl of the
    demo web, heard in order."""
    config, about = Config(), open_world("demo").topics["auto racing"]
    fetcher = Fetcher(open_world("demo"), config.page)
    one, other = (made(config, Topic(about.words, about.seeds)) for _ in range(2))
    one.seed([Candidate(key_of(url).key, url, key_of(url).host, 0) for url in about.seeds])
    spent, size = 0.0, 0
    for n in range(pages):
        entry = one.next(lambda host: True)
        assert entry is not None
        answer = fetcher.fetch(entry.candidate.url)
        learn(one, entry.candidate, answer)
        if answer.page is not None:
            found = entry.candidate
            record = dump_page(replace(answer.page, url=found.url, depth=found.depth, evidence=found.evidence))
            start = process_time()
            other._learn(load_page(record))
            if n >= pages // 2:
                spent += process_time() - start
                size += len(record)
    return {"heard": 2 * spent / pages, "record": 2 * size / pages}


def made(config: Config, topic: Topic) -> crawl.Crawl:
    given = given_of(config, topic)
    return crawl_of(config, given, SemRank(given), MemoryFrontier(config.frontier))


def working() -> float:
    """CPU seconds of a worker a page of its own: Scrapy, reading, ranking and Redis; what a longer crawl takes more."""
    cpu = {}
    with site(FEW + MANY) as base, serving() as server:
        for pages in (FEW, FEW + MANY):
            settings = {"FCA_GAMMA": "0", "FCA_PATIENCE": "0", "ROBOTSTXT_OBEY": False, "LOG_LEVEL": "ERROR"}
            settings |= {"CONCURRENT_REQUESTS_PER_DOMAIN": 8, "FCA_FRONTIER": server.url, "FCA_CRAWL": f"own{pages}"}
            script = str(Path(__file__).with_name("bench_frontier_cost.py"))
            command = [sys.executable, script, "--one", f"{base}/p/0", json.dumps(settings), "--pages", str(pages)]
            run = subprocess.run(command, capture_output=True, text=True, check=True)
            cpu[pages] = json.loads(run.stdout.splitlines()[-1])["cpu"]
    return float(cpu[FEW + MANY] - cpu[FEW]) / MANY


@dataclass(frozen=True)
class Cost:
    """What was measured. Of Redis and of the network: a page, and a page and worker that hears of it."""

    redis: float  # CPU seconds
    redis_each: float
    moved: float  # bytes
    moved_each: float
    waiting: float  # bytes a URL that waits
    done: float  # bytes a URL that is done
    urls: float  # new URLs a page
    own: float  # CPU seconds of the worker that fetches the page
    heard: float  # CPU seconds of each other worker


@dataclass(frozen=True)
class Need:
    """What a crawl of so many URLs needs."""

    urls: float
    pages: float
    rate: float  # pages a second
    crawls: int  # it is cut into so many, each with a Redis of its own
    workers: int  # in all, a core each
    memory: float  # GB in all, without replicas
    redis: float  # CPU of each Redis
    web: float  # Mbit/s from the web
    inside: float  # Mbit/s between the workers and Redis


def needs(urls: float, cost: Cost, days: float = 30) -> Need:
    """The fewest crawls into which ``urls`` are cut by host so that each bears its part, and what they need in all.

    Of each of S crawls with U = urls / S:
        pages          P = U / u                 u: new URLs a page
        pages/s        R = P / time
        workers        W = R·c / (1 - R·h)       c: CPU of a page of one's own, h: of one heard (W = R·c + W·R·h)
                       and no fewer than R·1 s / 16: a page takes 1 s, and a worker fetches 16 at once
        Redis CPU      R·(a + b·W) ≤ 0.7
        Redis memory   1.4·(P·done + (U - P)·waiting) ≤ 48 GB
    """
    for crawls in range(1, 100_000):
        u = urls / crawls
        pages = u / cost.urls
        rate = pages / (days * 86400)
        if rate * cost.heard >= 0.9:
            continue
        workers = ceil(max(rate * cost.own / (1 - rate * cost.heard), rate * SECONDS / FLIGHTS))
        cpu = rate * (cost.redis + cost.redis_each * workers)
        memory = HEADROOM * (pages * cost.done + (u - pages) * cost.waiting) / 1e9
        if cpu <= BUSY and memory <= NODE:
            inside = rate * (cost.moved + cost.moved_each * workers) * crawls * 8 / 1e6
            web = crawls * rate * PAGE * 8 / 1e6
            return Need(
                urls, crawls * pages, crawls * rate, crawls, crawls * workers, crawls * memory, cpu, web, inside
            )
    raise ValueError(f"{urls:.0g} URLs are too many")


def fastest(cost: Cost) -> tuple[float, int]:
    """The most pages a second of one crawl, and with how many workers: until Redis or hearing of each other is too
    much."""
    rates = []
    for n in range(1, 2000):
        by_workers = n / (cost.own + n * cost.heard)
        by_redis = BUSY / (cost.redis + cost.redis_each * n)
        rates.append((min(by_workers, by_redis), n))
    return max(rates)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=64)
    parser.add_argument("--urls", type=int, default=30_000)
    parser.add_argument("--hosts", type=int, default=2000)
    parser.add_argument("--delay", type=float, default=0.005)
    parser.add_argument("--weighed", type=int, default=500_000)
    parser.add_argument("--parts", type=int, nargs="+", help="only this: the crawl on a cluster of four, so cut")
    given = parser.parse_args()
    n = given.workers
    if given.parts:
        compare_parts(given.parts, n, given.urls, given.hosts, given.delay)
        return
    many = simulate(n, given.urls, given.hosts, given.delay, drain=True)
    one = simulate(1, given.urls, given.hosts, given.delay, drain=False)
    heard, own, weight = hearing(), working(), weigh(given.weighed, given.weighed // 10)
    redis_each, each = (max(0.0, (many[name] - one[name]) / (n - 1)) for name in ("cpu", "moved"))
    cost = Cost(
        redis=one["cpu"] - redis_each,
        redis_each=redis_each,
        moved=one["moved"] - each,
        moved_each=heard["record"],  # the made-up pages are smaller
        **weight,
        urls=many["urls"],
        own=own,
        heard=heard["heard"],
    )
    what = f"{n} workers, {given.urls:,} URLs on {given.hosts:,} hosts"
    tell(f"pages lost, {what}", many["lost"], 0)
    tell(f"pages fetched twice, {what}", many["twice"], 0)
    tell(f"workers that left before all was done, {what}", many["early"], 0)
    tell("closest two fetches of a host, ms (Redis counts whole ones)", many["closest"], 1000 * given.delay)
    tell("likeness of hosts (Jain): their share fetched while the web grew", many["hosts"], 1)
    tell("likeness of workers (Jain): their round trips", many["workers"], 1)
    tell(f"round trips a page, {n} workers against one", many["trips"], one["trips"])
    tell(f"Redis CPU ms a page, {n} workers against one", 1000 * many["cpu"], 1000 * one["cpu"])
    tell(f"kB a page to and from Redis, {n} workers against one", many["moved"] / 1000, one["moved"] / 1000)
    tell("kB of a page as it is shared", heard["record"] / 1000, None)
    tell(f"bytes a URL in Redis of {given.weighed:,}, waiting against done", cost.waiting, cost.done)
    tell("CPU ms of a worker a page, its own against one that it hears of", 1000 * cost.own, 1000 * cost.heard)
    tell(f"pages a second that one Redis bears with {n} workers", BUSY / many["cpu"], None)
    tell("pages a second of one crawl at most, with so many workers", *fastest(cost))
    print(f"| {' | '.join(COLUMNS)} |\n{'| --- ' * len(COLUMNS)}|")
    for urls in (1e7, 1e9, 1e10):
        for days in (1, 30):
            print(row(needs(urls, cost, days), days), flush=True)


def compare_parts(parts: Sequence[int], workers: int, urls: int, hosts: int, delay: float) -> None:
    """Each against the first: while the web grows, then with the rest, where many wait for hosts to be free."""
    one: dict[str, float] = {}
    for n in parts:
        told = cut(workers, urls, hosts, delay, n)
        one = one or told
        what = f"{n} parts, {workers} workers, {urls:,} URLs on {hosts:,} hosts"
        for name in ("lost", "twice", "early"):
            tell(f"{name}, {what}", told[name], 0)
        for when in (", growing", ""):
            for name, (text, units) in FIGURES.items():
                tell(f"{text} a page{when}, {what}", units * told[name + when], units * one[name + when])


def row(need: Need, days: int) -> str:
    sizes = [f"{n:,.0f}" for n in (need.urls, days, need.pages)] + [f"{need.rate:,.1f}"]
    parts = [f"{n:,.0f}" for n in (need.crawls, need.workers, need.memory)] + [f"{need.redis:.1%}"]
    return f"| {' | '.join([*sizes, *parts, f'{need.web:,.0f}', f'{need.inside:,.0f}'])} |"


def tell(name: str, value: float, against: float | None) -> None:
    ratio = round(value / against, 3) if against else None
    against = against if against is None else round(against, 3)
    print(json.dumps({"figure": name, "value": round(value, 3), "against": against, "ratio": ratio}), flush=True)


if __name__ == "__main__":
    main()
