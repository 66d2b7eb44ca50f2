"""The crawls in some folders, ready to be searched: their indexes are brought up to date first, with the verdicts that
lie beside their stores.

Why so: decision 210.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import cache
from pathlib import Path

from fcacrawler.app.assembly import retold
from fcacrawler.app.opinion import NAME, kept
from fcacrawler.frontier.sqlite.store import damage_told, read_store, told
from fcacrawler.search import Index, Opened
from fcacrawler.values.errors import BadStore
from fcacrawler.vectors import VectorOptions, Vectors, load_vectors

Progress = Callable[[int, int], None]  # pages made searchable, of how many


@cache
def vectors_named(name: str) -> Vectors | None:
    """Loaded once a process."""
    return load_vectors(name)


def vectors_of(folder: Path) -> str:
    """The name of the vectors by which the crawl in this folder compares texts."""
    with closing(read_store(folder)) as db, damage_told(db):
        text = told(db)
        return retold(text)[0].vectors.vectors if text else VectorOptions().vectors


def index(folder: Path, progress: Progress = lambda n, count: None) -> None:
    """All pages of the crawl are searchable; what was begun is gone on with."""
    name = vectors_of(folder)
    with closing(Index(folder, vectors_named(name), name)) as into:
        done, count = 0, into.missing
        while added := into.catch_up():
            done += added
            progress(done, max(done, count))
        _judge(folder, into)


def judge(folder: Path) -> None:
    """Pages that can be searched are as relevant as is thought now, also while their crawl runs."""
    name = vectors_of(folder)
    with closing(Index(folder, vectors_named(name), name)) as into:
        _judge(folder, into)


def _judge(folder: Path, into: Index) -> None:
    """By what is thought now, as far as it is kept and can be read."""
    with suppress(BadStore, FileNotFoundError):
        stamp = str((folder / NAME).stat().st_mtime_ns)
        opinion = None if into.judged_by(stamp) else kept(folder)
        if opinion is not None:

            def thought(url: str) -> tuple[float, bool] | None:
                held = opinion.of(url)
                return (held.rank, held.relevant) if held else None

            into.judge(stamp, thought)


@contextmanager
def opened(folders: Sequence[Path], progress: Progress = lambda n, count: None) -> Iterator[list[Opened]]:
    """The crawls in these folders. One that may not be written to is searched as far as it is."""
    with ExitStack() as open_jobs:
        jobs = []
        for folder in dict.fromkeys(folders):
            if os.access(folder, os.W_OK):
                index(folder, progress)
            jobs.append(open_jobs.enter_context(closing(Opened(folder, vectors_named(vectors_of(folder))))))
        yield jobs


def check_jobs(folders: Sequence[Path]) -> None:
    """Raises BadStore for what is no crawl."""
    for folder in folders:
        if not folder.is_dir():
            raise BadStore(f"{folder} is not there: name folders of crawls (-s JOBDIR=…), then the words")
        read_store(folder).close()
