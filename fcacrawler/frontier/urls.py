"""The table of URLs in a crawl's file, and those of their places."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import chain
from math import inf
from typing import Any

from fcacrawler.frontier import Entry
from fcacrawler.frontier.records import dump_candidate, load_candidate

HOT, COLD, LEASED, DONE, DEAD, EVICTED, GONE = range(7)
FIELDS = "key, rank, epoch, urls.arrival, attempts, record"
NOW = (  # of urls with their places: as FIELDS, with the state before them
    "SELECT coalesce(n.state, s.state), key, coalesce(n.rank, s.rank), coalesce(n.epoch, s.epoch), u.arrival, "
    "coalesce(n.attempts, s.attempts), record FROM urls u "
    "LEFT JOIN news n ON n.queue = u.queue AND n.arrival = u.arrival "
    "LEFT JOIN settled s ON n.arrival IS NULL AND s.queue = u.queue AND s.arrival = u.arrival"
)
LEFT = "state NOT IN (0, 2)"
COUNTS = "NOT EXISTS (SELECT 1 FROM news n WHERE n.queue = s.queue AND n.arrival = s.arrival)"
TOGETHER = 32  # keys asked for with one statement
QUEUES = 1 << 47
SLICES = 16  # of all queues: what is new settles slice by slice

Place = tuple[float, int, int, int]  # rank, arrival, epoch, attempts
Change = tuple[Entry, int, bool]  # how it is now, its state, and whether more than its rank and state is new


class Urls:
    """Rows in, entries out. Whoever writes has begun a transaction. Places change in a small table, ``news``. Once
    links have left memory ``settle`` carries their places into the large one, those of a sixteenth of all hosts at a
    time: so many a host that most of them share a page of the file with others."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self.warmed: dict[int, float] = {}  # cold by the file and not any more: arrivals, ranks in the file
        self._slice = 0  # the one that settles next
        (self._last,) = db.execute("SELECT coalesce(max(arrival), 0) FROM urls").fetchone()

    def found(self, keys: Sequence[bytes]) -> Iterator[tuple[bytes, int, Entry | None]]:
        """Each key that is there, its state, and the entry if that is cold."""
        for i in range(0, len(keys), TOGETHER):
            some = keys[i : i + TOGETHER]
            for state, *row in self.db.execute(f"{NOW} WHERE key IN ({_marks(some)})", some):
                yield row[0], state, _entry(*row) if state == COLD else None

    def get(self, key: bytes) -> tuple[int, Entry] | None:
        row = self.db.execute(f"{NOW} WHERE key = ?", (key,)).fetchone()
        return row and (row[0], _entry(*row[1:]))

    def write(self, changes: Iterable[Change]) -> None:
        new, grown, places = [], [], []
        for entry, state, whole in changes:
            c = entry.candidate
            queue = queue_of(c.host)
            if entry.arrival > self._last:
                new.append((entry.arrival, c.key, queue, c.host, dump_candidate(c)))
            elif whole:
                grown.append((entry.arrival, dump_candidate(c)))
            places.append((queue, entry.arrival, state, entry.rank, entry.epoch, entry.attempts))
        for rows in (new, grown, places):
            rows.sort()
        self.db.executemany("INSERT INTO urls (arrival, key, queue, host, record) VALUES (?,?,?,?,?)", new)
        self.db.executemany("UPDATE urls SET record = ?2 WHERE arrival = ?1", grown)
        self.db.executemany("INSERT OR REPLACE INTO news VALUES (?,?,?,?,?,?)", places)
        self.warmed.clear()
        if new:
            self._last = new[-1][0]

    def settle(self) -> None:
        """What is new of the next slice is in the large table, as far as it is about links that have left memory."""
        width = QUEUES // SLICES
        self._settle(f"queue >= {self._slice * width} AND queue < {(self._slice + 1) * width} AND {LEFT}")
        self._slice = (self._slice + 1) % SLICES

    def settle_all(self, hot: bool = False) -> None:
        """All of it is; ``hot``: what is about links in memory as well."""
        self._settle("true" if hot else LEFT)

    def _settle(self, which: str) -> None:
        self.db.execute(
            f"INSERT INTO settled SELECT * FROM news WHERE {which} ON CONFLICT (queue, arrival) DO UPDATE SET "
            "state = excluded.state, rank = excluded.rank, epoch = excluded.epoch, attempts = excluded.attempts"
        )
        self.db.execute(f"DELETE FROM news WHERE {which} AND {LEFT}")

    def of(self, host: str, rank: float = inf) -> Iterator[Place]:
        """The places of a host's cold entries that have this rank at most, the best first."""
        return self._of(queue_of(host), rank)

    def _of(self, queue: int, rank: float = inf) -> Iterator[Place]:
        cold = "SELECT rank, arrival, epoch, attempts FROM {} s WHERE state = 1 AND queue = ?1 AND rank <= ?2"
        rows = self.db.execute(
            f"{cold.format('news')} UNION ALL {cold.format('settled')} AND {COUNTS} ORDER BY rank DESC, arrival",
            (queue, rank),
        )
        return (row for row in rows if row[1] not in self.warmed)

    def above(self, hosts: Sequence[str], rank: float, most: int) -> tuple[list[tuple[int, Place]], bool]:
        """The places of these hosts' cold entries that have this rank at least, in no order, so many at most, each with
        its host's number among them; and whether these are all."""
        cold = (
            "SELECT h.key, rank, arrival, epoch, attempts FROM json_each(?1) h CROSS JOIN {} s "
            "WHERE state = 1 AND queue = value AND rank >= ?2"
        )
        rows = self.db.execute(
            f"{cold.format('news')} UNION ALL {cold.format('settled')} AND {COUNTS} LIMIT ?3",
            (_queues(hosts), rank, most),
        ).fetchall()
        return [(row[0], row[1:]) for row in rows if row[2] not in self.warmed], len(rows) < most

    def below(self, hosts: Sequence[str], rank: float) -> list[float | None]:
        """What the rank of each host's best cold entry below this rank is at most; None if there is none."""
        best = "SELECT rank FROM {} s WHERE state = 1 AND queue = value AND rank < ?2"
        order = "ORDER BY rank DESC LIMIT 1"
        rows = self.db.execute(
            f"SELECT ({best.format('news')} {order}), ({best.format('settled')} AND {COUNTS} {order}) "
            "FROM json_each(?1) h ORDER BY h.key",
            (_queues(hosts), rank),
        )
        return [max((r for r in row if r is not None), default=None) for row in rows]

    def at(self, places: Sequence[Place]) -> list[Entry]:
        """The cold entries there, read in the order of the file."""
        query = "SELECT arrival, urls.key, record FROM json_each(?) h CROSS JOIN urls ON arrival = h.value"
        rows = self.db.execute(query, (json.dumps(sorted([place[1] for place in places])),))
        candidates = {arrival: load_candidate(key, record) for arrival, key, record in rows}
        return [Entry(candidates[arrival], rank, epoch, arrival, attempts) for rank, arrival, epoch, attempts in places]

    def heads(self) -> Iterator[tuple[str, Place]]:
        """The place of the best cold entry of each host that has one."""
        queues = "SELECT DISTINCT queue FROM news WHERE state = 1", "SELECT DISTINCT queue FROM settled WHERE state = 1"
        for (queue,) in dict.fromkeys(chain(*map(self.db.execute, queues))):
            head = next(self._of(queue), None)
            if head is not None:
                (host,) = self.db.execute("SELECT host FROM urls WHERE arrival = ?", head[1:2]).fetchone()
                yield host, head

    def responses(self) -> dict[str, int]:
        """By host: how many are done with a response, if all has settled that has left memory."""
        query = "SELECT host, count(*) FROM settled JOIN urls USING (arrival) WHERE state = 3 GROUP BY host"
        return dict(self.db.execute(query))

    def cold(self, floor: float) -> int:
        """How many cold ones are above the floor."""
        cold = "state = 1 AND rank > ?1"
        (n,) = self.db.execute(
            f"SELECT (SELECT count(*) FROM settled WHERE {cold}) + (SELECT count(*) FROM news WHERE {cold}) - (SELECT "
            f"count(*) FROM news n JOIN settled s USING (queue, arrival) WHERE s.state = 1 AND s.rank > ?1)",
            (floor,),
        ).fetchone()
        return int(n) - sum(rank > floor for rank in self.warmed.values())

    def each(self, state: int) -> Iterator[Entry]:
        """All in a state other than hot and leased, if all has settled that has left memory. The tables may be written
        to meanwhile."""
        last = -1, -1
        where = f"WHERE state = ? AND {COUNTS} AND (s.queue, s.arrival) > (?, ?) ORDER BY s.queue, s.arrival LIMIT 1000"
        query = f"SELECT s.queue, {FIELDS} FROM settled s JOIN urls USING (arrival) {where}"
        while rows := self.db.execute(query, (state, *last)).fetchall():
            yield from (_entry(*row[1:]) for row in rows if row[4] not in self.warmed)
            last = rows[-1][0], rows[-1][4]

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
        return dead

    def again(self, ranks: Iterable[tuple[bytes, float]]) -> list[bytes]:
        """Those of the keys that are done wait on disk now, if all has settled that has left memory."""
        of_key = "(queue, arrival) = (SELECT queue, arrival FROM urls WHERE key = ?)"
        query = f"UPDATE settled SET state = 1, rank = ? WHERE state = 3 AND {of_key}"
        return [key for key, rank in ranks if self.db.execute(query, (rank, key)).rowcount]

    def delete(self, entry: Entry) -> None:
        place = queue_of(entry.candidate.host), entry.arrival
        for table in ("news", "settled"):
            self.db.execute(f"DELETE FROM {table} WHERE queue = ? AND arrival = ?", place)
        for table in ("pages", "urls"):
            self.db.execute(f"DELETE FROM {table} WHERE arrival = ?", place[1:])
        self.warmed.pop(entry.arrival, None)


def _entry(key: bytes, rank: float, epoch: int, arrival: int, attempts: int, record: Any) -> Entry:
    return Entry(load_candidate(key, record), rank, epoch, arrival, attempts)


def _queues(hosts: Sequence[str]) -> str:
    return json.dumps([queue_of(host) for host in hosts])


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


@lru_cache(maxsize=1 << 15)
def queue_of(host: str) -> int:
    """What stands for the host: its links are neighbours in the tables of places. As large as takes no more room."""
    return int.from_bytes(blake2b(host.encode("utf-8", "surrogatepass"), digest_size=6).digest(), "big") >> 1
