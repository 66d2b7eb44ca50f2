"""The same crawl of a loopback web under everything that can go wrong around it: what is lost?

usage: bench_faults.py [--rows kill network …] [--pages 300] [--hosts 30] [--away 15] [--write docs/results/faults.md]

Needs root, iproute2 and nftables for networks of their own, a C compiler for the clock, a tmpfs for the disk; rows that
this machine cannot do are named and left out. A page is lost if it was never asked for after all runs of a row, by the
server's own log; an item if its page was answered and is neither in a feed (JSON lines) nor in scrapy export.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.faults import apart, web
from tests.faults.line import stalling
from tests.faults.trial import Trial, sometime
from tests.redis_server import RedisServer, free_port
from tests.redis_server import serving as redis

Row = Callable[["Bench", Trial], None]
CLOCK = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t which, struct timespec *t) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  int answer = real(which, t);
  if (which == CLOCK_REALTIME && getenv("JUMP") && access(getenv("JUMP"), F_OK) == 0) t->tv_sec -= 864000;
  return answer;
}
"""


@dataclass
class Bench:
    pages: int
    hosts: int
    away: float
    dice: random.Random
    net: apart.Apart | None = None

    def somewhere(self) -> int:
        """A number of pages at which something happens."""
        return self.dice.randint(self.pages // 10, self.pages // 2)

    def later(self, trial: Trial, process: subprocess.Popen[bytes], pages: int, then: Callable[[], None]) -> None:
        sometime(trial, process, trial.when(pages), then)

    def for_a_while(self, begin: Callable[[], None], end: Callable[[], None]) -> Callable[[], None]:
        def both() -> None:
            begin()
            time.sleep(self.away)
            end()

        return both


# -- rows


def kill_sqlite(bench: Bench, trial: Trial) -> None:
    """`kill -9` at three random moments, SQLite"""
    for n in range(3):
        process = trial.start()
        bench.later(
            trial, process, min(bench.pages - 20, (n + 1) * bench.pages // 5 + bench.dice.randint(0, 30)), process.kill
        )
        trial.ended(process)
    trial.run()


def kill_redis(bench: Bench, trial: Trial) -> None:
    """`kill -9` of one of two workers, Redis"""
    with redis() as server:
        trial.settings = {"FCA_FRONTIER": server.url, "JOBDIR": ""}
        one, other = trial.start(), trial.start()
        bench.later(trial, one, bench.somewhere(), one.kill)
        for worker in (one, other):
            trial.ended(worker)


def network(bench: Bench, trial: Trial) -> None:
    """no route, 15 s"""
    assert bench.net is not None
    net, process = bench.net, trial.start()
    bench.later(trial, process, bench.somewhere(), bench.for_a_while(lambda: net.route(False), lambda: net.route(True)))
    trial.ended(process)


def dns(bench: Bench, trial: Trial) -> None:
    """DNS away, 15 s, no cache of names"""
    assert bench.net is not None
    net, process = bench.net, trial.start()
    bench.later(
        trial,
        process,
        8,
        bench.for_a_while(lambda: setattr(net, "answers", False), lambda: setattr(net, "answers", True)),
    )
    trial.ended(process)


def dropped(bench: Bench, trial: Trial) -> None:
    """packets dropped, 15 s"""
    assert bench.net is not None
    net, process = bench.net, trial.start()
    bench.later(
        trial, process, bench.somewhere(), bench.for_a_while(lambda: net.packets(False), lambda: net.packets(True))
    )
    trial.ended(process)


def refused(bench: Bench, trial: Trial) -> None:
    """connections of all hosts refused, 15 s"""
    process = trial.start()
    bench.later(trial, process, bench.somewhere(), lambda: trial.web.cut(bench.away))
    trial.ended(process)


def one_host(bench: Bench, trial: Trial) -> None:
    """one host away for a whole run, then a second run"""
    process = trial.start()
    bench.later(trial, process, 3, lambda: trial.web.cut(hosts=slice(5, 6)))
    trial.ended(process)
    trial.web.mend()
    trial.run()


def disk_full(bench: Bench, trial: Trial) -> None:
    """the disk is full, then there is room and the crawl goes on"""
    _mount(trial.home, "size=700k")
    trial.run()
    subprocess.run(["mount", "-o", "remount,size=64m", str(trial.home)], check=True)
    trial.run()


def read_only(bench: Bench, trial: Trial) -> None:
    """the folder is read-only, then it is not"""
    _mount(trial.home, "size=64m,ro")
    trial.run()
    subprocess.run(["mount", "-o", "remount,rw", str(trial.home)], check=True)
    trial.run()


def handles(bench: Bench, trial: Trial) -> None:
    """too few file handles (RLIMIT_NOFILE 40)"""
    trial.run(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40)))


def clock(bench: Bench, trial: Trial) -> None:
    """the clock jumps back by ten days and forth again"""
    library, jump = trial.folder / "clock.so", trial.folder / "jump"
    (trial.folder / "clock.c").write_text(CLOCK)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, trial.folder / "clock.c", "-ldl"], check=True)
    process = trial.start(env={"LD_PRELOAD": str(library), "JUMP": str(jump)})
    bench.later(trial, process, bench.pages // 4, jump.touch)
    bench.later(trial, process, bench.pages // 2, jump.unlink)
    trial.ended(process)


def sigterm(bench: Bench, trial: Trial) -> None:
    """SIGTERM, then the crawl goes on"""
    process = trial.start()
    bench.later(trial, process, bench.somewhere(), process.terminate)
    trial.ended(process)
    trial.run()


def interrupted(bench: Bench, trial: Trial) -> None:
    """Ctrl-C twice, then the crawl goes on"""
    process = trial.start()

    def twice() -> None:
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)

    bench.later(trial, process, bench.somewhere(), twice)
    trial.ended(process)
    trial.run()


def _restarted(bench: Bench, trial: Trial, *options: str) -> None:
    server = RedisServer(*options)
    try:
        server.start()
        trial.settings = {"FCA_FRONTIER": server.url, "JOBDIR": ""}
        workers = [trial.start(), trial.start()]

        def restart() -> None:
            server.stop()
            time.sleep(3)
            server.start()

        bench.later(trial, workers[0], bench.pages // 2, restart)
        for worker in workers:
            trial.ended(worker)
        if any(trial.exits):
            trial.run()
    finally:
        server.clear()


def redis_kept(bench: Bench, trial: Trial) -> None:
    """Redis restarted with its data, two workers"""
    _restarted(bench, trial, "--appendonly", "yes", "--appendfsync", "always")


def redis_lost(bench: Bench, trial: Trial) -> None:
    """Redis restarted without its data, two workers; then a run anew"""
    _restarted(bench, trial)


def partition(bench: Bench, trial: Trial) -> None:
    """a worker cut off from Redis for longer than its lease"""
    port = free_port()
    server = RedisServer("--port", str(port))
    try:
        server.start()
        with stalling(port) as line:
            trial.settings = {"FCA_FRONTIER": f"redis://127.0.0.1:{line.port}/0", "JOBDIR": "", "FCA_LEASE": 5}
            one = trial.start()
            trial.settings = {**trial.settings, "FCA_FRONTIER": server.url}
            other = trial.start()

            def cut() -> None:
                line.stall(True)
                time.sleep(9)
                line.stall(False)

            bench.later(trial, one, bench.somewhere(), cut)
            for worker in (one, other):
                trial.ended(worker)
    finally:
        server.clear()


def double(bench: Bench, trial: Trial) -> None:
    """two crawls on one JOBDIR"""
    one, other = trial.start(), trial.start()
    for process in (one, other):
        trial.ended(process)


ROWS: dict[str, Row] = {
    "kill-sqlite": kill_sqlite,
    "kill-redis": kill_redis,
    "network": network,
    "dns": dns,
    "dropped": dropped,
    "refused": refused,
    "one-host": one_host,
    "disk-full": disk_full,
    "read-only": read_only,
    "handles": handles,
    "clock": clock,
    "sigterm": sigterm,
    "ctrl-c": interrupted,
    "redis-kept": redis_kept,
    "redis-lost": redis_lost,
    "partition": partition,
    "double": double,
}
APART = ("network", "dns", "dropped")


def _mount(folder: Path, options: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", str(folder)], check=True)


def can(name: str) -> bool:
    """Whether this machine can do it."""
    if name in APART:
        return apart.available()
    if name in ("disk-full", "read-only"):
        return os.geteuid() == 0 and shutil.which("mount") is not None
    return name != "clock" or shutil.which("cc") is not None


def measure(name: str, pages: int, hosts: int, away: float, seed: int, folder: Path) -> dict[str, object]:
    with ExitStack() as opened:
        net = opened.enter_context(apart.networks(hosts)) if name in APART else None
        where = {"net": apart.NET, "named": True, "enter": net.enter_web} if net else {}
        site = opened.enter_context(web.serving(pages, hosts, **where))
        trial = Trial(site, folder, net.command if net else ())
        trial.home.mkdir(parents=True, exist_ok=True)
        opened.callback(subprocess.run, ["umount", str(trial.home)], stderr=subprocess.DEVNULL, check=False)
        row = ROWS[name]
        row(Bench(pages, hosts, away, random.Random(seed), net), trial)
        return {
            "figure": f"faults: {name}",
            "what": (row.__doc__ or name).strip(),
            "pages lost": trial.pages_lost,
            "items lost": trial.items_lost,
            "items missing in feeds": len(set(site.answered).difference(*trial.in_feeds())),
            "pages fetched twice": site.twice,
            "lines twice": trial.lines_twice,
            "exit codes": trial.exits,
            "tracebacks": trial.tracebacks,
            "said": [line for line in trial.said if "nobody can tell who runs" not in line],
        }


HEADS = ("what", "pages lost", "items lost", "pages fetched twice", "lines twice", "exit codes", "said")


def line(row: dict[str, object]) -> str:
    """A row of the table."""
    said = [re.sub(r"/tmp/\S*", "…", " ".join(str(line).split()))[:220] for line in row["said"]]  # type: ignore[attr-defined]
    cells = [row[head] for head in HEADS[:5]] + [", ".join(map(str, row["exit codes"]))]  # type: ignore[call-overload]
    return "| " + " | ".join([*map(str, cells), "; ".join(said[:4]).replace("|", "/")]) + " |"


def renewed(text: str, rows: list[dict[str, object]]) -> str:
    """The document with these rows of its table; others stay as they were measured."""
    above, _, table = text.partition("| what |")
    lines = {line.split(" | ")[0].removeprefix("| "): line for line in table.splitlines()[2:]}
    lines |= {str(row["what"]): line(row) for row in rows}
    order = [(row.__doc__ or "").strip() for row in ROWS.values()]
    heads = ["| " + " | ".join(HEADS) + " |", "| --- | ---: | ---: | ---: | ---: | --- | --- |"]
    return above + "\n".join([*heads, *(lines[what] for what in order if what in lines)]) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", nargs="+", choices=ROWS, default=list(ROWS))
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--hosts", type=int, default=30)
    parser.add_argument("--away", type=float, default=15.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path, help="a file in whose table these rows are renewed")
    given = parser.parse_args()
    rows = []
    for name in given.rows:
        if not can(name):
            print(json.dumps({"figure": f"faults: {name}", "value": None, "said": "this machine cannot"}), flush=True)
            continue
        with tempfile.TemporaryDirectory(prefix="faults-") as folder:
            rows.append(measure(name, given.pages, given.hosts, given.away, given.seed, Path(folder)))
        print(json.dumps(rows[-1], ensure_ascii=False), flush=True)
    if given.write:
        given.write.write_text(renewed(given.write.read_text("utf-8"), rows), "utf-8")


if __name__ == "__main__":
    main()
