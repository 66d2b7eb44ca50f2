"""What does a crawl lose when it is killed (kill -9) and goes on?

usage: bench_kill.py [--runs 20] [--peers 5] [--pages 2000] [--systems sqlite redis cluster jobdir scrapy-redis]

A site of so many pages is crawled; at a random moment one process is killed. sqlite and Scrapy's JOBDIR are then run
again; of the two workers on one Redis (ours, and scrapy-redis) the other goes on, and with scrapy-redis the killed one
is started again too, which is what its users do. cluster: three workers on three parts of a real cluster, of whose
masters one is killed too, at another moment; its replica goes on. Lost pages were never asked for; lost items are in no
line of JSONL; fetched twice are pages that were asked for more than once, beside what was in flight when the kill came:
asked for and not done in sqlite, leased in Redis (of a cluster it is not known). ``--peers``: how many runs of JOBDIR
and scrapy-redis. A run takes the CPU of its pages, 5 ms each, and 2 s for the start of each process; nothing waits for
politeness, a lost lease is found after 5 s.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import redis

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from tests.redis_cluster import cluster  # noqa: E402
from tests.redis_server import serving  # noqa: E402

SCRAPY = [sys.executable, "-m", "scrapy"]
QUICK = ["-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=0", "-s", "CONCURRENT_REQUESTS_PER_DOMAIN=16"]
QUICK += ["-s", "ROBOTSTXT_OBEY=0", "-s", "LOG_LEVEL=ERROR", "-s", "REMOTE_CONTROL_ENABLED=0"]
OURS = ["crawl", "semrank", "-a", "topic=lattice", "-a", "order=bfs", "-s", "FCA_PROGRESS=off", *QUICK]
SCRAPY_REDIS = ["-s", "SCHEDULER=scrapy_redis.scheduler.Scheduler", "-s", "SCHEDULER_PERSIST=1"]
SCRAPY_REDIS += ["-s", "DUPEFILTER_CLASS=scrapy_redis.dupefilter.RFPDupeFilter"]
PEERS = ("jobdir", "scrapy-redis")
HOSTS = {"cluster": 12}  # of the site; else one
SYSTEMS = ("sqlite", "redis", "cluster", *PEERS)


@dataclass(frozen=True)
class Result:
    lost: int
    items_lost: int
    twice: int
    in_flight: int | None
    killed_at: int  # when so many pages had been asked for


@dataclass
class Bench:
    site: str
    pages: int
    folder: Path
    rng: random.Random
    hosts: int
    killed_at: int = 0

    def url(self, n: int) -> str:
        return f"{self.site.replace('127.0.0.1', f'127.0.0.{n % self.hosts + 1}')}/p/{n}"

    def hits(self) -> dict[str, int]:
        with urllib.request.urlopen(f"{self.site}/hits") as answer:
            found: dict[str, int] = json.load(answer)
        return found

    def ours(self, feed: str, *extra: str) -> subprocess.Popen[bytes]:
        seeds = ["-a", f"seeds={','.join(map(self.url, range(self.hosts)))}", "-o", str(self.folder / feed)]
        return subprocess.Popen([*SCRAPY, *OURS, *seeds, *extra], cwd=ROOT, stdout=subprocess.DEVNULL)

    def stock(self, feed: str, *extra: str) -> subprocess.Popen[bytes]:
        place = ["runspider", str(ROOT / "bench/stock_spider.py"), "-a", f"seed={self.site}/p/0"]
        feeds = ["-o", f"{self.folder / feed}:jsonlines"]
        return subprocess.Popen([*SCRAPY, *place, *QUICK, *feeds, *extra], cwd=self.folder, stdout=subprocess.DEVNULL)

    def kill_sometime(self, process: subprocess.Popen[bytes]) -> None:
        """When a random share of the pages has been asked for."""
        share = self.rng.uniform(0.1, 0.9) * self.pages
        while sum(self.hits().values()) < share and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.killed_at = sum(self.hits().values())

    def run(self, system: str) -> Result:
        urllib.request.urlopen(urllib.request.Request(f"{self.site}/clear", method="POST")).close()
        ours = {"sqlite": self.sqlite, "redis": self.redis, "cluster": self.cluster}
        in_flight = {**ours, "jobdir": self.jobdir, "scrapy-redis": self.scrapy_redis}[system]()
        hits = self.hits()
        written = set()
        for feed in self.folder.glob("*.jsonl"):
            for line in feed.read_text("utf-8").splitlines():
                try:
                    written.add(json.loads(line)["url"])
                except json.JSONDecodeError:
                    continue  # a torn line is a lost one
        wanted = set(map(self.url, range(self.pages)))
        lost = self.pages - len(hits)
        twice = sum(n - 1 for n in hits.values())
        return Result(lost, len(wanted - written) - lost, twice, in_flight, self.killed_at)

    def sqlite(self) -> int:
        job = f"JOBDIR={self.folder / 'job'}"
        self.kill_sometime(self.ours("1.jsonl", "-s", job))
        with closing(sqlite3.connect(self.folder / "job/crawl.sqlite")) as db:
            (done,) = db.execute("SELECT count(*) FROM places WHERE state = 3").fetchone()
        in_flight = len(self.hits()) - int(done)
        self.ours("2.jsonl", "-s", job).wait()
        return in_flight

    def redis(self) -> int:
        with serving() as server, closing(redis.Redis.from_url(server.url)) as client:
            shared = ["-s", f"FCA_FRONTIER={server.url}", "-s", "FCA_LEASE=5"]
            one, other = self.ours("1.jsonl", *shared), self.ours("2.jsonl", *shared)
            self.kill_sometime(one)
            leased = sum(client.hlen(key) for key in client.scan_iter(f"fcacrawler:{{lattice}}:leases:*:{one.pid}:*"))
            other.wait()
        return leased

    def cluster(self) -> None:
        """What the replica had not heard of is fetched twice, too: how much was in flight is not known."""
        with cluster() as nodes:
            shared = ["-s", f"FCA_FRONTIER={nodes[1].url}", "-s", "FCA_LEASE=5", "-s", "FCA_PARTS=3"]
            one, *others = [self.ours(f"{n}.jsonl", *shared) for n in range(3)]
            killed = nodes[self.rng.randrange(3)].server.process
            assert killed is not None
            for process in self.rng.sample([one, killed], 2):
                self.kill_sometime(process)
            for other in others:
                other.wait()

    def jobdir(self) -> None:
        job = f"JOBDIR={self.folder / 'job'}"
        self.kill_sometime(self.stock("1.jsonl", "-s", job))
        self.stock("2.jsonl", "-s", job).wait()

    def scrapy_redis(self) -> None:
        with serving() as server:
            shared = [*SCRAPY_REDIS, "-s", f"REDIS_URL={server.url}", "-s", "SCHEDULER_IDLE_BEFORE_CLOSE=5"]
            one, other = self.stock("1.jsonl", *shared), self.stock("2.jsonl", *shared)
            self.kill_sometime(one)
            again = self.stock("3.jsonl", *shared)
            again.wait()
            other.wait()


@contextmanager
def site(pages: int, hosts: int = 1) -> Iterator[str]:
    command = [sys.executable, str(ROOT / "bench/site_server.py"), *map(str, (pages, 21, 300, hosts))]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def measure(system: str, runs: int, pages: int, seed: int = 1) -> Iterator[Result]:
    rng = random.Random(seed)
    with site(pages, HOSTS.get(system, 1)) as url:
        for _ in range(runs):
            folder = Path(tempfile.mkdtemp(prefix="kill-"))
            try:
                yield Bench(url, pages, folder, rng, HOSTS.get(system, 1)).run(system)
            finally:
                shutil.rmtree(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--peers", type=int, default=5)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--systems", nargs="+", default=SYSTEMS, choices=SYSTEMS)
    given = parser.parse_args()
    for system in given.systems:
        if system == "scrapy-redis" and importlib.util.find_spec("scrapy_redis") is None:
            print("scrapy-redis is left out: pip install scrapy-redis")
            continue
        runs = given.peers if system in PEERS else given.runs
        results = []
        start = time.monotonic()
        for result in measure(system, runs, given.pages):
            results.append(result)
            spent = f"{time.monotonic() - start:.0f} s"
            print(f"{system} {len(results)}/{runs}, {spent}: {result}", file=sys.stderr, flush=True)
        tell(system, f"{runs} runs of {given.pages} pages", results)


def tell(system: str, what: str, results: list[Result]) -> None:
    for name in ("lost", "items_lost", "twice"):
        total = sum(getattr(r, name) for r in results)
        most = sum(r.in_flight or 0 for r in results) if name == "twice" else 0
        figure = {"figure": f"kill -9: {name}, {system}, {what}", "value": total, "against": most, "ratio": None}
        print(json.dumps(figure), flush=True)
    if any(r.in_flight is not None for r in results):
        beyond = sum(r.twice > (r.in_flight or 0) for r in results)
        figure = {"figure": f"kill -9: runs with more fetched twice than in flight, {system}", "value": beyond}
        print(json.dumps({**figure, "against": 0, "ratio": None}), flush=True)


if __name__ == "__main__":
    main()
