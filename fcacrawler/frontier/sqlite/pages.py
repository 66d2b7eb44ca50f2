"""The table of pages in a crawl's file: what was observed, in order, with the items."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import suppress

from fcacrawler.frontier.records import dump_page, load_page
from fcacrawler.values.errors import BadRecord
from fcacrawler.values.pages import SeenPage

REPLACE = """UPDATE pages SET item = ?1
WHERE number = (SELECT max(number) FROM pages WHERE arrival = ?2 AND item != x'')"""
LAST = "SELECT seen FROM pages JOIN urls USING (arrival) WHERE key = ? ORDER BY number DESC LIMIT 1"
Row = tuple[int, bytes, bytes]  # number, page, item


def readable(db: sqlite3.Connection) -> Iterator[SeenPage]:
    """What was observed, in order, by those who only look; damaged pages are left out."""
    for (seen,) in db.execute("SELECT seen FROM pages ORDER BY number"):
        with suppress(BadRecord):
            yield load_page(seen)


class Pages:
    """A page is recorded while its link is leased, and is to be written once that is done."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._recorded: dict[bytes, Row] = {}
        self._done: list[tuple[int, int, bytes, bytes]] = []
        self._instead: dict[bytes, bytes] = {}  # items of pages that were recorded by an earlier lease
        self._replaced: list[tuple[bytes, int]] = []
        (self.last,) = db.execute("SELECT coalesce(max(number), 0) FROM pages").fetchone()  # number of the last page
        self._unread = self.last  # pages of earlier runs

    def __len__(self) -> int:
        """How many are to be written."""
        return len(self._done) + len(self._replaced)

    def record(self, key: bytes, page: SeenPage) -> None:
        self.last += 1
        self._recorded[key] = self.last, dump_page(page), b""

    def keep(self, key: bytes, item: str) -> None:
        packed = zlib.compress(item.encode("utf-8", "surrogatepass"), 1)
        if key in self._recorded:
            number, seen, _ = self._recorded[key]
            self._recorded[key] = number, seen, packed
        else:
            self._instead[key] = packed

    def done(self, key: bytes, arrival: int) -> None:
        if key in self._recorded:
            number, seen, item = self._recorded.pop(key)
            self._done.append((number, arrival, seen, item))
        elif key in self._instead:
            self._replaced.append((self._instead.pop(key), arrival))

    def drop(self, key: bytes) -> None:
        self._recorded.pop(key, None)
        self._instead.pop(key, None)

    def write(self) -> None:
        self._db.executemany("INSERT INTO pages (number, arrival, seen, item) VALUES (?,?,?,?)", self._done)
        self._db.executemany(REPLACE, self._replaced)
        self._done.clear()
        self._replaced.clear()

    def observed(self) -> Iterator[tuple[int, SeenPage]]:
        """By number."""
        unread, self._unread = self._unread, 0
        for number, seen in self._db.execute(
            "SELECT number, seen FROM pages WHERE number <= ? ORDER BY number", (unread,)
        ):
            yield number, load_page(seen)

    def page(self, key: bytes) -> SeenPage | None:
        """As it was recorded last, of what has been written."""
        row = self._db.execute(LAST, (key,)).fetchone()
        return load_page(row[0]) if row else None
