"""The file of a crawl: JOBDIR/crawl.sqlite. Opened by one crawl at a time, read by anyone at any time."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from fcacrawler.frontier.records import read
from fcacrawler.values.errors import BadRecord, BadStore

T = TypeVar("T")

NAME = "crawl.sqlite"
OURS = 0x46434143  # "FCAC", in the file's header
VERSION = 9
SHUT = "unreached"  # the fact: hosts that the last run could not reach, and why
TABLES = {"facts", "log", "news", "pages", "places", "settled", "urls"}
CACHE = 32  # MiB of the file's pages in memory
LOG = 16_000  # pages of write-ahead log before they are moved into the file: 64 MB


class Store(sqlite3.Connection):
    """A file of a crawl. What its disk cannot bear, and what is wrong in it, is told as such (BadStore)."""

    path = Path(NAME)
    failure = ""  # the first, as told: SQLite may have taken back all that was to be committed with it
    remedy = "What is in it may still be had by scrapy export; move it away to begin anew"

    def execute(self, *statement: Any) -> Answers:
        return Answers(self).execute(*statement)

    def executemany(self, *statement: Any) -> Answers:
        return Answers(self).executemany(*statement)

    def executescript(self, script: str) -> Answers:
        return Answers(self).executescript(script)

    def told(self, error: Exception) -> BadStore:
        told = self._told(error)
        self.failure = self.failure or str(told)
        return told

    def _told(self, error: Exception) -> BadStore:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF  # without its details
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
            return BadStore(f"{self.path}: {error}. Its folder must be one that you may write to")
        if isinstance(error, sqlite3.OperationalError) and code != sqlite3.SQLITE_ERROR:
            return BadStore(
                f"{self.path}: {error}. Make room or mend the disk, then run the same command again: it goes on"
            )
        return BadStore(f"{self.path}: {error}. {self.remedy}")


class Answers(sqlite3.Cursor):
    """Rows of a ``Store``: an error may come with any of them."""

    connection: Store

    def execute(self, *statement: Any) -> Answers:
        with self._told():
            return super().execute(*statement)

    def executemany(self, *statement: Any) -> Answers:
        with self._told():
            return super().executemany(*statement)

    def executescript(self, script: str) -> Answers:
        with self._told():
            super().executescript(script)
        return self

    def fetchone(self) -> Any:
        with self._told():
            return super().fetchone()

    def fetchall(self) -> list[Any]:
        with self._told():
            return super().fetchall()

    def __next__(self) -> Any:
        try:
            return super().__next__()
        except sqlite3.Error as error:
            raise self.connection.told(error) from error

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OverflowError) as error:
            raise self.connection.told(error) from error


def open_store(folder: Path, crawl: Mapping[str, str]) -> Store:
    """The crawl's file, made if it is not there. ``crawl`` says what crawl it is: a file of another is refused."""
    path = _made(folder) / NAME
    db = connect(path, str(_regular(path)))
    try:
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
    except BadStore:
        db.close()
        raise
    return db


def connect(path: Path, place: str, remedy: str = Store.remedy) -> Store:
    """``place``: the path, or a URI of it."""
    try:
        db = sqlite3.connect(place, isolation_level=None, timeout=10, factory=Store, uri=place.startswith("file:"))
    except sqlite3.Error as error:
        raise BadStore(f"{path}: {error}. {remedy}") from None
    db.path, db.remedy = path, remedy
    return db


def lock(folder: Path) -> sqlite3.Connection:
    """Held until it is closed or its process is gone. It is the file's, by whichever link that is reached."""
    place = _regular(_made(folder) / NAME).with_name("crawl.lock")
    held = connect(place, str(place))
    try:
        held.execute("PRAGMA busy_timeout = 0")
        held.execute("BEGIN IMMEDIATE")  # of those who try at once one gets it; EXCLUSIVE may be refused to all
    except BadStore as told:
        held.close()
        error = told.__cause__
        if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_BUSY:
            raise BadStore(f"another crawl runs in {folder}: wait for its end, or take another JOBDIR") from None
        raise BadStore(f"{folder} cannot be written to ({place.name}: {error}): take another JOBDIR") from None
    return held


def _regular(path: Path) -> Path:
    """Where the file is, if it is one and has no other names but symbolic links."""
    try:
        real = path.resolve()
        if real.exists() and not real.is_file():
            raise BadStore(f"{path} is no file: take another JOBDIR")
        if real.exists() and real.stat().st_nlink > 1:
            raise BadStore(f"{path} has other names (hard links), by which it would be damaged: use a copy of it")
    except (OSError, RuntimeError) as error:
        raise BadStore(f"{path} cannot be opened ({error}): take another JOBDIR") from None
    return real


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


def read_store(folder: Path, tidy: bool = False) -> Store:
    """The file to be read only, also while the crawl runs. ``tidy``: if it is closed after the crawl, what is in the
    write-ahead log goes into the file, as it would have with the crawl's end."""
    path = folder / NAME
    if not path.is_file():
        raise BadStore(f"{folder} holds no crawl ({NAME} is missing): was it made with -s JOBDIR={folder}?")
    writable = os.access(folder, os.W_OK) or _has_log(path)  # SQLite wants to write beside a file that may change
    mode = ("rw" if tidy else "ro") if writable else "ro&immutable=1"
    db = connect(path, f"{path.resolve().as_uri()}?mode={mode}")
    try:
        _ours(db, path)
    except BadStore:
        db.close()
        raise
    return db


def _has_log(path: Path) -> bool:
    """Is something in the write-ahead log that is not in the file yet?"""
    log = path.with_name(f"{path.name}-wal")
    return log.is_file() and log.stat().st_size > 0


@contextmanager
def damage_told(db: Store) -> Iterator[None]:
    """What cannot be made of the rows of a file, as it was written by us, is told as damage."""
    try:
        yield
    except (BadRecord, ValueError, TypeError, KeyError, OverflowError) as error:
        raise db.told(error) from error


def told(db: sqlite3.Connection) -> str:
    """What the crawl's last run has said of itself."""
    row = db.execute("SELECT value FROM facts WHERE name = 'told'").fetchone()
    return str(row[0]) if row else ""


def homes_in(db: sqlite3.Connection) -> list[str]:
    """The hosts that the crawl is to stay on, besides those that its topic names."""
    return list(map(str, fact(db, "homes", list)))


def fact(db: sqlite3.Connection, name: str, kind: type[T]) -> T:
    """What the file says of itself under this name, as JSON; empty if it says nothing."""
    row = db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return read(str(row[0]).encode(), lambda value: _is(kind, value)) if row else kind()


def _is(kind: type[T], value: Any) -> T:
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return value


def unreached_in(db: sqlite3.Connection) -> dict[str, str]:
    """The hosts that its last run could not reach, and why."""
    return {str(host): str(why) for host, why in fact(db, SHUT, dict).items()}


def _ours(db: sqlite3.Connection, path: Path) -> None:
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_schema")}
    if tables and application != OURS:
        raise BadStore(f"{path} is a database of another program: take another JOBDIR")
    if tables and version != VERSION:
        raise BadStore(f"{path} was written by another version ({version}, not {VERSION}): take another JOBDIR")
    if tables and (missing := ", ".join(sorted(TABLES - tables))):
        raise BadStore(f"{path} is damaged: it has no table {missing}. {Store.remedy}")


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
