"""The table of URLs in a crawl's file."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from zlib import crc32

from fcacrawler.frontier import Entry
from fcacrawler.frontier.heaps import Order
from fcacrawler.frontier.records import dump_candidate, load_candidate

HOT, COLD, LEASED, DONE, DEAD, EVICTED, GONE = range(7)
FIELDS = "key, rank, epoch, arrival, attempts, record"
NOW = (  # of urls with their places: as FIELDS, with the state before them
    "SELECT coalesce(n.state, s.state), key, coalesce(n.rank, s.rank), coalesce(n.epoch, s.epoch), u.arrival, "
    "coalesce(n.attempts, s.attempts), record "
    "FROM urls u LEFT JOIN news n ON n.arrival = u.arrival LEFT JOIN settled s ON s.arrival = u.arrival"
)
LEFT = "state NOT IN (0, 2)"
TOGETHER = 32  # keys asked for with one statement

Change = tuple[Entry, int, bool]  # how it is now, its state, and whether more than its rank and state is new


class Urls:
    """Rows in, entries out. Whoever writes has begun a transaction. The places of links in memory change in a small
    table, ``news``; once they have left memory, ``settle`` carries many at a time into the large one, in its order."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self.shadowed: set[int] = set()  # arrivals of those that are cold by the large table, and are not any more
        (self._last,) = db.execute("SELECT coalesce(max(arrival), 0) FROM urls").fetchone()

    def found(self, keys: Sequence[bytes]) -> Iterator[tuple[bytes, int, Entry | None]]:
        """Each key that is there, its state, and the entry if that is cold."""
        marks = ",".join("?" * TOGETHER)
        for i in range(0, len(keys), TOGETHER):
            some = list(keys[i : i + TOGETHER])
            some += some[-1:] * (TOGETHER - len(some))
            for state, *row in self.db.execute(f"{NOW} WHERE key IN ({marks})", some):
                yield row[0], state, _entry(*row) if state == COLD else None

    def get(self, key: bytes) -> tuple[int, Entry] | None:
        row = self.db.execute(f"{NOW} WHERE key = ?", (key,)).fetchone()
        return row and (row[0], _entry(*row[1:]))

    def write(self, changes: Iterable[Change]) -> None:
        new, grown, places = [], [], []
        for entry, state, whole in changes:
            c = entry.candidate
            if entry.arrival > self._last:
                new.append((entry.arrival, c.key, c.host, dump_candidate(c)))
            elif whole:
                grown.append((entry.arrival, dump_candidate(c)))
            places.append((entry.arrival, state, _queue(c.host), entry.rank, entry.epoch, entry.attempts))
        for rows in (new, grown, places):
            rows.sort()
        self.db.executemany("INSERT INTO urls (arrival, key, host, record) VALUES (?,?,?,?)", new)
        self.db.executemany("UPDATE urls SET record = ?2 WHERE arrival = ?1", grown)
        self.db.executemany("INSERT OR REPLACE INTO news VALUES (?,?,?,?,?,?)", places)
        if new:
            self._last = new[-1][0]

    def settle(self, all_of_it: bool = False) -> None:
        """The news is in the large table: all of it, or what is about links that have left memory."""
        self.db.execute(
            f"INSERT INTO settled SELECT * FROM news WHERE {'true' if all_of_it else LEFT} "
            "ON CONFLICT (arrival) DO UPDATE SET state = excluded.state, rank = excluded.rank, epoch = excluded.epoch, "
            "attempts = excluded.attempts"
        )
        if all_of_it:
            self.shadowed.clear()
        gone = self.db.execute(f"DELETE FROM news WHERE {LEFT} RETURNING arrival").fetchall()
        self.shadowed.difference_update(arrival for (arrival,) in gone)

    def of(self, host: str) -> Iterator[Order]:
        """The places of a host's cold entries, the best first."""
        return self._of(_queue(host))

    def _of(self, queue: int) -> Iterator[Order]:
        rows = self.db.execute(
            "SELECT -rank, arrival FROM settled WHERE state = 1 AND queue = ? ORDER BY rank DESC, arrival", (queue,)
        )
        return (row for row in rows if row[1] not in self.shadowed)

    def at(self, arrivals: Sequence[int]) -> list[Entry]:
        """Cold ones."""
        marks = ",".join("?" * len(arrivals))
        query = f"SELECT {FIELDS} FROM settled JOIN urls USING (arrival) WHERE arrival IN ({marks})"
        return [_entry(*row) for row in self.db.execute(query, arrivals)]

    def heads(self) -> Iterator[tuple[str, Order]]:
        """The place of the best cold entry of each host that has one."""
        for (queue,) in self.db.execute("SELECT DISTINCT queue FROM settled WHERE state = 1").fetchall():
            head = next(self._of(queue), None)
            if head is not None:
                yield self.db.execute("SELECT host FROM urls WHERE arrival = ?", head[1:]).fetchone()[0], head

    def responses(self) -> dict[str, int]:
        """By host: how many are done with a response, if all has settled that has left memory."""
        query = "SELECT host, count(*) FROM settled JOIN urls USING (arrival) WHERE state = 3 GROUP BY host"
        return dict(self.db.execute(query))

    def cold(self, floor: float) -> int:
        """How many cold ones are above the floor."""
        shadowed = "SELECT value FROM json_each(?)"
        query = f"SELECT count(*) FROM settled WHERE state = 1 AND rank > ? AND arrival NOT IN ({shadowed})"
        (n,) = self.db.execute(query, (floor, json.dumps([*self.shadowed]))).fetchone()
        return int(n)

    def each(self, state: int) -> Iterator[Entry]:
        """All in a state other than hot and leased, in order of arrival, if all has settled that has left memory. The
        tables may be written to meanwhile."""
        last = 0
        where = "WHERE state = ? AND arrival > ? ORDER BY arrival LIMIT 1000"
        query = f"SELECT {FIELDS} FROM settled JOIN urls USING (arrival) {where}"
        while rows := self.db.execute(query, (state, last)).fetchall():
            yield from (_entry(*row) for row in rows if row[3] not in self.shadowed)
            last = rows[-1][3]

    def worst(self, n: int) -> list[Entry]:
        """The worst n of all that wait, the worst first, if everything has settled."""
        worst = "SELECT * FROM settled WHERE state IN (0, 1) ORDER BY rank, arrival DESC LIMIT ?"
        query = f"SELECT {FIELDS} FROM ({worst}) JOIN urls USING (arrival) ORDER BY rank, arrival DESC"
        return [_entry(*row) for row in self.db.execute(query, (n,))]

    def return_leases(self, attempts: int) -> int:
        """After a crash: what was leased waits again, or is dead (how many: the answer); all that waits is cold."""
        self.db.execute("UPDATE news SET attempts = attempts + 1 WHERE state = 2")
        dead = self.db.execute("UPDATE news SET state = 4 WHERE state = 2 AND attempts >= ?", (attempts,)).rowcount
        self.db.execute("UPDATE news SET state = 1 WHERE state IN (0, 2)")
        self.settle()
        return dead

    def again(self, ranks: Iterable[tuple[bytes, float]]) -> list[bytes]:
        """Those of the keys that are done wait on disk now, if all has settled that has left memory."""
        of_key = "arrival = (SELECT arrival FROM urls WHERE key = ?)"
        query = f"UPDATE settled SET state = 1, rank = ? WHERE state = 3 AND {of_key}"
        return [key for key, rank in ranks if self.db.execute(query, (rank, key)).rowcount]

    def delete(self, entry: Entry) -> None:
        for table in ("pages", "news", "settled", "urls"):
            self.db.execute(f"DELETE FROM {table} WHERE arrival = ?", (entry.arrival,))
        self.shadowed.discard(entry.arrival)


def _entry(key: bytes, rank: float, epoch: int, arrival: int, attempts: int, record: Any) -> Entry:
    return Entry(load_candidate(key, record), rank, epoch, arrival, attempts)


def _queue(host: str) -> int:
    """What stands for the host in the index, which is half as large by that. Two hosts may share a queue."""
    return crc32(host.encode("utf-8", "surrogatepass"))
