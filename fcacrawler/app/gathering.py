"""Several harvests as one: feeds of workers that share a crawl, JOBDIRs, or both; also while they are written."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from fcacrawler.app.opinion import ItemsNow
from fcacrawler.values.errors import BadStore

SCHEMA = "CREATE TABLE items (number INTEGER PRIMARY KEY, page BLOB UNIQUE, fetched TEXT, item BLOB)"
PUT = """INSERT INTO items (page, fetched, item) VALUES (?1, ?2, ?3) ON CONFLICT (page) DO UPDATE
SET fetched = ?2, item = ?3 WHERE ?2 >= fetched"""


class Gathered:
    """The items of all sources, each URL once: as it was fetched last, where it came first. They stand in a temporary
    file meanwhile, packed, so that any number of them takes little memory."""

    def __init__(self, sources: Iterable[Path], tell: Callable[[int, int], None]) -> None:
        """``tell`` hears how many items have been read, and 0: nobody knows of how many."""
        self.torn: Counter[str] = Counter()  # lines that are no items, by file
        self.told: list[str] = []  # of folders
        self._sources = tuple(sources)
        self._tell = tell
        for source in self._sources:
            if not (source.is_dir() or source.is_file()):
                raise BadStore(f"{source} is not there: name JOBDIRs, or feeds of JSON lines")

    def __iter__(self) -> Iterator[str]:
        try:
            with closing(sqlite3.connect("", isolation_level=None)) as db:
                db.execute("PRAGMA journal_mode = OFF")
                db.execute(SCHEMA)
                db.execute("BEGIN")
                db.executemany(PUT, self._rows())
                for (item,) in db.execute("SELECT item FROM items ORDER BY number"):
                    yield zlib.decompress(item).decode("utf-8", "surrogatepass")
        except sqlite3.OperationalError as error:
            raise BadStore(f"a temporary file: {error}. Make room where TMPDIR is, or name another place") from None

    def _rows(self) -> Iterator[_Row]:
        rows = ((self._of_store if source.is_dir() else self._of_lines)(source) for source in self._sources)
        for n, row in enumerate(chain.from_iterable(rows), 1):
            self._tell(n, 0)
            yield row

    def _of_store(self, folder: Path) -> Iterator[_Row]:
        items = ItemsNow(folder)
        for item in items:
            if row := _row(item.encode("utf-8", "surrogatepass")):
                yield row
        self.told += [f"{folder}: {told}" for told in items.told]

    def _of_lines(self, path: Path) -> Iterator[_Row]:
        with path.open("rb") as file:
            for line in file:
                if row := _row(line.strip()):
                    yield row
                elif line.strip():
                    self.torn[str(path)] += 1


class _Row(NamedTuple):
    page: bytes
    fetched: str
    item: bytes


def _row(item: bytes) -> _Row | None:
    """None for what is no item. Items without a URL, of foreign spiders, are all different from one another."""
    try:
        values = json.loads(item)
    except (ValueError, RecursionError):
        return None
    if not isinstance(values, dict):
        return None
    page = str(values["url"]).encode("utf-8", "surrogatepass") if values.get("url") else item
    return _Row(blake2b(page, digest_size=16).digest(), str(values.get("fetched_at", "")), zlib.compress(item, 1))
