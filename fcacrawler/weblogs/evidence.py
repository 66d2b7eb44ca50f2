"""What learning rests on, kept so that later logs can be added: distinct click events under pseudonyms, and links.

In memory nothing grows with the log: rows go to DuckDB in chunks, and DuckDB spills to disk.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fcacrawler.values.errors import FcaError
from fcacrawler.weblogs.events import Click, turn
from fcacrawler.weblogs.pseudonyms import NOBODY, pseudonym

if TYPE_CHECKING:
    import duckdb

Normalise = Callable[[str], Sequence[str]]  # a query → its keywords
Canonical = Callable[[str], str]  # a URL → how pages are known

ROWS = 1 << 18  # of a chunk
REMEMBERED = 1 << 18  # queries and pages whose pseudonyms are not computed twice

TABLES: Mapping[str, tuple[str, ...]] = {
    "raw_event": ("user", "grp", "moment", "second", "turn", "query", "page", "clicks"),
    "raw_term": ("query", "keyword"),
    "raw_keyword_name": ("hash", "text"),
    "raw_page_name": ("hash", "text"),
    "raw_link": ("source", "target"),
}
"""Table → columns. All are unsigned numbers of 64 bits, 0 where nothing is known, but ``text``."""


@contextmanager
def workspace(memory: str, threads: int, folder: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database in a private temporary folder, gone afterwards. What exceeds ``memory`` is spilled there."""
    import duckdb

    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".learn-", dir=folder) as temporary:
            config: dict[str, str | bool | int | float | list[str]] = {
                "memory_limit": memory,
                "threads": threads,
                "temp_directory": temporary,
                "preserve_insertion_order": False,
            }
            with duckdb.connect(Path(temporary) / "learn.duckdb", config=config) as db:
                yield db
    except duckdb.OutOfMemoryException as e:
        raise FcaError(
            f"{memory} are too little memory for this log: give more with --memory, or cut it with --parts"
        ) from e
    except RuntimeError as e:  # DuckDB's way to tell of Ctrl-C
        if "interrupted" in str(e):
            raise KeyboardInterrupt from e
        raise
    except (OSError, duckdb.IOException) as e:
        raise FcaError(f"{folder}: cannot be worked in ({str(e).splitlines()[0]})") from e


def create(db: duckdb.DuckDBPyConnection) -> None:
    """The tables, empty."""
    for name, columns in TABLES.items():
        types = ", ".join(f"{column} {'VARCHAR' if column == 'text' else 'UBIGINT DEFAULT 0'}" for column in columns)
        db.execute(f"CREATE TABLE {name} ({types})")


class Numbers:
    """Rows of numbers on their way into a table."""

    def __init__(self, db: duckdb.DuckDBPyConnection, name: str) -> None:
        self._db = db
        self._name = name
        self._values = array("Q")  # row after row

    def add(self, row: tuple[int, ...]) -> None:
        self._values.extend(row)
        if len(self._values) >= len(row) * ROWS:
            self.flush()

    def flush(self) -> None:
        columns = TABLES[self._name]
        rows = np.array(self._values, dtype=np.uint64).reshape(-1, len(columns))
        insert(self._db, self._name, {c: np.ascontiguousarray(rows[:, i]) for i, c in enumerate(columns)})
        del self._values[:]


class Names:
    """Pseudonyms with what they stand for, on their way into a table."""

    def __init__(self, db: duckdb.DuckDBPyConnection, name: str) -> None:
        self._db = db
        self._name = name
        self._hashes = array("Q")
        self._texts: list[str] = []

    def add(self, hash: int, text: str) -> None:
        self._hashes.append(hash)
        self._texts.append(text)
        if len(self._texts) >= ROWS:
            self.flush()

    def flush(self) -> None:
        hashes = np.array(self._hashes, dtype=np.uint64)
        insert(self._db, self._name, {"hash": hashes, "text": np.array(self._texts, dtype=object)})
        del self._hashes[:]
        self._texts.clear()


def insert(db: duckdb.DuckDBPyConnection, name: str, columns: Mapping[str, NDArray[Any]]) -> None:
    if len(next(iter(columns.values()))):
        db.register("chunk", columns)
        db.execute(f"INSERT INTO {name} SELECT * FROM chunk")
        db.unregister("chunk")


class Evidence:
    """Collects click events and links in a database: tables ``raw_…``, in which a row may come more than once."""

    def __init__(self, db: duckdb.DuckDBPyConnection, normalise: Normalise, canonical: Canonical, key: bytes) -> None:
        self._db = db
        create(db)
        self._events, self._terms, self._links = (Numbers(db, f"raw_{name}") for name in ("event", "term", "link"))
        self._keywords, self._pages = (Names(db, f"raw_{name}_name") for name in ("keyword", "page"))
        self._normalise = normalise
        self._canonical = canonical
        self._key = key
        self._user = lru_cache(REMEMBERED)(lambda name: pseudonym(b"user", name, key))
        self._group = lru_cache(REMEMBERED)(lambda name: pseudonym(b"group", name, key))
        self._keyword = lru_cache(REMEMBERED)(self._read_keyword)
        self._query = lru_cache(REMEMBERED)(self._read_query)
        self._page = lru_cache(REMEMBERED)(self._read_page)
        self._end = lru_cache(REMEMBERED)(lambda url: pseudonym(b"page", canonical(url), key))

    def add(self, click: Click) -> None:
        """One event. Nothing of it is kept in the clear but its count and its time."""
        user, query, url, group, time, step, clicks, second = click
        moment, then = pseudonym(b"moment", f"{time}\0{step}", self._key), turn(time, step, second)
        self._events.add(
            (self._user(user), self._group(group), moment, second, then, self._query(query), self._page(url), clicks)
        )

    def link(self, source: str, target: str) -> None:
        """A hyperlink from page to page."""
        self._links.add((self._end(source), self._end(target)))

    def _read_query(self, text: str) -> int:
        query = pseudonym(b"query", text, self._key)
        for keyword in self._normalise(text) if query else ():
            self._terms.add((query, self._keyword(keyword)))
        return query

    def _read_keyword(self, name: str) -> int:
        keyword = pseudonym(b"keyword", name, self._key)
        self._keywords.add(keyword, name)
        return keyword

    def _read_page(self, url: str) -> int:
        if not url:
            return NOBODY
        name = self._canonical(url)
        page = pseudonym(b"page", name, self._key)
        self._pages.add(page, name)
        return page

    def flush(self) -> None:
        for table in (self._events, self._terms, self._keywords, self._pages, self._links):
            table.flush()
