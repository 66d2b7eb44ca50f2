"""Several harvests as one: feeds of workers that share a crawl, JOBDIRs, or both; also while they are written."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from fcacrawler.app.opinion import ItemsNow
from fcacrawler.frontier.sqlite.store import NAME
from fcacrawler.values.errors import BadStore

SCHEMA = "CREATE TABLE items (number INTEGER PRIMARY KEY, page BLOB UNIQUE, fetched TEXT, item BLOB)"
PUT = """INSERT INTO items (page, fetched, item) VALUES (?1, ?2, ?3) ON CONFLICT (page) DO UPDATE
SET fetched = ?2, item = ?3 WHERE ?2 >= fetched"""


class Gathered:
    """The items of all sources, each URL once: as it was fetched last, where it came first. They stand in a temporary
    file meanwhile, packed, so that any number of them takes little memory."""

    def __init__(self, sources: Iterable[Path], tell: Callable[[int], None]) -> None:
        """``tell`` hears of the bytes that have been read."""
        self.torn: Counter[str] = Counter()  # lines that are no items, by file
        self.told: list[str] = []  # of folders
        self._sources = tuple(sources)
        self._tell = tell
        for source in self._sources:
            if not (source.is_dir() or source.is_file()):
                raise BadStore(f"{source} is not there: name JOBDIRs, or feeds of JSON lines")

    @property
    def size(self) -> int:
        """Bytes to be read, about: a store's are packed, and not all items."""
        return sum((path / NAME if path.is_dir() else path).stat().st_size for path in self._sources)

    def __iter__(self) -> Iterator[str]:
        try:
            with closing(sqlite3.connect("", isolation_level=None)) as db:
                db.execute("PRAGMA journal_mode = OFF")
                db.execute(SCHEMA)
                db.execute("BEGIN")
                for source in self._sources:
                    db.executemany(PUT, (self._of_store if source.is_dir() else self._of_lines)(source))
                for (item,) in db.execute("SELECT item FROM items ORDER BY number"):
                    yield zlib.decompress(item).decode("utf-8", "surrogatepass")
        except sqlite3.OperationalError as error:
            raise BadStore(f"a temporary file: {error}. Make room where TMPDIR is, or name another place") from None

    def _of_store(self, folder: Path) -> Iterator[_Row]:
        items = ItemsNow(folder)
        for item in items:
            self._tell(len(item))
            if row := _row(item.encode("utf-8", "surrogatepass")):
                yield row
        self.told += [f"{folder}: {told}" for told in items.told]

    def _of_lines(self, path: Path) -> Iterator[_Row]:
        with path.open("rb") as file:
            for line in file:
                self._tell(len(line))
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
