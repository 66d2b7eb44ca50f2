"""The pages of a world, read once and kept, so that every order of every comparison reads them from here.

SQLite, one row a URL. Valid as long as the world, our page reading and this file's own form stay what they were: all
of that is in the file's name, so a stale library is never opened.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import fcacrawler
from fcacrawler.evaluation.web import Fetched
from fcacrawler.page import PageOptions
from fcacrawler.values.files import cache_folder
from fcacrawler.values.links import Link
from fcacrawler.values.pages import SeenPage
from fcacrawler.worlds.replay import files_of

KEPT = 20_000  # pages in memory
READING = ("app", "crawl", "evaluation", "lowlevel", "page", "values", "worlds")  # rooms that reading a page depends on
RANKING = (*READING, "frontier", "judge", "orders", "ontology", "semrank", "vectors", "weblogs")  # … that a crawl does
SCHEMA = "CREATE TABLE IF NOT EXISTS pages (url TEXT PRIMARY KEY, targets TEXT, body BLOB) WITHOUT ROWID"


class Library:
    """URL → what came of fetching it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(path)
        self._db.execute(SCHEMA)
        self.get = lru_cache(KEPT)(self._get)

    def _get(self, url: str) -> Fetched | None:
        row = self._db.execute("SELECT body FROM pages WHERE url = ?", (url,)).fetchone()
        return None if row is None else unpacked(row[0])

    def missing(self, urls: Iterable[str]) -> list[str]:
        """Those that have not been read, in their order."""
        known = {url for (url,) in self._db.execute("SELECT url FROM pages")}
        return [url for url in urls if url not in known]

    def add(self, rows: Iterable[tuple[str, str, bytes]]) -> None:
        """Rows as ``packed`` makes them."""
        with self._db:
            self._db.executemany("INSERT OR REPLACE INTO pages VALUES (?, ?, ?)", rows)

    def targets(self) -> Iterator[tuple[str, str, list[str]]]:
        """URL asked for, URL arrived at, and the URLs that a crawl goes on to, of everything that was read."""
        for url, targets in self._db.execute("SELECT url, targets FROM pages ORDER BY url"):
            final, *links = json.loads(targets)
            yield url, final, links

    def close(self) -> None:
        self._db.close()


def packed(url: str, fetched: Fetched) -> tuple[str, str, bytes]:
    """A row of the library."""
    page = fetched.page
    targets = [link.url for link in page.links if not link.nofollow] if page and fetched.follow else []
    body: object = False if fetched.gone else None
    if page is not None:
        links = [(link.url, link.anchor, link.context, int(link.nofollow), *link[5:]) for link in page.links]
        body = (
            page.url, page.title, page.language, page.keywords, page.terms, links, page.text, page.content_hash,
            page.simhash, page.canonical, [n for n, link in enumerate(page.links) if link.url in fetched.unknown],
        )  # fmt: skip
    row = json.dumps((fetched.responded, fetched.final_url, fetched.follow, body), separators=(",", ":"))
    return url, json.dumps([fetched.final_url, *targets]), zlib.compress(row.encode(), 1)


def unpacked(body: bytes) -> Fetched:
    """What ``packed`` has written."""
    responded, final_url, follow, fields = json.loads(zlib.decompress(body))
    if not fields:
        return Fetched(responded, final_url, None, follow, gone=fields is False)
    url, title, language, keywords, terms, links, text, content_hash, simhash, canonical, unknown = fields
    page = SeenPage(
        url=url,
        title=title,
        language=language,
        depth=0,
        keywords=tuple((word, weight) for word, weight in keywords),
        terms=terms,
        links=tuple(
            Link(u, anchor, context, n, bool(no), *said) for n, (u, anchor, context, no, *said) in enumerate(links)
        ),
        text=text,
        content_hash=content_hash,
        simhash=simhash,
        canonical=canonical,
    )
    return Fetched(responded, final_url, page, follow, frozenset(links[n][0] for n in unknown))


def library_path(world: str, options: PageOptions) -> Path:
    """Where the pages of a world are kept: a name made of all that they depend on."""
    digest = hashlib.sha256(repr((state_of(world), options, code_of(READING))).encode()).hexdigest()[:20]
    return cache_folder() / "pages" / f"{Path(world).name.partition('?')[0] or 'world'}-{digest}.sqlite"


def state_of(world: str) -> tuple[object, ...]:
    """What tells one state of a world from another: its name, or its files with their sizes and times."""
    home = Path(world)
    if not home.exists():
        return (world,)
    return (str(home.resolve()), *((f.name, f.stat().st_size, f.stat().st_mtime_ns) for f in files_of(home)))


def code_of(rooms: Sequence[str], home: Path = Path(fcacrawler.__file__).parent) -> str:
    """A digest of our own sources: of these rooms of the package."""
    digest = hashlib.sha256(fcacrawler.__version__.encode())
    for room in rooms:
        for file in sorted((home / room).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(file.relative_to(home).as_posix().encode() + file.read_bytes())
    return digest.hexdigest()
