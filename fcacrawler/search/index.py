"""The search index of a crawl: JOBDIR/search.sqlite and JOBDIR/search.vectors.

It is made from the crawl's store, by whoever is there: the crawl itself, in a thread of its own, or a later search. So
the crawl need not wait, a kill costs nothing but a little time, and an index that is damaged, or was made another way,
is made anew.

Why so: decision 210.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fcacrawler.frontier.sqlite.salvage import Salvage
from fcacrawler.frontier.sqlite.store import Store, connect, read_store
from fcacrawler.page import key_of, url_words
from fcacrawler.page.text.stems import stems
from fcacrawler.values.errors import BadStore
from fcacrawler.vectors import Vectors, embed

NAME, ROWS = "search.sqlite", "search.vectors"
REMEDY = "Delete it: it is made again"
VERSION = 3
TEXT = 20_000  # characters of a page's text that can be found
LEAD = 2_000  # characters that a page's vector is made of
KEYWORDS = 12  # of a page, its best
AT_ONCE = 32  # pages that are added together
LATE = 2_000  # a page may come so many numbers later than the next one, before the index is opened again
LARGEST = 1 << 26  # number of a page: its vector stands at that place of a file
DOC = "INSERT OR IGNORE INTO docs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
WORDS = "INSERT INTO words (rowid, title, names, text, keywords) VALUES (?, ?, ?, ?, ?)"
OUTDATED = "UPDATE docs SET arrival = NULL WHERE arrival = ? AND number < ?"
JUDGED = "UPDATE docs SET relevance = ?, relevant = ? WHERE number = ?"
NEWER = "SELECT 1 FROM docs WHERE arrival = ? AND number > ?"


class Doc(NamedTuple):
    """A page as it is put into the index."""

    number: int
    arrival: int
    item: dict[str, Any]
    text: str


class Index:
    """To be added to, by one thread."""

    def __init__(self, folder: Path, vectors: Vectors | None, made_by: str) -> None:
        """``made_by``: the name of the vectors."""
        self._store = read_store(folder, tidy=True)
        self._vectors = vectors
        self._made = f"{VERSION} {made_by}"
        try:
            self._open(folder)
        except BadStore:
            self._store.close()
            raise
        self._salvage = Salvage(self._store)
        self._floor = -1  # all up to here are in the index
        self._pending: Iterator[tuple[int, int]] = iter(())

    def _open(self, folder: Path) -> None:
        path = folder / NAME
        try:
            self._db = opened(path)
            if fact(self._db, "made") != self._made:
                self._db.close()
                raise BadStore(f"{path} was made another way")
        except BadStore:
            for name in (NAME, f"{NAME}-wal", f"{NAME}-shm", ROWS):
                (folder / name).unlink(missing_ok=True)
            self._db = opened(path)
            put(self._db, born=secrets.token_hex(8), made=self._made)
        self._rows = (folder / ROWS).open("r+b" if (folder / ROWS).exists() else "w+b")

    @property
    def missing(self) -> int:
        """How many pages it has still to be given."""
        (kept,) = self._store.execute("SELECT count(*) FROM pages").fetchone()
        (known,) = self._db.execute("SELECT count(*) FROM docs").fetchone()
        return int(kept - known)

    def catch_up(self, most: int = AT_ONCE) -> int:
        """Give it so many of the pages that it has not; how many there were."""
        taken = list(islice(self._pending, most))
        if not taken:
            self._pending = iter(self._missing())
            taken = list(islice(self._pending, most))
        if taken:
            self._add([self._read(number, arrival) for number, arrival in taken])
        return len(taken)

    def judged_by(self, stamp: str) -> bool:
        return fact(self._db, "judged") == stamp

    def judge(self, stamp: str, thought: Callable[[str], tuple[float, bool] | None]) -> None:
        """Pages are as relevant as is ``thought`` of their URLs, a copy as its original; done once a ``stamp``."""
        if self.judged_by(stamp):
            return
        rows = self._db.execute("SELECT number, same_as, relevance, relevant FROM docs WHERE arrival IS NOT NULL")
        now = [(thought(url), number, (relevance, relevant)) for number, url, relevance, relevant in rows]
        changed = [(*verdict, number) for verdict, number, held in now if verdict is not None and verdict != held]
        self._db.execute("BEGIN IMMEDIATE")
        self._db.executemany(JUDGED, changed)
        put(self._db, judged=stamp)
        self._db.execute("COMMIT")

    def _missing(self) -> Sequence[tuple[int, int]]:
        """Numbers and arrivals. Pages are done in another order than they have numbers in."""
        known = {n for (n,) in self._db.execute("SELECT number FROM docs WHERE number > ?", (self._floor,))}
        everything = "INDEXED BY page_of" if self._floor < 0 else ""
        rows = self._store.execute(f"SELECT number, arrival FROM pages {everything} WHERE number > ?", (self._floor,))
        found = sorted(row for row in rows if row[0] not in known and row[0] < LARGEST)
        if not found:
            self._floor = max(known, default=self._floor + LATE) - LATE
        return found

    def _read(self, number: int, arrival: int) -> Doc:
        kept = self._salvage.item_at(number)
        item = json.loads(kept.encode("utf-8", "replace")) if kept else {}  # SQLite takes no halves of characters
        text = str(item.get("text") or "")
        if item and not text and (page := self._salvage.page_at(number)) is not None:  # FCA_TEXT=0
            text = page.text
        return Doc(number, arrival, item, text[:TEXT])

    def _add(self, docs: Sequence[Doc]) -> None:
        """Vectors first: what is in the table has one."""
        words = [_words(doc) for doc in docs if doc.item]
        self._put(docs)
        self._db.execute("BEGIN IMMEDIATE")
        try:
            added = {doc.number for doc in docs if self._note(doc)}
            self._db.executemany(WORDS, [row for row in words if row[0] in added])
            put(self._db, pages=str(int(fact(self._db, "pages") or 0) + len(added)))
            self._db.execute("COMMIT")
        except BadStore:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def _note(self, doc: Doc) -> bool:
        """False for one that another process has added meanwhile."""
        item = doc.item
        current = item and not self._db.execute(NEWER, (doc.arrival, doc.number)).fetchone()
        values: tuple[Any, ...] = (None,) * 10
        if current:
            self._db.execute(OUTDATED, (doc.arrival, doc.number))
            url, (_, host) = item["url"], key_of(item["final_url"])
            facets = (item["language"], item["fetched_at"], item["semrank"], bool(item.get("relevant")))
            same_as, keywords = item.get("duplicate_of") or url, "\n".join(_keywords(item))
            values = (doc.arrival, url, item["title"], host, *facets, same_as, keywords)
        return bool(self._db.execute(DOC, (doc.number, *values)).rowcount > 0 and current)

    def _put(self, docs: Sequence[Doc]) -> None:
        if self._vectors is None:
            return
        size = 2 * self._vectors.size
        for doc in docs:
            if doc.item:
                self._rows.seek(doc.number * size)
                self._rows.write(_vector(self._vectors, doc).tobytes())
        self._rows.flush()

    def close(self) -> None:
        self._store.close()
        self._db.close()
        self._rows.close()


def opened(path: Path) -> Store:
    db = connect(path, str(path.resolve()), REMEDY)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = OFF")  # what a power cut takes is made again
        if not db.execute("SELECT 1 FROM sqlite_schema").fetchone():
            schema = files(__package__).joinpath("index.sql").read_text("utf-8")
            db.executescript(f"BEGIN IMMEDIATE;\n{schema}COMMIT")
    except BadStore:
        db.close()
        raise
    return db


def read_index(folder: Path) -> Store:
    """To be read only, also while it grows."""
    path = folder / NAME
    if not path.is_file() or not path.stat().st_size:
        raise BadStore(f"{folder} has no search index yet: scrapy search --index {folder}")
    writable = os.access(folder, os.W_OK)  # SQLite wants to write beside a file that may change
    db = connect(path, f"{path.resolve().as_uri()}?mode={'ro' if writable else 'ro&immutable=1'}", REMEDY)
    try:
        if not fact(db, "made").startswith(f"{VERSION} "):
            raise BadStore(f"{path} was made by another version: scrapy search --index {folder}")
        db.execute("CREATE VIRTUAL TABLE temp.instances USING fts5vocab(main, words, instance)")
    except BadStore:
        db.close()
        raise
    return db


def fact(db: Store, name: str) -> str:
    """What it says of itself: how it was ``made`` (version and vectors), by which verdicts it is ``judged``, how many
    ``pages`` have words, and a name that no other index has, ``born`` with it."""
    row = db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row else ""


def put(db: Store, **facts: str) -> None:
    db.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", list(facts.items()))


def keyword_token(keyword: str) -> str:
    """As it stands in the index.

    >>> keyword_token("race car")
    '=race_car'
    """
    return "=" + "_".join(keyword.split())


def _keywords(item: Mapping[str, Any]) -> list[str]:
    return [" ".join(keyword.split()) for keyword in islice(item.get("keywords") or (), KEYWORDS)]


def _words(doc: Doc) -> tuple[int, str, str, str, str]:
    item, language = doc.item, doc.item["language"]
    names = f"{item['anchor']}\n{url_words(item['url'])}"
    title = stems(item["title"], language, every=True)
    keywords = " ".join(map(keyword_token, _keywords(item)))
    return doc.number, title, stems(names, language), stems(doc.text, language), keywords


def _vector(vectors: Vectors, doc: Doc) -> NDArray[np.float16]:
    """Where vectors are slow, that of the title, which the crawl's judge has asked for too."""
    title = doc.item["title"]
    text = title if vectors.slow else f"{title}\n{doc.text[:LEAD]}"
    vector: NDArray[np.float16] = embed(vectors, [text], doc.item["language"])[0].astype(np.float16)
    return vector
