"""What learning rests on, kept so that later logs can be added: distinct click events under pseudonyms, and links.

In memory nothing grows with the log: rows go to DuckDB in chunks, and DuckDB spills to disk.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import compress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fcacrawler.values.errors import FcaError
from fcacrawler.weblogs.events import ClickColumns, turn
from fcacrawler.weblogs.pseudonyms import pseudonyms

if TYPE_CHECKING:
    import duckdb

Normalise = Callable[[str], Sequence[str]]  # a query → its keywords
Canonical = Callable[[str], str]  # a URL → how pages are known

ROWS = 1 << 18  # of a chunk
ROWS_CUT = 1 << 20  # … in which each part's rows lie together
NAMES = 1 << 18  # URLs whose canonical form is not computed twice
REMEMBERED = 1 << 22  # pseudonyms whose texts are not told twice

TABLES: Mapping[str, tuple[str, ...]] = {
    "raw_event": ("user", "grp", "moment", "second", "turn", "query", "page", "clicks"),
    "raw_term": ("query", "keyword"),
    "raw_keyword_name": ("hash", "text"),
    "raw_page_name": ("hash", "text"),
    "raw_link": ("source", "target"),
}
"""Table → columns. All are unsigned numbers of 64 bits, 0 where nothing is known, but ``text``."""

FULL = ("No space left", "max_temp_directory_size")  # what is said of a disk

CUT: Mapping[str, str] = {"raw_event": "user", "raw_term": "query"}
"""Table that is read in parts → the column whose remainder is a row's part; the table has a column for it."""


@contextmanager
def workspace(memory: str, threads: int, folder: Path) -> Iterator[tuple[duckdb.DuckDBPyConnection, Path]]:
    """A database in a private temporary folder, gone afterwards. What exceeds ``memory`` is spilled there."""
    import duckdb

    try:
        folder.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(folder).free
        with TemporaryDirectory(prefix=".learn-", dir=folder) as temporary:
            config: dict[str, str | bool | int | float | list[str]] = {
                "memory_limit": memory,
                "threads": threads,
                "temp_directory": temporary,
                "preserve_insertion_order": False,
            }
            with duckdb.connect(Path(temporary) / "learn.duckdb", config=config) as db:
                yield db, Path(temporary)
    except (OSError, RuntimeError, duckdb.Error) as e:
        said = str(e)
        if any(words in said for words in FULL):
            raise FcaError(
                f"{folder}: its disk is full, {free / 1e9:.1f} GB were free when this began; make room there, or give "
                "an --out on a larger disk"
            ) from e
        if isinstance(e, duckdb.OutOfMemoryException):
            raise FcaError(
                f"{memory} are too little memory for this log: give more with --memory, or cut it with --parts"
            ) from e
        if "interrupted" in said:  # DuckDB's way to tell of Ctrl-C
            raise KeyboardInterrupt from e
        if not isinstance(e, OSError | duckdb.IOException):
            raise
        raise FcaError(f"{folder}: cannot be worked in ({str(e).splitlines()[0]})") from e


def create(db: duckdb.DuckDBPyConnection) -> None:
    """The tables, empty."""
    for name, columns in TABLES.items():
        types = [f"{column} {'VARCHAR' if column == 'text' else 'UBIGINT DEFAULT 0'}" for column in columns]
        part = ["part USMALLINT"] if name in CUT else []
        db.execute(f"CREATE TABLE {name} ({', '.join(types + part)})")


class Rows:
    """Rows on their way into a table, column by column; where it is read in parts, each part's in a row."""

    def __init__(self, db: duckdb.DuckDBPyConnection, name: str, parts: int) -> None:
        self._db = db
        self._name = name
        self._parts = parts
        self._most = ROWS_CUT if name in CUT else ROWS
        self._held: dict[str, list[NDArray[Any]]] = {column: [] for column in TABLES[name]}
        self._size = 0

    def add(self, *columns: NDArray[np.uint64] | Sequence[int] | Sequence[str]) -> None:
        for (name, held), column in zip(self._held.items(), columns, strict=True):
            held.append(np.asarray(column, dtype=object if name == "text" else np.uint64))
        self._size += len(columns[0])
        if self._size >= self._most:
            self.flush()

    def flush(self) -> None:
        if self._size:
            chunk = {name: np.concatenate(held) for name, held in self._held.items()}
            if self._name in CUT:
                part = (chunk[CUT[self._name]] % self._parts).astype(np.uint16)
                order = part.argsort(kind="stable")
                chunk = {name: column[order] for name, column in (chunk | {"part": part}).items()}
            self._db.register("chunk", chunk)
            self._db.execute(f"INSERT INTO {self._name} SELECT * FROM chunk")
            self._db.unregister("chunk")
        for held in self._held.values():
            held.clear()
        self._size = 0


class Lately:
    """Which pseudonyms have come before. In a table of fixed size, where the later takes the place of the earlier: some
    are told to be new again, and none that is new is missed.
    """

    def __init__(self) -> None:
        self._table = np.zeros(REMEMBERED, dtype=np.uint64)

    def new(self, numbers: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """For each whether it is new; "nobody" never is."""
        places = numbers % REMEMBERED
        new: NDArray[np.bool_] = (self._table[places] != numbers) & (numbers > 0)
        self._table[places[new]] = numbers[new]
        return new


class Evidence:
    """Collects click events and links in a database: tables ``raw_…``, in which a row may come more than once."""

    def __init__(
        self, db: duckdb.DuckDBPyConnection, normalise: Normalise, canonical: Canonical, key: bytes, parts: int = 1
    ) -> None:
        create(db)
        self._events, self._terms, self._keywords, self._pages, self._links = (Rows(db, name, parts) for name in TABLES)
        self._known = Lately()
        self._normalise = normalise
        self._name = lru_cache(NAMES)(lambda url: canonical(url) if url else "")
        self._key = key

    def add(self, clicks: ClickColumns) -> None:
        """Events. Nothing of them is kept in the clear but their counts and times."""
        user, group, query = (
            pseudonyms(kind, texts, self._key)
            for kind, texts in ((b"user", clicks.user), (b"group", clicks.group), (b"query", clicks.query))
        )
        moments = [f"{time}\0{step}" for time, step in zip(clicks.time, clicks.step, strict=True)]
        moment = pseudonyms(b"moment", moments, self._key)
        then = list(map(turn, clicks.time, clicks.step, clicks.second))
        page, names = self._pages_of(clicks.url)
        new = self._known.new(page)
        self._pages.add(page[new], list(compress(names, new)))
        self._add_terms(query, clicks.query)
        self._events.add(user, group, moment, clicks.second, then, query, page, clicks.clicks)

    def link(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Hyperlinks from page to page."""
        ends, _ = self._pages_of([url for pair in pairs for url in pair])
        self._links.add(ends[::2], ends[1::2])

    def _pages_of(self, urls: Sequence[str]) -> tuple[NDArray[np.uint64], list[str]]:
        names = list(map(self._name, urls))
        return pseudonyms(b"page", names, self._key), names

    def _add_terms(self, queries: NDArray[np.uint64], texts: Sequence[str]) -> None:
        new = self._known.new(queries)
        found = [self._normalise(text) for text in compress(texts, new)]
        words = [word for keywords in found for word in keywords]
        keywords = pseudonyms(b"keyword", words, self._key)
        self._terms.add(np.repeat(queries[new], list(map(len, found))), keywords)
        unnamed = self._known.new(keywords)
        self._keywords.add(keywords[unnamed], list(compress(words, unnamed)))

    def flush(self) -> None:
        for table in (self._events, self._terms, self._keywords, self._pages, self._links):
            table.flush()
