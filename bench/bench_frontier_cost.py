"""What durability and sharing cost: CPU of a crawl by frontier; throughput and bytes in Redis beside scrapy-redis.

usage: bench_frontier_cost.py [--pages 600] [--urls 1000000] [--probe 20000]

The crawl is the real one over HTTP, semrank order, each frontier in a process of its own, in turn, three times; the
least CPU time counts. Throughput: with so many URLs in Redis, so many more are pushed (in pages of 20 links) and
popped. scrapy-redis is driven through its own queue and dupefilter. Bytes are Redis's used_memory by URL, for the same
URLs; ours have their link's anchor and context with them.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
import tempfile
from contextlib import closing
from math import inf
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import redis
import scrapy

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from bench.bench_kill import site  # noqa: E402
from fcacrawler.addon import focus_of  # noqa: E402
from fcacrawler.frontier.options import FrontierOptions  # noqa: E402
from fcacrawler.frontier.redis import RedisFrontier  # noqa: E402
from fcacrawler.items import Candidate, Evidence  # noqa: E402
from fcacrawler.page import key_of  # noqa: E402
from fcacrawler.spiders.semrank import SemRankSpider  # noqa: E402
from tests.crawling import crawl  # noqa: E402
from tests.redis_server import serving  # noqa: E402

LINKS = 20


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
        for turn in range(3):
            for name in ("memory", "sqlite", "redis"):
                settings = {"FCA_GAMMA": "0", "FCA_PATIENCE": "0", "ROBOTSTXT_OBEY": False, "LOG_LEVEL": "ERROR"}
                settings |= {"CONCURRENT_REQUESTS_PER_DOMAIN": 8}
                with tempfile.TemporaryDirectory() as folder:
                    if name == "sqlite":
                        settings["JOBDIR"] = folder
                    elif name == "redis":
                        settings |= {"FCA_FRONTIER": server.url, "FCA_CRAWL": f"cost{turn}"}
                    command = [sys.executable, __file__, "--one", f"{base}/p/0", json.dumps(settings)]
                    run = subprocess.run([*command, "--pages", str(pages)], capture_output=True, text=True, check=True)
                told = json.loads(run.stdout.splitlines()[-1])
                assert told["pages"] == pages, told
                cost[name] = min(cost.get(name, inf), 1000 * told["cpu"] / pages)
                trips = told["trips"] / pages if name == "redis" else trips
                print(f"{name}: {1000 * told['cpu'] / pages:.2f} ms CPU a page", flush=True)
    for name in ("sqlite", "redis"):
        figure(f"CPU ms a page, {name} against memory", cost[name], cost["memory"])
    figure("round trips to Redis a page", trips, 0.5)


def figure(name: str, value: float, against: float) -> None:
    ratio = round(value / against, 3) if against else None
    print(json.dumps({"figure": name, "value": round(value, 3), "against": round(against, 3), "ratio": ratio}))


def candidate(n: int) -> Candidate:
    url = f"http://www.host{n // 50 % 20_000}.example/articles/{n}"
    parent = f"http://www.host{n // 50 % 20_000}.example/articles/{n // LINKS}"
    context = "the context of a link is the words that stand just before it and after it"
    return Candidate(*key_of(url)[:1], url, key_of(url)[1], 3, (Evidence(parent, "a link", context, n % LINKS, LINKS),))


class Ours:
    def __init__(self, url: str) -> None:
        self.frontier = RedisFrontier(url, "cost", FrontierOptions(), {}, ahead=LINKS)

    def push(self, numbers: range) -> None:
        for i in range(numbers.start, numbers.stop, LINKS):
            found = self.frontier.add([candidate(n) for n in range(i, min(i + LINKS, numbers.stop))])
            self.frontier.update([(c.key, (c.key[5] + 256 * c.key[6]) / 65536) for c in found], 1)
            self.frontier.sync()

    def pop(self, n: int) -> None:
        for _ in range(n):
            entry = self.frontier.lease(lambda host: True, -1.0)
            assert entry is not None
            self.frontier.done(entry.candidate.key)


class Theirs:
    def __init__(self, url: str) -> None:
        from scrapy_redis.dupefilter import RFPDupeFilter
        from scrapy_redis.queue import PriorityQueue

        self.spider = scrapy.Spider("cost")
        server = redis.Redis.from_url(url)
        self.queue = PriorityQueue(server, self.spider, "cost:requests")
        self.seen = RFPDupeFilter(server, "cost:dupefilter")

    def push(self, numbers: range) -> None:
        for n in numbers:
            c = candidate(n)
            rank = (c.key[5] + 256 * c.key[6]) / 65536
            request = scrapy.Request(c.url, priority=int(1000 * rank), meta={"depth": 3})
            if not self.seen.request_seen(request):
                self.queue.push(request)

    def pop(self, n: int) -> None:
        for _ in range(n):
            assert self.queue.pop() is not None


def throughput(urls: int, probe: int) -> None:
    rate: dict[str, float] = {}
    size: dict[str, float] = {}
    for name, kind in (("ours", Ours), ("scrapy-redis", Theirs)):
        with serving() as server, closing(redis.Redis.from_url(server.url)) as client:
            queue = kind(server.url)
            before = client.info("memory")["used_memory"]
            queue.push(range(urls))
            size[name] = (client.info("memory")["used_memory"] - before) / urls
            start = perf_counter()
            queue.push(range(urls, urls + probe))
            queue.pop(probe)
            rate[name] = probe / (perf_counter() - start)
            print(f"{name}: {rate[name]:.0f} pushed and popped a second, {size[name]:.0f} bytes a URL", flush=True)
    figure(f"push+pop a second at {urls} URLs, ours against scrapy-redis", rate["ours"], rate["scrapy-redis"])
    figure("bytes a waiting URL in Redis, ours against scrapy-redis", size["ours"], size["scrapy-redis"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=600)
    parser.add_argument("--urls", type=int, default=1_000_000)
    parser.add_argument("--probe", type=int, default=20_000)
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        one(given.one[0], given.pages, json.loads(given.one[1]))
    else:
        crawls(given.pages)
        if importlib.util.find_spec("scrapy_redis") is None:
            print("throughput beside scrapy-redis is left out: pip install scrapy-redis")
        else:
            throughput(given.urls, given.probe)


if __name__ == "__main__":
    main()
