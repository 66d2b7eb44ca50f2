"""Does a long crawl stay small, and does it lose nothing when it is killed on the way?

usage: bench_soak.py [--pages 100000] [--kills 5] [--until 0.95] [--kill-every PAGES] [--outage-every PAGES]
                     [--folder DIR] [--plot docs/results/soak.svg] [--seed 1]

The demo web of so many labelled pages is crawled with a JOBDIR, killed (kill -9) at random moments, drawn between 5 %
of the pages and --until (a late kill costs a long replay), and resumed. Every few seconds the crawl's resident memory
and open files are noted in FOLDER/samples.tsv. At the end every page that the fetch log (bench/fetch_log.py: written
when a response comes, before anything is done with it) tells of must be in the store and in the JSONL, or wait again
(what was in flight when a kill came). With --outage-every the web is served by a process of its own, as an HTTP proxy,
which is away for ten seconds each time. Flat means: the slope of memory over pages after the first 20,000, leaving out
the first 3,000 pages of each process, in which its caches fill.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import zlib
from collections import Counter
from contextlib import closing
from dataclasses import astuple, dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from fcacrawler.page import key_of  # noqa: E402
from fcacrawler.worlds import open_world  # noqa: E402

SETTLED, FILLED = 20_000, 3_000  # pages of the crawl, and of a process, before memory is to be flat
AWAY = 10.0  # seconds of an outage, and the start of the server
EVERY = 3.0  # seconds between two samples
TOPIC = "auto racing"


@dataclass(frozen=True)
class Sample:
    run: int
    seconds: float
    pages: int  # of all runs
    rss: float  # MB
    files: int


class Proxy:
    """The web, served over HTTP by another process."""

    def __init__(self, world: str) -> None:
        self.world = world
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.port = int(s.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "scrapy", "world", "serve", self.world, "--port", str(self.port)]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 5).close()
                return
            except OSError:
                if self.process.poll() is not None:
                    raise SystemExit(f"the web is not served: {self.process.returncode}") from None
                time.sleep(0.1)

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()


class Soak:
    """One crawl, in as many processes as it takes."""

    def __init__(self, folder: Path, pages: int, marks: list[int], outage_every: int = 0) -> None:
        """``marks``: pages at which to kill."""
        self.folder, self.pages, self.marks = folder, pages, marks
        self.world = f"demo?pages={max(500, pages)}"
        self.proxy = Proxy(self.world) if outage_every else None
        self.outages = (
            list(range(outage_every // 2, pages, outage_every)) if outage_every else []
        )  # pages, still to come
        self.log = folder / "fetched.log"
        self.samples: list[Sample] = []
        self.begun = time.monotonic()
        self._read, self._lines = 0, 0

    def start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "scrapy", "crawl", "semrank", "-a", f"topic={TOPIC}"]
        command += ["-a", f"pages={self.pages}", "-a", "gamma=0.2", "-o", str(self.folder / "out.jsonl")]
        command += ["-s", f"JOBDIR={self.folder / 'job'}", *(self._over_http() if self.proxy else self._offline())]
        command += ["-s", "FCA_PATIENCE=0", "-s", f"FCA_TUNNEL={10 * self.pages}", "-s", "FCA_PROGRESS=off"]
        command += ["-s", f"SOAK_LOG={self.log}", "-s", 'EXTENSIONS={"bench.fetch_log.FetchLog": 500}']
        env = os.environ | {"PYTHONPATH": str(ROOT)} | ({"http_proxy": self.proxy.url} if self.proxy else {})
        return subprocess.Popen([*command, "-s", "LOG_LEVEL=ERROR"], cwd=ROOT, env=env)

    def _offline(self) -> list[str]:
        return ["-s", f"FCA_WORLD={self.world}"]

    def _over_http(self) -> list[str]:
        topic = next(t for t in open_world(self.world).topics.values() if TOPIC in (t.name, t.words))
        quick = ["DOWNLOAD_DELAY=0", "AUTOTHROTTLE_ENABLED=0", "CONCURRENT_REQUESTS_PER_DOMAIN=8", "FCA_BACKOFF=1"]
        return ["-a", f"seeds={','.join(topic.seeds)}", *(x for s in (*quick, "FCA_JS=never") for x in ("-s", s))]

    def fetched(self) -> int:
        """Lines of the fetch log so far."""
        if self.log.exists():
            with self.log.open("rb") as file:
                file.seek(self._read)
                new = file.read()
            self._read, self._lines = self._read + len(new), self._lines + new.count(b"\n")
        return self._lines

    def run(self) -> None:
        if self.proxy is not None:
            self.proxy.start()
        try:
            self._run()
        finally:
            if self.proxy is not None:
                self.proxy.stop()

    def _run(self) -> None:
        for number, mark in enumerate([*self.marks, None]):
            process = self.start()
            try:
                self._watch(number, process, mark)
            finally:
                process.send_signal(signal.SIGKILL)
                process.wait()

    def _watch(self, number: int, process: subprocess.Popen[bytes], mark: int | None) -> None:
        due = time.monotonic()
        while process.poll() is None and (mark is None or self.fetched() < mark):
            time.sleep(0.05)
            if self.proxy is not None and self.outages and self.fetched() >= self.outages[0]:
                print(f"outage at {self.outages.pop(0)} pages", flush=True)
                self.proxy.stop()
                time.sleep(AWAY)
                self.proxy.start()
            if time.monotonic() >= due:
                due = time.monotonic() + EVERY
                self._sample(number, process.pid)
        print(f"run {number}: {'killed' if process.poll() is None else 'ended'}, {self.samples[-1]}", flush=True)
        if mark is None and process.returncode:
            raise SystemExit(f"the crawl ended with {process.returncode}")

    def _sample(self, number: int, pid: int) -> None:
        try:
            pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
            files = len(list(Path(f"/proc/{pid}/fd").iterdir()))
        except (FileNotFoundError, ProcessLookupError):
            return
        rss = pages * os.sysconf("SC_PAGE_SIZE") / 1e6
        sample = Sample(number, round(time.monotonic() - self.begun, 1), self.fetched(), round(rss, 1), files)
        self.samples.append(sample)
        with (self.folder / "samples.tsv").open("a") as file:
            print(*astuple(sample), sep="\t", file=file)

    # -- what came of it

    def lost(self) -> dict[str, int]:
        """Pages of the fetch log that are missing, and what was fetched more than once."""
        log = Counter(line.split(" ", 1)[1] for line in self.log.read_text().splitlines() if line.startswith("page "))
        written, torn = set(), 0
        with (self.folder / "out.jsonl").open(encoding="utf-8") as lines:
            for line in lines:
                try:
                    written.add(json.loads(line)["url"])
                except json.JSONDecodeError:
                    torn += 1
        with closing(sqlite3.connect(self.folder / "job" / "crawl.sqlite")) as db:
            (done,) = db.execute("SELECT count(*) FROM places WHERE state = 3").fetchone()
            items = db.execute("SELECT item FROM pages WHERE item != x''")
            stored = {json.loads(zlib.decompress(item))["url"] for (item,) in items}
            look = "SELECT count(*) FROM urls JOIN places USING (queue, arrival) WHERE key = ? AND state IN (0, 1)"
            again = {url for url in log.keys() - stored if db.execute(look, (key_of(url).key,)).fetchone()[0]}
        return {
            "pages that came and are neither in the store nor wait again": len(log.keys() - stored - again),
            "pages that wait again": len(again),
            "pages in the store and not in the JSONL": len(stored - written),
            "torn lines of JSONL": torn,
            "URLs done": done,
            "pages in the store": len(stored),
            "pages fetched again": sum(log.values()) - len(log),
        }

    def slope(self) -> float:
        """Bytes a page, after the first 20,000 (of a smaller soak: its first fifth)."""
        first = {s.run: s.pages for s in reversed(self.samples)}
        settled, filled = (min(most, self.pages // part) for most, part in ((SETTLED, 5), (FILLED, 20)))
        held = [s for s in self.samples if s.pages >= settled and s.pages - first[s.run] >= filled]
        return float(np.polyfit([s.pages for s in held], [s.rss * 1e6 for s in held], 1)[0]) if held else float("nan")

    def leaked(self) -> int:
        """How many more files were open in the last run than in the first fifth of the first, at the most."""
        first, last = ([s.files for s in self.samples if s.run == run] for run in (0, self.samples[-1].run))
        return max(last) - max(first[: len(first) // 5 + 1])


def draw(samples: list[Sample], path: Path) -> None:
    """Memory and open files over pages; each process has a colour."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "soak"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 1, figsize=(9, 5), sharex=True, height_ratios=(3, 1))
    for run in sorted({s.run for s in samples}):
        own = [s for s in samples if s.run == run]
        for axis, values in zip(axes, ([s.rss for s in own], [s.files for s in own]), strict=True):
            axis.plot([s.pages for s in own], values, linewidth=1)
    for axis, name in zip(axes, ("resident memory, MB", "open files"), strict=True):
        axis.set_ylabel(name)
        axis.set_ylim(bottom=0)
        axis.grid(alpha=0.3)
    axes[1].set_xlabel("pages fetched; each colour is a process, killed with kill -9 where it ends")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--until", type=float, default=0.95, help="the part of the crawl in which the kills come")
    parser.add_argument("--kill-every", type=int, default=0, help="instead of --kills: after every so many pages")
    parser.add_argument("--outage-every", type=int, default=0, help="the web is away after every so many pages")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where to keep everything; without it nothing is kept")
    parser.add_argument("--plot", type=Path)
    given = parser.parse_args()
    folder = given.folder or Path(tempfile.mkdtemp(prefix="soak-"))
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        parser.error(f"{folder} is not empty")
    try:
        dice = random.Random(given.seed)
        marks = sorted(int(dice.uniform(0.05, given.until) * given.pages) for _ in range(given.kills))
        if given.kill_every:
            marks = list(range(given.kill_every, given.pages, given.kill_every))
        soak = Soak(folder.resolve(), given.pages, marks, given.outage_every)
        outages = len(soak.outages)
        soak.run()
        if given.plot:
            draw(soak.samples, given.plot)
        figures = {f"soak: {name}": value for name, value in soak.lost().items()}
        figures["soak: bytes of memory a page, once settled"] = round(soak.slope())
        figures["soak: most memory, MB"] = round(max(s.rss for s in soak.samples))
        figures["soak: more files open in the last run than early in the first"] = soak.leaked()
        figures["soak: seconds"] = round(soak.samples[-1].seconds)
        for name, figure in figures.items():
            against = f"{given.pages} pages, {len(marks)} kills, {outages} outages"
            print(json.dumps({"figure": name, "value": figure, "against": against, "ratio": None}), flush=True)
    finally:
        if given.folder is None:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
