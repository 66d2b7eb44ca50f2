"""Real peers and ours on the same pages, over real HTTP on loopback. What was fetched is read off the server's log.

bench/peers/make_environment.sh
python bench/bench_peers.py [WORLD] [--topics a,b] [--peers crawl4ai,trafilatura,scrapy-redis,ours]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from fcacrawler.app.config import read_config
from fcacrawler.evaluation.comparison import office, read_pages
from fcacrawler.evaluation.library import Library, library_path
from fcacrawler.evaluation.measures import area, harvest, recall
from fcacrawler.evaluation.plan import Graph, Start, starts
from fcacrawler.evaluation.trace import Trace
from fcacrawler.evaluation.web import Fetcher
from fcacrawler.page import canonical_url
from fcacrawler.worlds import Answer, open_world
from fcacrawler.worlds.server import Server

HERE = Path(__file__).parent
PYTHON = HERE / "peers" / ".venv" / "bin" / "python"
WORLD = HERE.parents[1] / "shared" / "worlds" / "wikispeedia"
PEERS = ("crawl4ai", "trafilatura", "scrapy-redis", "ours")
PATIENCE = 300  # seconds for one crawl


class Logged:
    """A world that notes what it is asked for. It is used by one thread, which opens it."""

    def __init__(self, name: str, asked: list[str]) -> None:
        self._world = open_world(name)
        self._asked = asked

    def __getattr__(self, name: str) -> Any:
        return getattr(self._world, name)

    def answer(self, url: str) -> Answer | None:
        if not url.endswith("/robots.txt"):
            self._asked.append(canonical_url(url) or url)
        return self._world.answer(url)


def serve(name: str, asked: list[str], kind: type[Logged] = Logged) -> int:
    """Serve a world from a thread until this process ends; the port. ``asked`` hears of every request."""
    ready, port = threading.Event(), []

    def heard(number: int) -> None:
        port.append(number)
        ready.set()

    threading.Thread(target=lambda: asyncio.run(Server(kind(name, asked)).run(0, heard)), daemon=True).start()
    ready.wait()
    return port[0]


def crawl(peer: str, start: Start, port: int) -> None:
    """Run one peer to its end."""
    pages = start.budget + len(start.seeds)
    if peer != "ours":
        foreign(peer, {"words": start.words, "seeds": start.seeds, "pages": pages, "port": port})
        return
    command = [
        sys.executable, "-m", "scrapy", "crawl", "semrank", "-a", f"topic={start.words}",
        "-a", f"seeds={','.join(start.seeds)}", "-a", f"pages={pages}", "-s", "FCA_TUNNEL=1000000",
        "-s", "FCA_PATIENCE=0", "-s", "FCA_PROGRESS=off", "-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=0",
        "-s", "CONCURRENT_REQUESTS_PER_DOMAIN=8", "-s", "FEEDS={}",
    ]  # fmt: skip
    call(peer, command, {**os.environ, "http_proxy": f"http://127.0.0.1:{port}"})


def foreign(peer: str, task: Mapping[str, Any]) -> None:
    """One of the peers in the environment of their own. ``task``: words, seeds, pages and port; where a delay is to be
    kept, delay and at_once too."""
    command = [str(PYTHON), str(HERE / "peers" / f"run_{peer.replace('-', '_')}.py"), json.dumps(task)]
    environment = {k: v for k, v in os.environ.items() if k != "http_proxy"}
    if peer == "scrapy-redis":
        environment["http_proxy"] = f"http://127.0.0.1:{task['port']}"  # Twisted has a resolver of its own
    call(peer, command, environment)


def call(peer: str, command: Sequence[str], environment: Mapping[str, str]) -> None:
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(subprocess.TimeoutExpired):
        env = {**environment, "CRAWL4_AI_BASE_DIRECTORY": folder}
        done = subprocess.run(command, env=env, cwd=HERE.parent, capture_output=True, timeout=PATIENCE)
        if done.returncode:
            print(f"{peer}: ended with {done.returncode}: {done.stderr.decode()[-600:]}", file=sys.stderr)


def trace_of(asked: list[str], start: Start) -> Trace:
    """What was asked for, each URL once, seeds left out, up to the budget."""
    urls = [url for url in dict.fromkeys(asked) if url not in start.seeds][: start.budget]
    return Trace(tuple(urls), tuple(url in start.relevant for url in urls), len(start.relevant), start.budget)


def plan_of(name: str, topics: str) -> list[Start]:
    """The topics with their own seeds, and what is relevant there."""
    config = read_config({})
    world = open_world(name)
    library = Library(library_path(name, config.page))
    with office(name, config, 2) as pool:
        read_pages(pool, library, list(world.urls()), lambda done, of: None)
    wanted = topics.split(",") if topics else list(world.topics)
    return starts(world, Graph(library, Fetcher(world, config.page)), wanted, 1, "4R", 0)


def measure(peer: str, start: Start, port: int, asked: list[str]) -> list[float]:
    """AUC, harvest at R, recall at 4R, CPU ms a page."""
    asked.clear()
    began, before = perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    crawl(peer, start, port)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    trace = trace_of(list(asked), start)
    cpu = 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / max(1, len(trace.urls))
    row = [area(trace) or 0.0, harvest(trace, trace.relevant) or 0.0, recall(trace, trace.budget) or 0.0, cpu]
    say(peer, start.topic, row, f"{len(trace.urls)} of {start.budget} pages in {perf_counter() - began:.0f} s")
    return row


def say(peer: str, topic: str, row: list[float], more: str = "") -> None:
    auc, h, r, cpu = row
    print(
        f"{peer:13s} {topic:12s} AUC {auc:.3f}  h@R {h:.3f}  rec@4R {r:.3f}  {cpu:5.1f} ms CPU a page  {more}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("world", nargs="?", default=str(WORLD))
    parser.add_argument("--topics", default="")
    parser.add_argument("--peers", default=",".join(PEERS))
    options = parser.parse_args()
    missing = [] if PYTHON.exists() else ["the peers are not installed: run bench/peers/make_environment.sh"]
    missing += [] if options.world != str(WORLD) or WORLD.exists() else [f"there is no world at {WORLD}: name one"]
    if missing:
        print(f"Nothing was measured: {'; '.join(missing)}")
        return
    plan = plan_of(options.world, options.topics)
    asked: list[str] = []
    port = serve(options.world, asked)
    means: dict[str, float] = {}
    for peer in options.peers.split(","):
        rows = [measure(peer, start, port, asked) for start in plan]
        mean = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
        say(peer, "mean", mean)
        means[peer] = round(mean[0], 3)
    ours = means.pop("ours", None)
    for peer, auc in means.items() if ours is not None else ():
        figure = {"figure": f"auc_ours_against_{peer}", "value": ours, "against": auc}
        print(json.dumps({**figure, "ratio": round(ours / auc, 2) if auc else None}))


if __name__ == "__main__":
    main()
