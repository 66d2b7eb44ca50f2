"""What is known of how each fetched page changes: JOBDIR/copies.sqlite, beside the crawl's store.

A page is due for another look when it is at least as old as it has taken to change so far: age ≥ (watched + days) /
(changes + 1), watched from its first fetch to its last. So one that changes at each look is looked at every ``days``,
one that never does after 1, 2, 4, 8 … times as long. Those due leave in order of relevance · (1 - exp(-age · rate)):
what it is worth, times how likely it has changed, if changes come at ``rate`` = (changes + 1) / (watched + days).
"""

from __future__ import annotations

import math
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from fcacrawler.frontier.sqlite.salvage import Salvage
from fcacrawler.frontier.sqlite.store import connect, read_store
from fcacrawler.values.errors import BadStore

DAY = 86_400.0  # seconds
PUT = """INSERT INTO copies VALUES (?,?,?,?,?,?,?,?) ON CONFLICT (key) DO UPDATE SET
changes = changes + (content_hash != excluded.content_hash), etag = excluded.etag, modified = excluded.modified,
content_hash = excluded.content_hash, relevance = excluded.relevance, last = excluded.last"""


SOUND = " AND ".join(
    [f"typeof({name}) = 'text'" for name in ("etag", "modified", "content_hash")]
    + [f"typeof({name}) IN ('real', 'integer')" for name in ("relevance", "first", "last", "changes")]
)  # rows that are ours


class Copy(NamedTuple):
    """A page as it was at the last look. Times are seconds since 1970."""

    etag: str
    modified: str  # Last-Modified
    content_hash: str
    relevance: float
    first: float
    last: float
    changes: int = 0

    def rate(self, days: float) -> float:
        """Changes a day.

        >>> new = Copy("", "", "", 1.0, 0.0, 0.0)
        >>> new.rate(7) == 1 / 7, new._replace(last=21 * DAY).rate(7) == 1 / 28
        (True, True)
        """
        return (self.changes + 1) / ((self.last - self.first) / DAY + days)

    def due(self, now: float, days: float) -> bool:
        """
        >>> new, still = Copy("", "", "", 1.0, 0.0, 0.0), Copy("", "", "", 1.0, 0.0, 7 * DAY)
        >>> new.due(6 * DAY, 7), new.due(7 * DAY, 7), still.due(20 * DAY, 7), still.due(21 * DAY, 7)
        (False, True, False, True)
        """
        return (now - self.last) / DAY * self.rate(days) >= 1

    def worth(self, now: float, days: float) -> float:
        return self.relevance * (1 - math.exp(-(now - self.last) / DAY * self.rate(days)))


class Copies:
    """By the keys of URLs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        path, columns = folder / "copies.sqlite", ", ".join(Copy._fields)
        self._db = connect(path, str(path.resolve()), "Move it away; then nothing is refreshed")
        try:
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = OFF")  # what a power cut takes is fetched whole once more
            self._db.execute(f"CREATE TABLE IF NOT EXISTS copies (key BLOB PRIMARY KEY, {columns}) WITHOUT ROWID")
            self._db.execute(f"SELECT key, {columns} FROM copies LIMIT 1")
        except BadStore:
            self._db.close()
            raise

    def get(self, key: bytes) -> Copy | None:
        row = self._db.execute(f"SELECT * FROM copies WHERE key = ? AND {SOUND}", (key,)).fetchone()
        return Copy(*row[1:]) if row else None

    def put(self, key: bytes, now: Copy) -> None:
        """How the page is now; when it was first looked at stays, and its changes are counted."""
        self._db.execute(PUT, (key, *now))

    def looked(self, key: bytes, now: float) -> None:
        """Whatever comes of it, the page is not due again at once."""
        self._db.execute("UPDATE copies SET last = ? WHERE key = ?", (now, key))

    def due(self, now: float, days: float) -> list[tuple[bytes, float]]:
        """Keys of the pages that are due, and what a look at each is worth, in [0, 1]."""
        rows = ((row[0], Copy(*row[1:])) for row in self._db.execute(f"SELECT * FROM copies WHERE {SOUND}"))
        return [(key, copy.worth(now, days)) for key, copy in rows if copy.due(now, days)]

    def item(self, key: bytes) -> str | None:
        """The page's item as it is in the crawl's store, as JSON."""
        with closing(read_store(self._folder)) as db:
            row = db.execute("SELECT arrival FROM urls WHERE key = ?", (key,)).fetchone()
            return (Salvage(db).item(row[0]) or None) if row else None

    def close(self) -> None:
        self._db.close()
