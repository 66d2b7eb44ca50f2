"""What a crawl's page shows of how it goes: its course, hosts, what it has spent its budget on, what waits."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fcacrawler.frontier.sqlite.store import read_store
from fcacrawler.pise.curves import Course, course
from fcacrawler.search import Filter, Opened
from fcacrawler.search.opened import Row

LATEST, HOSTS = 8, 12
MANY_URLS = 300_000  # from which on those of each host are not counted
KNOWN = "SELECT host, count(*) FROM urls WHERE host IN (SELECT value FROM json_each(?)) GROUP BY host"


@dataclass(frozen=True, slots=True)
class HostLine:
    """A host: its pages, the relevant ones, and URLs that are known of it (None: too many to count)."""

    host: str
    pages: int
    relevant: int
    known: int | None


@dataclass(frozen=True, slots=True)
class Going:
    """How it goes, as far as its pages are searchable."""

    course: Course
    spent: tuple[tuple[str, str, int], ...]  # name, class of its colour, pages
    hosts: tuple[HostLine, ...]
    latest: tuple[Row, ...]


def going(job: Opened) -> Going:
    relevant, copies = job.judged()
    good = int((relevant & ~copies).sum())
    spent = (
        ("relevant", "relevant", good),
        ("not relevant", "other", int((~relevant & ~copies).sum())),
        ("copies", "copies", int(copies.sum())),
    )
    hosts = job.hosts(HOSTS)
    known = _known(job.folder, [host for host, _, _ in hosts])
    lines = (HostLine(host, pages, good, known.get(host)) for host, pages, good in hosts)
    return Going(course(relevant & ~copies), spent, tuple(lines), tuple(job.newest(Filter(), LATEST)))


def _known(folder: Path, hosts: list[str]) -> dict[str, int]:
    with closing(read_store(folder)) as db:
        (most,) = db.execute("SELECT max(arrival) FROM urls").fetchone()
        if (most or 0) > MANY_URLS:
            return {}
        return dict(db.execute(KNOWN, (json.dumps(hosts),)).fetchall())


def queues(status: dict[str, Any] | None) -> list[tuple[str, int]]:
    """What waits where, in the words of the page."""
    if status is None:
        return []
    names = {
        "running": "promising links, above γ", "waiting": "other links", "leased": "being fetched",
        "done": "done", "dead": "given up", "evicted": "left for want of room",
    }  # fmt: skip
    return [(said, int(status.get(name) or 0)) for name, said in names.items()]


EMPTY = Going(course(np.zeros(0, np.bool_)), (), (), ())
