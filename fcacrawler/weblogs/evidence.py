"""What learning rests on, kept so that later logs can be added: distinct click events under pseudonyms, and links.

In memory nothing grows with the log: rows go to DuckDB in chunks, and DuckDB spills to disk.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import numpy as np

from fcacrawler.weblogs.events import Click
from fcacrawler.weblogs.pseudonyms import NOBODY, pseudonym

Normalise = Callable[[str], Sequence[str]]  # a query → its keywords
Canonical = Callable[[str], str]  # a URL → how pages are known

ROWS = 1 << 18  # of a chunk
REMEMBERED = 1 << 18  # queries and pages whose pseudonyms are not computed twice

TABLES: Mapping[str, Mapping[str, str]] = {
    "raw_event": {
        "user": "UBIGINT",
        "grp": "UBIGINT",
        "moment": "UBIGINT",
        "second": "BIGINT",
        "query": "UBIGINT",
        "page": "UBIGINT",
        "clicks": "INTEGER",
    },
    "raw_term": {"query": "UBIGINT", "keyword": "UBIGINT"},
    "raw_keyword_name": {"hash": "UBIGINT", "text": "VARCHAR"},
    "raw_page_name": {"hash": "UBIGINT", "text": "VARCHAR"},
    "raw_link": {"source": "UBIGINT", "target": "UBIGINT"},
}
CODES = {"UBIGINT": "Q", "BIGINT": "q", "INTEGER": "i"}


@contextmanager
def workspace(memory: str, threads: int, folder: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database in a private temporary folder, gone afterwards. What exceeds ``memory`` is spilled there."""
    with TemporaryDirectory(prefix=".learn-", dir=folder) as temporary:
        place = Path(temporary)
        config: dict[str, str | bool | int | float | list[str]] = {
            "memory_limit": memory,
            "threads": threads,
            "temp_directory": str(place),
            "preserve_insertion_order": False,
        }
        with duckdb.connect(place / "learn.duckdb", config=config) as db:
            yield db


class Table:
    """Rows on their way into a table of the database."""

    def __init__(self, db: duckdb.DuckDBPyConnection, name: str) -> None:
        self._db = db
        self._name = name
        columns = TABLES[name]
        db.execute(f"CREATE TABLE {name} ({', '.join(f'{c} {t}' for c, t in columns.items())})")
        self._columns: dict[str, Any] = {c: array(CODES[t]) if t in CODES else [] for c, t in columns.items()}
        self._appends = [column.append for column in self._columns.values()]
        self._first = next(iter(self._columns.values()))

    def add(self, row: Iterable[int | str]) -> None:
        for append, value in zip(self._appends, row, strict=True):
            append(value)
        if len(self._first) >= ROWS:
            self.flush()

    def flush(self) -> None:
        chunk = {
            name: np.frombuffer(column, dtype=column.typecode)
            if isinstance(column, array)
            else np.array(column, object)
            for name, column in self._columns.items()
        }
        if len(self._first):
            self._db.register("chunk", chunk)
            self._db.execute(f"INSERT INTO {self._name} SELECT * FROM chunk")
            self._db.unregister("chunk")
        del chunk
        for column in self._columns.values():
            del column[:]


class Evidence:
    """Collects click events and links in a database: tables ``raw_…``, in which a row may come more than once."""

    def __init__(self, db: duckdb.DuckDBPyConnection, normalise: Normalise, canonical: Canonical, key: bytes) -> None:
        self._db = db
        self._events, self._terms, self._keywords, self._pages, self._links = (Table(db, name) for name in TABLES)
        self._normalise = normalise
        self._canonical = canonical
        self._key = key
        self._user = lru_cache(REMEMBERED)(lambda name: pseudonym(b"user", name, key))
        self._group = lru_cache(REMEMBERED)(lambda name: pseudonym(b"group", name, key))
        self._query = lru_cache(REMEMBERED)(self._read_query)
        self._page = lru_cache(REMEMBERED)(self._read_page)
        self._end = lru_cache(REMEMBERED)(lambda url: pseudonym(b"page", canonical(url), key))

    def add(self, click: Click) -> None:
        """One event. Nothing of it is kept in the clear but its count, and an access log's time."""
        user, query, url, group, time, step, clicks, second = click
        moment = pseudonym(b"moment", f"{time}\0{step}", self._key)
        self._events.add(
            (self._user(user), self._group(group), moment, second, self._query(query), self._page(url), clicks)
        )

    def link(self, source: str, target: str) -> None:
        """A hyperlink from page to page."""
        self._links.add((self._end(source), self._end(target)))

    def _read_query(self, text: str) -> int:
        query = pseudonym(b"query", text, self._key)
        for keyword in self._normalise(text) if query else ():
            hash = pseudonym(b"keyword", keyword, self._key)
            self._terms.add((query, hash))
            self._keywords.add((hash, keyword))
        return query

    def _read_page(self, url: str) -> int:
        if not url:
            return NOBODY
        name = self._canonical(url)
        page = pseudonym(b"page", name, self._key)
        self._pages.add((page, name))
        return page

    def flush(self) -> None:
        for table in (self._events, self._terms, self._keywords, self._pages, self._links):
            table.flush()
