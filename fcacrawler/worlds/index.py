"""Where each page stands in a folder's WARC files, kept in SQLite, so that a large web opens at once.

The index lies in the user's cache folder, one a world: a recording is never written to (decision 193). It is valid
while the files' names, sizes and times are those it was made from.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, redirect_stdout
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, NamedTuple

from w3lib.url import canonicalize_url
from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed
from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeadersParser, StatusAndHeadersParserException

from fcacrawler.values.errors import BadWorld
from fcacrawler.values.files import cache_folder
from fcacrawler.worlds import Progress
from fcacrawler.worlds.record import ORDER


class Place(NamedTuple):
    """Where a record stands."""

    file: str
    offset: int


VERSION = 2
ABOUT = 64 << 10  # bytes that are read of what a file says of itself
HTTP = StatusAndHeadersParser(["HTTP/1.0", "HTTP/1.1", "HTTP/2"])
SCHEMA = """
CREATE TABLE made_from (name TEXT, size INTEGER, changed INTEGER);
CREATE TABLE notes (note TEXT);
CREATE TABLE orders (name TEXT);
CREATE TABLE pages (n INTEGER PRIMARY KEY, key TEXT UNIQUE, url TEXT, file TEXT, at INTEGER, page INTEGER);
"""
NEWEST = """
INSERT INTO pages (key, url, file, at, page) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE SET url = excluded.url, file = excluded.file, at = excluded.at, page = excluded.page
"""


def key_of(url: str) -> str:
    """What two spellings of one URL have in common.

    >>> key_of("HTTP://a.test?b=2&a=%28") == key_of("http://a.test/?a=(&b=2#top")
    True
    """
    return str(canonicalize_url(url))


class Index:
    """An opened index: URL → place."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False)

    def place(self, url: str) -> Place | None:
        row = self._db.execute("SELECT file, at FROM pages WHERE key = ?", (key_of(url),)).fetchone()
        return Place(*row) if row else None

    def spelt(self, url: str) -> str | None:
        """How the recording spells this URL; None if it is not there."""
        row = self._db.execute("SELECT url FROM pages WHERE key = ?", (key_of(url),)).fetchone()
        return str(row[0]) if row else None

    def urls(self) -> Iterator[str]:
        """The pages (HTML, status 200), in the order of the files."""
        with closing(self._db.cursor()) as rows:
            yield from (url for (url,) in rows.execute("SELECT url FROM pages WHERE page ORDER BY n"))

    def notes(self) -> list[str]:
        return [note for (note,) in self._db.execute("SELECT note FROM notes")]

    def orders(self) -> tuple[str, ...]:
        """Of the crawls that recorded it, as far as their files tell, in the order of the files."""
        return tuple(name for (name,) in self._db.execute("SELECT name FROM orders GROUP BY name ORDER BY min(rowid)"))

    def count(self) -> int:
        """How many URLs have an answer."""
        return int(self._db.execute("SELECT count(*) FROM pages").fetchone()[0])

    def close(self) -> None:
        self._db.close()


def open_index(home: Path, files: Sequence[Path], progress: Progress | None = None) -> Index:
    """The index of these WARC files, made now if there is none that fits them. ``home`` is the folder or file that
    the world was named by."""
    state = [(f.name, f.stat().st_size, f.stat().st_mtime_ns) for f in files]
    path = cache_folder() / "worlds" / f"{hashlib.sha256(str(home.resolve()).encode()).hexdigest()[:24]}.index"
    if not _fits(path, state):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _make(path, files, state, progress)
        except OSError as error:
            raise BadWorld(
                f"{home}: the index of its WARC files cannot be written to {path.parent} ({error.strerror}); "
                "set XDG_CACHE_HOME to a folder that can be written to"
            ) from None
    return Index(path)


def _fits(path: Path, state: list[tuple[str, int, int]]) -> bool:
    if not path.is_file():
        return False
    try:
        with closing(sqlite3.connect(path)) as db:
            version = db.execute("PRAGMA user_version").fetchone()[0]
            return version == VERSION and db.execute("SELECT * FROM made_from").fetchall() == state
    except sqlite3.DatabaseError:
        return False


def _make(path: Path, files: Sequence[Path], state: list[tuple[str, int, int]], progress: Progress | None) -> None:
    """Write the index under another name and move it to its place when it is whole."""
    with NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as made:
        new = Path(made.name)
    try:
        with closing(sqlite3.connect(new)) as db:
            db.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {SCHEMA}")
            done, total = 0, sum(size for _, size, _ in state)
            for file in files:
                notes = _read(db, file, lambda at, done=done: progress and progress(done + at, total))  # type: ignore[misc]
                db.executemany("INSERT INTO notes VALUES (?)", [(n,) for n in notes])
                done += file.stat().st_size
            db.executemany("INSERT INTO made_from VALUES (?, ?, ?)", state)
            db.execute(f"PRAGMA user_version = {VERSION}")
            db.commit()
        os.replace(new, path)
    finally:
        new.unlink(missing_ok=True)


def _read(db: sqlite3.Connection, file: Path, progress: Callable[[int], None]) -> list[str]:
    """Enter a file's records; answer what is wrong with the file."""
    seen = odd = 0
    with file.open("rb") as raw, redirect_stdout(None):  # warcio prints when it meets damage
        records = ArchiveIterator(raw, no_record_parse=True)  # warcio's own parsing fails on torn headers
        progress(0)
        try:
            for record in records:
                seen += 1
                if record.rec_type == "warcinfo" and (order := _order(record)):
                    db.execute("INSERT INTO orders VALUES (?)", (order,))
                row = _row(db, record, file.name, records.offset)
                records.read_to_end()
                if getattr(record.raw_stream, "limit", 1) > 0:
                    raise ArchiveLoadFailed("record shorter than it says, or does not say")
                if row:
                    db.execute(NEWEST, row)
                odd += not row and record.rec_type == "response" and "http" in (record.content_type or "")
                if seen % 256 == 0:
                    progress(raw.tell())
            whole = records.offset == file.stat().st_size
            notes = [] if whole else [_broken(file, seen + 1, records.offset)]
        except (ArchiveLoadFailed, zlib.error) as why:
            notes = [_in_one_piece(file) if "non-chunked" in str(why) else _broken(file, seen, records.offset)]
    if odd:
        notes.append(f"{file.name}: {odd} response records without a readable HTTP status were left out")
    return notes


def _row(db: sqlite3.Connection, record: ArcWarcRecord, file: str, at: int) -> tuple[Any, ...] | None:
    """What to enter for a record; None if it is no answer to an HTTP request."""
    url = record.rec_headers.get_header("WARC-Target-URI") or ""
    if record.rec_type not in ("response", "revisit") or not url.startswith(("http:", "https:")):
        return None
    if record.rec_type == "revisit":
        first = record.rec_headers.get_header("WARC-Refers-To-Target-URI") or url
        known = db.execute("SELECT file, at, page FROM pages WHERE key = ?", (key_of(first),)).fetchone()
        return known and (key_of(url), url, *known)
    try:
        http = HTTP.parse(record.raw_stream)
    except (EOFError, StatusAndHeadersParserException):
        return None
    status, kind = http.get_statuscode(), http.get_header("Content-Type", "text/html")
    return (key_of(url), url, file, at, status == "200" and "html" in kind.lower()) if status.isdigit() else None


def _order(record: ArcWarcRecord) -> str:
    """Of the crawl that wrote the file, if it says so."""
    fields = record.raw_stream.read(ABOUT).decode("utf-8", "replace").splitlines()
    named = (line.partition(":") for line in fields)
    return next((value.strip() for name, _, value in named if name.strip().lower() == ORDER), "")


def _broken(file: Path, record: int, at: int) -> str:
    return f"{file.name}: broken off or damaged in record {record}, near byte {at}; what stands before it is used"


def _in_one_piece(file: Path) -> str:
    return f"{file.name}: compressed as one piece, so that no record can be found again; mend it with warcio recompress"
