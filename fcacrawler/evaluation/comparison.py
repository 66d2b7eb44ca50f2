"""Runs a comparison in several processes. Every crawl that is over is kept, so that what was interrupted goes on."""

from __future__ import annotations

import hashlib
import json
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Any

from fcacrawler.app.config import Config
from fcacrawler.evaluation.library import RANKING, Library, code_of, packed, state_of
from fcacrawler.evaluation.plan import Run
from fcacrawler.evaluation.run import Desk, run
from fcacrawler.evaluation.trace import Judged, Trace

BATCH = 32  # pages read at a time
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")  # a process is one thread, and repeatable

Progress = Callable[[int, int], None]  # how many are done, of how many


@dataclass(frozen=True, slots=True)
class Done:
    """A crawl that is over."""

    run: Run
    trace: Trace


_desks: list[Desk] = []  # of this process, one at most


def _leave_too() -> None:
    """End with the process that gives the work, however that ends: nothing is left behind at work."""
    giver = parent_process()
    if giver is not None:
        giver.join()
        os._exit(1)


def _sit_down(world: str, config: Config) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # between two tasks; during one it ends the task
    Thread(target=_leave_too, daemon=True).start()
    _desks[:] = [Desk(world, config)]


def _read(urls: Sequence[str]) -> list[tuple[str, str, bytes]]:
    with _interruptible():
        return [packed(url, _desks[0].fetcher.fetch(url)) for url in urls]


def _crawl(task: Run) -> Trace:
    with _interruptible():
        return run(task, _desks[0])


@contextmanager
def _interruptible() -> Iterator[None]:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def office(world: str, config: Config, jobs: int) -> Iterator[ProcessPoolExecutor]:
    """So many processes, each at a desk of its own; what they have not begun is dropped when the caller is
    interrupted."""
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _sit_down, (world, config))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def read_pages(pool: ProcessPoolExecutor, library: Library, urls: Sequence[str], progress: Progress) -> None:
    """Read the pages that the library does not have."""
    missing = library.missing(urls)
    rest = iter(missing)
    batches = iter(lambda: list(islice(rest, BATCH)), [])
    futures = [pool.submit(_read, batch) for batch in batches]
    done = 0
    for future in as_completed(futures):
        rows = future.result()
        library.add(rows)
        done += len(rows)
        progress(done, len(missing))


def crawl_all(
    pool: ProcessPoolExecutor, runs: Sequence[Run], world: str, config: Config, out: Path, progress: Progress
) -> list[Done]:
    """The results of all crawls, in the order of ``runs``; those that ``out`` holds already are not crawled again."""
    shelf = Shelf(out, repr((state_of(world), config, code_of(RANKING))))
    found = {task: trace for task in runs if (trace := shelf.get(task)) is not None}
    futures: dict[Future[Trace], Run] = {pool.submit(_crawl, task): task for task in runs if task not in found}
    progress(len(found), len(runs))
    for future in as_completed(futures):
        task = futures[future]
        found[task] = future.result()
        shelf.put(task, found[task])
        progress(len(found), len(runs))
    return [Done(task, found[task]) for task in runs]


class Shelf:
    """Crawls that are over, a file each: of no use any more when whatever they depend on has changed."""

    def __init__(self, out: Path, state: str) -> None:
        self._home = out / "runs"
        self._home.mkdir(parents=True, exist_ok=True)
        self._state = state

    def _key(self, task: Run) -> str:
        start = task.start
        what = (start.words, start.seeds, sorted(start.relevant), start.budget)
        how = (task.order, task.gamma, task.unknown, task.log, task.marks, task.marking, task.by)
        return hashlib.sha256(repr((self._state, what, how)).encode()).hexdigest()

    def _path(self, task: Run) -> Path:
        return self._home / f"{file_name(task.name)}.json"

    def get(self, task: Run) -> Trace | None:
        try:
            kept: dict[str, Any] = json.loads(self._path(task).read_text("utf-8"))
        except (OSError, ValueError):
            return None
        if kept.get("key") != self._key(task):
            return None
        hits = tuple(c == "1" for c in kept["hits"])
        judged = tuple(Judged(came, end, bool(about)) for came, end, about in kept["judged"])
        return Trace(
            tuple(kept["urls"]),
            hits,
            kept["R"],
            kept["budget"],
            tuple(kept["cpu"]),
            judged,
            hosts=tuple(kept["hosts"]),
            reach=tuple(kept["reach"]),
            links=kept["links"],
            unknown=kept["unknown"],
        )

    def put(self, task: Run, trace: Trace) -> None:
        kept = {
            "key": self._key(task),
            "R": trace.relevant,
            "budget": trace.budget,
            "hits": "".join(map(str, map(int, trace.hits))),
            "urls": trace.urls,
            "cpu": [round(c, 6) for c in trace.cpu],
            "judged": [(round(j.came, 6), round(j.end, 6), int(j.about)) for j in trace.judged],
            "hosts": trace.hosts,
            "reach": trace.reach,
            "links": trace.links,
            "unknown": trace.unknown,
        }
        path = self._path(task)
        path.with_suffix(".new").write_text(json.dumps(kept, separators=(",", ":")), "utf-8")
        path.with_suffix(".new").replace(path)


def file_name(name: str) -> str:
    """
    >>> file_name("mixed martial arts/2.0.shark")
    'mixed_martial_arts_2.0.shark'
    """
    return "".join(c if c.isalnum() or c in ".-_" else "_" for c in name)
