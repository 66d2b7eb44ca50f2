"""The file of a crawl: JOBDIR/crawl.sqlite. Opened by one crawl at a time, read by anyone at any time."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from typing import Any

from fcacrawler.values.errors import BadStore

NAME = "crawl.sqlite"
OURS = 0x46434143  # "FCAC", in the file's header
VERSION = 7
SHUT = "unreached"  # the fact: hosts that the last run could not reach, and why
CACHE = 32  # MiB of the file's pages in memory
LOG = 16_000  # pages of write-ahead log before they are moved into the file: 64 MB


class Store(sqlite3.Connection):
    """The crawl's file. What its disk cannot bear, and what is wrong in it, is told as such."""

    path = Path(NAME)

    def execute(self, *statement: Any) -> sqlite3.Cursor:
        try:
            return super().execute(*statement)
        except sqlite3.DatabaseError as e:
            raise self._told(e) from e

    def executemany(self, *statement: Any) -> sqlite3.Cursor:
        try:
            return super().executemany(*statement)
        except sqlite3.DatabaseError as e:
            raise self._told(e) from e

    def _told(self, e: sqlite3.DatabaseError) -> BadStore:
        if isinstance(e, sqlite3.OperationalError):
            return BadStore(
                f"{self.path}: {e}. Make room or mend the disk, then run the same command again: it goes on"
            )
        return BadStore(
            f"{self.path}: {e}. What is in it may still be had by scrapy export; move it away to begin anew"
        )


def open_store(folder: Path, crawl: Mapping[str, str]) -> sqlite3.Connection:
    """The crawl's file, made if it is not there. ``crawl`` says what crawl it is: a file of another is refused."""
    path = _made(folder) / NAME
    try:
        db = sqlite3.connect(path, isolation_level=None, timeout=10, factory=Store)
        db.path = path
        _ours(db, path)
        db.execute("PRAGMA journal_mode = WAL")  # readers and the crawl do not wait for one another
        db.execute("PRAGMA synchronous = NORMAL")  # a killed process loses nothing; a power cut what was not synced
        db.execute("PRAGMA secure_delete = OFF")  # what is deleted need not be written over with zeros
        db.execute(f"PRAGMA cache_size = {-1024 * CACHE}")
        db.execute(f"PRAGMA wal_autocheckpoint = {LOG}")
        if not db.execute("PRAGMA user_version").fetchone()[0]:
            _create(db, crawl)
        db.execute("CREATE INDEX IF NOT EXISTS page_of ON pages (arrival)")
        _same(db, path, crawl)
    except sqlite3.DatabaseError as e:
        raise BadStore(f"{path}: {e}. Move it away to begin anew") from None
    return db


def lock(folder: Path) -> sqlite3.Connection:
    """Held until it is closed or its process is gone."""
    try:
        held = sqlite3.connect(_made(folder) / "crawl.lock", isolation_level=None, timeout=0)
    except sqlite3.OperationalError as error:
        raise BadStore(f"{folder} cannot be written to ({error}): take another JOBDIR") from None
    try:
        held.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        held.close()
        raise BadStore(f"another crawl runs in {folder}: wait for its end, or take another JOBDIR") from None
    return held


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadStore(f"{folder} can be no crawl's folder ({error.strerror}): take another JOBDIR") from None
    return folder


def holds_crawl(folder: Path | None) -> bool:
    """Will the crawl in this folder be the continuation of another?"""
    return folder is not None and (folder / NAME).exists()


def forgets_items(folder: Path | None) -> bool:
    """Whether there are pages of a crawl in this folder, but not the items that came of them."""
    if not holds_crawl(folder):
        return False
    assert folder is not None
    with closing(read_store(folder)) as db:
        kept = "EXISTS (SELECT 1 FROM pages WHERE item != x'')"
        (forgotten,) = db.execute(f"SELECT EXISTS (SELECT 1 FROM pages) AND NOT {kept}").fetchone()
    return bool(forgotten)


def read_store(folder: Path) -> sqlite3.Connection:
    """The file to be read only, also while the crawl runs."""
    path = folder / NAME
    if not path.is_file():
        raise BadStore(f"{folder} holds no crawl ({NAME} is missing): was it made with -s JOBDIR={folder}?")
    db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
    try:
        _ours(db, path)
    except sqlite3.DatabaseError as e:
        raise BadStore(f"{path}: {e}") from None
    return db


def items(folder: Path) -> Iterator[str]:
    """The crawl's items as JSON, in order, as they are at this moment."""
    with closing(read_store(folder)) as db:
        last = "SELECT max(number) FROM pages WHERE item != x'' GROUP BY arrival"  # of a page that was fetched again
        for (item,) in db.execute(f"SELECT item FROM pages WHERE number IN ({last}) ORDER BY number"):
            yield zlib.decompress(item).decode("utf-8", "surrogatepass")


def told(db: sqlite3.Connection) -> str:
    """What the crawl's last run has said of itself."""
    row = db.execute("SELECT value FROM facts WHERE name = 'told'").fetchone()
    return str(row[0]) if row else ""


def homes_in(db: sqlite3.Connection) -> list[str]:
    """The hosts that the crawl is to stay on, besides those that its topic names."""
    row = db.execute("SELECT value FROM facts WHERE name = 'homes'").fetchone()
    return list(map(str, json.loads(row[0]))) if row else []


def unreached_in(db: sqlite3.Connection) -> dict[str, str]:
    """The hosts that its last run could not reach, and why."""
    row = db.execute(f"SELECT value FROM facts WHERE name = '{SHUT}'").fetchone()
    return {str(host): str(why) for host, why in json.loads(row[0]).items()} if row else {}


def _ours(db: sqlite3.Connection, path: Path) -> None:
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if tables and application != OURS:
        raise BadStore(f"{path} is a database of another program: take another JOBDIR")
    if tables and version != VERSION:
        raise BadStore(f"{path} was written by another version ({version}, not {VERSION}): take another JOBDIR")


def _create(db: sqlite3.Connection, crawl: Mapping[str, str]) -> None:
    schema = files(__package__).joinpath("crawl.sql").read_text("utf-8")
    db.executescript(f"BEGIN IMMEDIATE;\n{schema}")
    db.executemany("INSERT INTO facts VALUES (?, ?)", [(f"crawl.{name}", value) for name, value in crawl.items()])
    db.execute(f"PRAGMA application_id = {OURS}")
    db.execute(f"PRAGMA user_version = {VERSION}")
    db.execute("COMMIT")


def _same(db: sqlite3.Connection, path: Path, crawl: Mapping[str, str]) -> None:
    facts: dict[str, Any] = dict(db.execute("SELECT name, value FROM facts"))
    for name, value in crawl.items():
        was = facts.get(f"crawl.{name}")
        if was != value:
            raise BadStore(f"{path} is a crawl with {name} {was!r}, not {value!r}: take another JOBDIR")
