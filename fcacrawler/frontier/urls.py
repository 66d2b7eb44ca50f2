"""The table of URLs in a crawl's file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from fcacrawler.frontier import Entry
from fcacrawler.frontier.heaps import Order
from fcacrawler.frontier.records import dump_candidate, load_candidate

HOT, COLD, LEASED, DONE, DEAD, EVICTED, GONE = range(7)
FIELDS = "key, rank, epoch, arrival, attempts, record"
TOGETHER = 32  # keys asked for with one statement

Change = tuple[Entry, int, bool]  # how it is now, its state, and whether more than its rank and state is new


class Urls:
    """Rows in, entries out. Whoever writes has begun a transaction."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db

    def states(self, keys: Sequence[bytes]) -> dict[bytes, int]:
        """The state of each key that is there."""
        found: dict[bytes, int] = {}
        marks = ",".join("?" * TOGETHER)
        for i in range(0, len(keys), TOGETHER):
            some = list(keys[i : i + TOGETHER])
            some += some[-1:] * (TOGETHER - len(some))
            found.update(self.db.execute(f"SELECT key, state FROM urls WHERE key IN ({marks})", some))
        return found

    def write(self, changes: Iterable[Change]) -> None:
        whole, moved = [], []
        for entry, state, new in changes:
            place = (state, entry.rank, entry.epoch, entry.attempts)
            if new:
                c = entry.candidate
                whole.append((entry.arrival, c.key, c.host, *place, dump_candidate(c)))
            else:
                moved.append((*place, entry.arrival))
        self.db.executemany(
            "INSERT INTO urls (arrival, key, host, state, rank, epoch, attempts, record) VALUES (?,?,?,?,?,?,?,?) "
            "ON CONFLICT (arrival) DO UPDATE SET state = excluded.state, rank = excluded.rank, "
            "epoch = excluded.epoch, attempts = excluded.attempts, record = excluded.record",
            whole,
        )
        self.db.executemany("UPDATE urls SET state = ?, rank = ?, epoch = ?, attempts = ? WHERE arrival = ?", moved)

    def get(self, key: bytes) -> tuple[int, Entry] | None:
        row = self.db.execute(f"SELECT state, {FIELDS} FROM urls WHERE key = ?", (key,)).fetchone()
        return row and (row[0], _entry(*row[1:]))

    def best(self, host: str, n: int) -> list[Entry]:
        """The best n of a host among the cold."""
        rows = self.db.execute(
            f"SELECT {FIELDS} FROM urls WHERE state = 1 AND host = ? ORDER BY rank DESC, arrival LIMIT ?", (host, n)
        )
        return [_entry(*row) for row in rows]

    def heads(self) -> Iterator[tuple[str, Order]]:
        """The place of the best cold entry of each host that has one."""
        for (host,) in self.db.execute("SELECT DISTINCT host FROM urls WHERE state = 1"):
            head = self.head(host)
            if head is not None:
                yield host, head

    def head(self, host: str) -> Order | None:
        order: Order | None = self.db.execute(
            "SELECT -rank, arrival FROM urls WHERE state = 1 AND host = ? ORDER BY rank DESC, arrival LIMIT 1", (host,)
        ).fetchone()
        return order

    def responses(self) -> dict[str, int]:
        """By host: how many are done with a response."""
        return dict(self.db.execute("SELECT host, count(*) FROM urls WHERE state = 3 GROUP BY host"))

    def cold(self, floor: float) -> int:
        """How many cold ones are above the floor."""
        (n,) = self.db.execute("SELECT count(*) FROM urls WHERE state = 1 AND rank > ?", (floor,)).fetchone()
        return int(n)

    def each(self, state: int) -> Iterator[Entry]:
        """All in a state, in order of arrival. The table may be written to meanwhile."""
        last = 0
        query = f"SELECT {FIELDS} FROM urls WHERE state = ? AND arrival > ? ORDER BY arrival LIMIT 1000"
        while rows := self.db.execute(query, (state, last)).fetchall():
            yield from (_entry(*row) for row in rows)
            last = rows[-1][3]

    def worst(self, n: int) -> list[Entry]:
        """The worst n of all that wait, the worst first."""
        rows = self.db.execute(
            f"SELECT {FIELDS} FROM urls WHERE state IN (0, 1) ORDER BY rank, arrival DESC LIMIT ?", (n,)
        )
        return [_entry(*row) for row in rows]

    def move(self, entries: Iterable[Entry], state: int) -> None:
        self.db.executemany("UPDATE urls SET state = ? WHERE arrival = ?", [(state, e.arrival) for e in entries])

    def return_leases(self, attempts: int) -> int:
        """After a crash: what was leased waits again, or is dead (how many: the answer); all that waits is cold."""
        self.db.execute("UPDATE urls SET attempts = attempts + 1 WHERE state = 2")
        dead = self.db.execute("UPDATE urls SET state = 4 WHERE state = 2 AND attempts >= ?", (attempts,)).rowcount
        self.db.execute("UPDATE urls SET state = 1 WHERE state IN (0, 2)")
        return dead

    def again(self, ranks: Iterable[tuple[bytes, float]]) -> list[bytes]:
        """Those of the keys that are done wait on disk now."""
        query = "UPDATE urls SET state = 1, rank = ? WHERE key = ? AND state = 3"
        return [key for key, rank in ranks if self.db.execute(query, (rank, key)).rowcount]

    def delete(self, entry: Entry) -> None:
        self.db.execute("DELETE FROM pages WHERE arrival = ?", (entry.arrival,))
        self.db.execute("DELETE FROM urls WHERE arrival = ?", (entry.arrival,))


def _entry(key: bytes, rank: float, epoch: int, arrival: int, attempts: int, record: Any) -> Entry:
    return Entry(load_candidate(key, record), rank, epoch, arrival, attempts)
