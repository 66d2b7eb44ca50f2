"""A crawl whose pages are marked from outside: in its folder, or in Redis; whether or not it runs."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Protocol

from fcacrawler.frontier.sqlite.mark_log import NAME, append, marks_in
from fcacrawler.frontier.sqlite.store import read_store
from fcacrawler.page import key_of
from fcacrawler.values.marks import Mark

READ = "SELECT count(pages.number) FROM urls LEFT JOIN pages USING (arrival) WHERE key = ? GROUP BY arrival"


class Marked(Protocol):
    """A crawl and what is said of its pages."""

    def marks(self) -> list[Mark]:
        """All that has ever been said, in order."""
        ...

    def mark(self, marks: Sequence[Mark]) -> None:
        """Say so: a crawl that runs hears of it."""
        ...

    def state(self, url: str) -> str:
        """Of a canonical URL: read, found or unknown; "" where that cannot be told from outside."""
        ...


class InFolder:
    def __init__(self, folder: Path) -> None:
        read_store(folder).close()  # it is a crawl's
        self._folder = folder

    def marks(self) -> list[Mark]:
        return marks_in(self._folder)

    def mark(self, marks: Sequence[Mark]) -> None:
        append(self._folder / NAME, marks)

    def state(self, url: str) -> str:
        with closing(read_store(self._folder)) as db:
            row = db.execute(READ, (key_of(url).key,)).fetchone()
        return "unknown" if row is None else "read" if row[0] else "found"


class InRedis:
    def __init__(self, url: str, name: str) -> None:
        from fcacrawler.frontier.redis.admin import Admin

        self._admin = Admin(url, name)

    def marks(self) -> list[Mark]:
        return self._admin.marks()

    def mark(self, marks: Sequence[Mark]) -> None:
        self._admin.mark(marks)

    def state(self, url: str) -> str:
        return ""


def marked(job: str, frontier: str) -> Marked:
    """``job``: a folder, or a crawl's name in the Redis that ``frontier`` names."""
    return InRedis(frontier, job) if "://" in frontier else InFolder(Path(job))
