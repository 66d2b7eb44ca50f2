"""The table of URLs in a crawl's file, and those of their places."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, islice
from math import inf
from typing import Any, NamedTuple

from fcacrawler.frontier import Entry
from fcacrawler.frontier.heaps import Turn
from fcacrawler.frontier.records import dump_candidate, load_candidate, load_entry
from fcacrawler.frontier.sqlite.log import COLD, DEAD, GONE, IN_MEMORY, LEASED, Log, Row, completed, replay
from fcacrawler.values.links import Candidate

FIELDS = "key, rank, epoch, urls.arrival, attempts, record"
PLACE = "SELECT state, rank, epoch, attempts FROM places WHERE queue = ? AND arrival = ?"
NOW = (  # of urls with their places: as FIELDS, with the state before them
    "SELECT coalesce(n.state, s.state), key, coalesce(n.rank, s.rank), coalesce(n.epoch, s.epoch), u.arrival, "
    "coalesce(n.attempts, s.attempts), record FROM urls u "
    "LEFT JOIN news n ON n.queue = u.queue AND n.arrival = u.arrival "
    "LEFT JOIN settled s ON n.arrival IS NULL AND s.queue = u.queue AND s.arrival = u.arrival"
)
COUNTS = "NOT EXISTS (SELECT 1 FROM news n WHERE n.queue = s.queue AND n.arrival = s.arrival)"
TOGETHER = 32  # keys asked for with one statement
QUEUES = 1 << 47
SLICES = 16  # of all queues: what is new settles slice by slice
LONG = 16_000_000  # bytes of the log; then it begins anew

Change = tuple[Entry, int]  # how it is now, and its state
Growth = tuple[Entry, Candidate]  # how it is now that this has been found


class Place(NamedTuple):
    """Where a cold entry stands among all that wait, and what else is known of it without its record."""

    order: float  # -rank
    arrival: int
    epoch: int
    attempts: int

    @property
    def turn(self) -> Turn:
        return self.order, self.arrival


class Urls:
    """Rows in, entries out. Whoever writes has begun a transaction. What changes in memory stands in the log; what
    leaves memory gets its place in a small table, ``news``. ``settle`` carries places into the large one, those of a
    sixteenth of all hosts at a time: so many a host that most of them share a page of the file with others."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self._log = Log(db)
        self._warmed: dict[int, Row] = {}  # in memory, though they have a place where they wait: by arrival
        self._behind: dict[int, Candidate] = {}  # whose records lack what the log tells: as they are, by arrival
        self._slice = 0  # the one that settles next
        (self._last,) = db.execute("SELECT coalesce(max(arrival), 0) FROM urls").fetchone()

    def found(self, keys: Sequence[bytes]) -> Iterator[tuple[bytes, int, Entry | None]]:
        """Each of these keys, none of them in memory, that is there: its state, and the entry if that is cold."""
        for i in range(0, len(keys), TOGETHER):
            some = keys[i : i + TOGETHER]
            for state, *row in self.db.execute(f"{NOW} WHERE key IN ({_marks(some)})", some):
                yield row[0], state, _entry(*row) if state == COLD else None

    def knows(self, key: bytes) -> bool:
        return self.db.execute("SELECT 1 FROM urls WHERE key = ?", (key,)).fetchone() is not None

    def warm(self, entries: Iterable[Entry]) -> None:
        """These cold ones are in memory from now on."""
        self._warmed.update([(entry.arrival, _row(entry, COLD)) for entry in entries])

    def write(self, changes: Iterable[Change], growths: Sequence[Growth] = ()) -> None:
        """The last change of each, and all that has been found again."""
        self._behind.update([(e.arrival, e.candidate) for e, _ in growths if e.arrival <= self._last])
        new, told, left, whole = [], [], [], {}
        for entry, state in changes:
            c, arrival = entry.candidate, entry.arrival
            row = _row(entry, state)
            if arrival > self._last:
                new.append((arrival, c.key, row.queue, c.host, dump_candidate(c)))
            if state in IN_MEMORY:
                told.append(row)
                continue
            if arrival in self._log:
                told.append(row)
            if arrival in self._behind:
                whole[arrival] = self._behind.pop(arrival)
            if self._warmed.pop(arrival, None) != row:
                left.append(row)
        self._insert(sorted(new))
        self._log.write(told, [(e.arrival, found) for e, found in growths if e.arrival in self._behind])
        if self._log.size > LONG:
            whole |= self._behind
            self._behind.clear()
            self._log.begin_anew()
        self._put(left, whole)

    def _insert(self, new: Sequence[tuple[int, bytes, int, str, bytes]]) -> None:
        self.db.executemany("INSERT INTO urls (arrival, key, queue, host, record) VALUES (?,?,?,?,?)", new)
        if new:
            self._last = new[-1][0]

    def _put(self, places: list[Row], records: Mapping[int, Candidate]) -> None:
        """These places and, by arrival, these records are in the file, out of memory."""
        self.db.executemany("INSERT OR REPLACE INTO news VALUES (?,?,?,?,?,?)", sorted(places))
        rows = ((arrival, dump_candidate(records[arrival])) for arrival in sorted(records))
        self.db.executemany("UPDATE urls SET record = ?2 WHERE arrival = ?1", rows)

    def recover(self, attempts: int, evidence: int) -> int:
        """When a crawl goes on: what was leased waits again, or is dead (how many: the answer); all that waits is
        cold. ``evidence``: how many pieces are kept of a URL."""
        rows, lacking = replay(self.db)
        places, dead = [], 0
        for queue, arrival, state, rank, epoch, tried in rows:
            tried += state == LEASED
            died = state == LEASED and tried >= attempts
            dead += died
            places.append(Row(queue, arrival, DEAD if died else COLD, rank, epoch, tried))
        records = {}
        for arrival, links in lacking.items():
            row = self.db.execute("SELECT key, record FROM urls WHERE arrival = ?", (arrival,)).fetchone()
            records[arrival] = completed(load_candidate(*row), links, evidence)
        self._put(places, records)
        self._log.begin_anew()
        return dead

    def settle(self) -> None:
        """What is new of the next slice is in the large table."""
        width = QUEUES // SLICES
        self._settle(f"queue >= {self._slice * width} AND queue < {(self._slice + 1) * width}")
        self._slice = (self._slice + 1) % SLICES

    def settle_all(self) -> None:
        """All of it is."""
        self._settle("true")

    def _settle(self, which: str) -> None:
        self.db.execute(
            f"INSERT INTO settled SELECT * FROM news WHERE {which} ON CONFLICT (queue, arrival) DO UPDATE SET "
            "state = excluded.state, rank = excluded.rank, epoch = excluded.epoch, attempts = excluded.attempts"
        )
        self.db.execute(f"DELETE FROM news WHERE {which}")

    def of(self, host: str, first: Turn = (-inf, 0)) -> Iterator[Place]:
        """The places of a host's cold entries in order, beginning with this order and arrival."""
        return self._of(queue_of(host), first)

    def _of(self, queue: int, first: Turn = (-inf, 0)) -> Iterator[Place]:
        cold = (
            "SELECT rank, arrival, epoch, attempts FROM {} s "
            "WHERE state = 1 AND queue = ?1 AND rank <= ?2 AND NOT (rank = ?2 AND arrival < ?3)"
        )
        order, arrived = first
        rows = self.db.execute(
            f"{cold.format('news')} UNION ALL {cold.format('settled')} AND {COUNTS} ORDER BY rank DESC, arrival",
            (queue, -order, arrived),
        )
        return (Place(-rank, arrival, *more) for rank, arrival, *more in rows if arrival not in self._warmed)

    def at(self, places: Sequence[Place]) -> list[Entry]:
        """The cold entries there, read in the order of the file."""
        query = "SELECT arrival, urls.key, record FROM json_each(?) h CROSS JOIN urls ON arrival = h.value"
        rows = self.db.execute(query, (json.dumps(sorted([place.arrival for place in places])),))
        candidates = {arrival: load_candidate(key, record) for arrival, key, record in rows}
        return [
            Entry(candidates[arrival], -order, epoch, arrival, attempts) for order, arrival, epoch, attempts in places
        ]

    def heads(self) -> Iterator[tuple[str, Place]]:
        """The place of the best cold entry of each host that has one."""
        queues = "SELECT DISTINCT queue FROM news WHERE state = 1", "SELECT DISTINCT queue FROM settled WHERE state = 1"
        for (queue,) in dict.fromkeys(chain(*map(self.db.execute, queues))):
            head = next(self._of(queue), None)
            if head is not None:
                (host,) = self.db.execute("SELECT host FROM urls WHERE arrival = ?", (head.arrival,)).fetchone()
                yield host, head

    def responses(self) -> dict[str, int]:
        """By host: how many are done with a response."""
        query = "SELECT host, count(*) FROM places JOIN urls USING (arrival) WHERE state = 3 GROUP BY host"
        return dict(self.db.execute(query))

    def cold(self, floor: float) -> int:
        """How many cold ones are above the floor."""
        cold = "state = 1 AND rank > ?1"
        (n,) = self.db.execute(
            f"SELECT (SELECT count(*) FROM settled WHERE {cold}) + (SELECT count(*) FROM news WHERE {cold}) - (SELECT "
            f"count(*) FROM news n JOIN settled s USING (queue, arrival) WHERE s.state = 1 AND s.rank > ?1)",
            (floor,),
        ).fetchone()
        return int(n) - sum(row.rank > floor for row in self._warmed.values())

    def each(self, state: int) -> Iterator[Entry]:
        """All in a state other than hot and leased, if all has settled. The tables may be written to meanwhile."""
        last = -1, -1
        where = f"WHERE state = ? AND {COUNTS} AND (s.queue, s.arrival) > (?, ?) ORDER BY s.queue, s.arrival LIMIT 1000"
        query = f"SELECT s.queue, {FIELDS} FROM settled s JOIN urls USING (arrival) {where}"
        while rows := self.db.execute(query, (state, *last)).fetchall():
            for queue, *fields in rows:
                entry = _entry(*fields)
                last = queue, entry.arrival
                if entry.arrival not in self._warmed:
                    yield entry

    def worst(self, n: int) -> list[Entry]:
        """The worst n cold ones, the worst first, if all has settled."""
        worst = "SELECT * FROM settled WHERE state = 1 ORDER BY rank, arrival DESC LIMIT ?"
        query = f"SELECT {FIELDS} FROM ({worst}) JOIN urls USING (arrival) ORDER BY rank, arrival DESC"
        entries = (_entry(*row) for row in self.db.execute(query, (n + len(self._warmed),)))
        return list(islice((entry for entry in entries if entry.arrival not in self._warmed), n))

    def again(self, ranks: Iterable[tuple[bytes, float]]) -> list[bytes]:
        """Those of the keys that are done wait on disk now, if all has settled."""
        of_key = "(queue, arrival) = (SELECT queue, arrival FROM urls WHERE key = ?)"
        query = f"UPDATE settled SET state = 1, rank = ? WHERE state = 3 AND {of_key}"
        return [key for key, rank in ranks if self.db.execute(query, (rank, key)).rowcount]

    def forget(self, key: bytes) -> int | None:
        """As if it had never been written; the state in which it was, None if it was not there or has never left
        memory."""
        row = self.db.execute("SELECT queue, arrival FROM urls WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        queue, arrival = row
        place = self.db.execute(PLACE, row).fetchone()
        for table in ("news", "settled"):
            self.db.execute(f"DELETE FROM {table} WHERE queue = ? AND arrival = ?", row)
        for table in ("pages", "urls"):
            self.db.execute(f"DELETE FROM {table} WHERE arrival = ?", (arrival,))
        self._warmed.pop(arrival, None)
        self._behind.pop(arrival, None)
        if arrival in self._log:
            self._log.write([Row(queue, arrival, GONE, 0.0, 0, 0)], [])
        return place and int(place[0])


def _entry(key: bytes, rank: Any, epoch: Any, arrival: int, attempts: Any, record: Any) -> Entry:
    return load_entry(key, record, rank, epoch, arrival, attempts)


def _row(entry: Entry, state: int) -> Row:
    return Row(queue_of(entry.candidate.host), entry.arrival, state, entry.rank, entry.epoch, entry.attempts)


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


@lru_cache(maxsize=1 << 15)
def queue_of(host: str) -> int:
    """What stands for the host: its links are neighbours in the tables of places. As large as takes no more room."""
    return int.from_bytes(blake2b(host.encode("utf-8", "surrogatepass"), digest_size=6).digest(), "big") >> 1
