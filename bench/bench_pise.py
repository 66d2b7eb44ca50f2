"""Fifty people at once on a large harvest while a crawl runs: how long an answer takes, which clicks are lost when the
server is killed, and how much slower the crawl is.

Run: python bench/bench_pise.py SOURCE [--folder out/pise] [--pages 100000] [--users 50] [--seconds 60] [--think 5]
SOURCE: the JOBDIR of a crawl whose texts the harvest is mixed from; what is in --folder already is taken as it is.
Everything on loopback. A user searches, waits for some seconds (--think on the mean), opens a result half the time.
Crawls follow one another as long as there are users.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from shutil import rmtree
from statistics import mean
from time import perf_counter
from urllib.parse import quote_plus

HOME = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HOME))

import numpy as np  # noqa: E402

from fcacrawler.app.searching import index  # noqa: E402
from fcacrawler.frontier.sqlite.salvage import Items  # noqa: E402
from fcacrawler.items import PageItem  # noqa: E402
from tests.search.harvests import harvest, item  # noqa: E402

SCRAPY = [sys.executable, "-m", "scrapy"]
CRAWL = ["crawl", "semrank", "-a", "topic=auto racing", "-s", "FCA_WORLD=demo", "-s", "FCA_PROGRESS=off"]


def figure(name: str, value: float, **more: object) -> None:
    print(json.dumps({"figure": name, "value": round(value, 3), **more}), flush=True)


def mixed(source: Path, pages: int) -> Iterator[PageItem]:
    """Pages of three pieces of three pages' texts, under the names of two of them."""
    dice = random.Random(1)
    known = [i for i in map(json.loads, Items(source)) if len(i["text"]) > 500]
    for n in range(pages):
        some = dice.sample(known, 3)
        cuts = [(i["text"], dice.randrange(max(1, len(i["text"]) - 1500))) for i in some]
        text = "\n".join(text[at : at + 1500] for text, at in cuts)
        keywords = {k: w for i in some for k, w in list(i["keywords"].items())[:4]}
        title = f"{some[0]['title']} and {some[1]['title']}"
        yield item(
            f"http://www{n % 500}.test/{n}", title, text, keywords=keywords, semrank=dice.random(),
            relevant=dice.random() < 0.3, fetched_at=f"2026-05-{1 + n * 28 // pages:02}T12:00:00+00:00",
        )  # fmt: skip


@dataclass
class Load:
    """What the users have seen."""

    port: int
    queries: list[str]
    think: float
    times: list[float] = field(default_factory=list)  # but for those that waited for a server that began again
    killed: float = inf  # when; and
    again: float = inf  # when the next answer came
    clicks: list[str] = field(default_factory=list)  # queries whose click was answered
    failed: int = 0
    cpu: float = 0.0  # seconds of the server for an answer, with its beginning

    async def ask(self, path: str, cookie: str) -> tuple[bytes, bytes]:
        """Head and body, on a connection of its own, as a browser that comes back."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nConnection: close\r\n{cookie}\r\n"
        writer.write(head.encode())
        answer = await reader.read()
        writer.close()
        if not answer:
            raise ConnectionError
        head_, _, body = answer.partition(b"\r\n\r\n")
        return head_, body

    async def user(self, n: int, until: float) -> None:
        dice = random.Random(n)
        cookie = f"Cookie: pise={n:016d}\r\n"
        while perf_counter() < until:
            await asyncio.sleep(dice.expovariate(1 / self.think))
            query, begin = dice.choice(self.queries), perf_counter()
            try:
                await self.ask(f"/search?job=large&q={quote_plus(query)}", cookie)
                now = perf_counter()
                if now > self.killed:
                    self.again = min(self.again, now)
                if now < self.killed or begin > self.again:
                    self.times.append(now - begin)
                if dice.random() < 0.5:
                    mine = f"{query} user{n} {len(self.clicks)}"
                    page = dice.randrange(1, 1000)
                    head, _ = await self.ask(f"/go?job=large&n={page}&q={quote_plus(mine)}", cookie)
                    if b" 303 " in head:
                        self.clicks.append(mine)
            except OSError:
                self.failed += 1


@contextmanager
def server(folder: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    command = [*SCRAPY, "pise", str(folder), "--port", str(port)]
    with subprocess.Popen(command, cwd=HOME, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        if process.poll() is None:
            process.terminate()


def crawl(folder: Path, name: str, pages: int) -> tuple[float, float]:
    """Seconds and CPU seconds of a crawl of the demo web."""
    rmtree(folder / name, ignore_errors=True)
    begin = perf_counter()
    settings = ["-s", f"JOBDIR={folder / name}", "-s", "LOG_ENABLED=0", "-s", "DOWNLOAD_DELAY=0"]
    process = subprocess.Popen([*SCRAPY, *CRAWL, "-a", f"pages={pages}", *settings], cwd=HOME)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return perf_counter() - begin, used.ru_utime + used.ru_stime


def crawls(folder: Path, name: str, pages: int, over: threading.Event) -> list[tuple[float, float]]:
    """One after another until it is over; those that were, before."""
    ended: list[tuple[float, float]] = []
    while not over.is_set():
        one = crawl(folder, name, pages)
        if not over.is_set() or not ended:
            ended.append(one)
    return ended


def cpu_of(pid: int) -> float:
    """Seconds that a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def under_load(load: Load, users: int, seconds: float, folder: Path, kill: bool) -> None:
    with server(folder, load.port) as first:
        until = perf_counter() + seconds
        going = [asyncio.ensure_future(load.user(n, until)) for n in range(users)]
        if kill:
            await asyncio.sleep(seconds / 2)
            load.cpu = cpu_of(first.pid) / max(1, len(load.times) + len(load.clicks))
            load.killed = perf_counter()
            os.kill(first.pid, signal.SIGKILL)
            first.wait()
            with server(folder, load.port):
                await asyncio.gather(*going)
            return
        await asyncio.gather(*going)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("--folder", type=Path, default=Path("out/pise"))
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--users", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--think", type=float, default=5, help="seconds between an answer and the next question")
    parser.add_argument("--crawl", type=int, default=400, help="pages of each crawl that runs beside it")
    given = parser.parse_args()
    folder = given.folder.resolve()
    if not (folder / "large").exists():
        harvest(folder / "large", mixed(given.source, given.pages))
    index(folder / "large", lambda n, count: print(f"\r{n} of {count} searchable", end="", file=sys.stderr))
    queries = [i["title"] for i in map(json.loads, Items(given.source))][:500]
    queries += [" ".join(list(i["keywords"])[:2]) for i in map(json.loads, Items(given.source)) if i["keywords"]][:500]
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        load = Load(probe.getsockname()[1], queries, given.think)
    (folder / "clicks.jsonl").unlink(missing_ok=True)

    over = threading.Event()

    async def loaded() -> None:
        await under_load(load, given.users, given.seconds, folder, True)
        over.set()

    async def both() -> tuple[int, tuple[float, float]]:
        crawling = asyncio.to_thread(crawls, folder, "beside", given.crawl, over)
        _, beside = await asyncio.gather(loaded(), crawling)
        return len(beside), (mean(seconds for seconds, _ in beside), mean(cpu for _, cpu in beside))

    before = crawl(folder, "beside", given.crawl)
    count, busy = asyncio.run(both())
    after = crawl(folder, "beside", given.crawl)
    quiet = ((before[0] + after[0]) / 2, (before[1] + after[1]) / 2)
    told = {json.loads(line)["query"] for line in (folder / "clicks.jsonl").read_text().splitlines()}
    ms = 1000 * np.array(load.times)
    figure("processes that want to run beside, on the mean", os.getloadavg()[0], processors=os.cpu_count())
    figure("answers to a search", len(ms), users=given.users, pages=given.pages, think=given.think)
    figure("ms until an answer, median", float(np.median(ms)))
    figure("ms until an answer, 95 %", float(np.quantile(ms, 0.95)))
    figure("CPU ms of the server for an answer, search or click", 1000 * load.cpu)
    figure("clicks that were answered and are not in the log", len(set(load.clicks) - told), of=len(load.clicks))
    figure("seconds from the kill to the next answer", load.again - load.killed)
    figure("questions that failed while the server was killed and began again", load.failed)
    alone = [round(before[0], 1), round(after[0], 1)]
    figure("seconds of a crawl beside it, ratio", busy[0] / quiet[0], alone=alone, crawls=count)
    figure("CPU seconds of a crawl beside it, ratio", busy[1] / quiet[1], alone=round(quiet[1], 1))


if __name__ == "__main__":
    main()
