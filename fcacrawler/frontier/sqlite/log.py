"""What is in memory, as it stands in the file: a log of what has changed, all of a flush in one row. A place or record
of its own, somewhere in the file, is written for what leaves memory only; and when the log is long the records of what
is in memory, since it begins anew then.

Why so: decision 137.
"""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Sequence
from typing import NamedTuple

from fcacrawler.frontier.evidence import joined
from fcacrawler.frontier.records import Found, dump_found, load_found
from fcacrawler.values.errors import BadRecord
from fcacrawler.values.links import Candidate

HOT, COLD, LEASED, DONE, DEAD, EVICTED, GONE = range(7)
IN_MEMORY = (HOT, LEASED)


class Row(NamedTuple):
    """Where a URL is."""

    queue: int
    arrival: int
    state: int
    rank: float
    epoch: int
    attempts: int


_row = struct.Struct("<qqbdqi")


class Log:
    """Whoever writes has begun a transaction."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._now: dict[int, bytes] = {}  # by arrival: the last row of what is in memory
        self.size = 0  # bytes

    def __contains__(self, arrival: int) -> bool:
        """The log says that it is in memory."""
        return arrival in self._now

    def write(self, rows: Sequence[Row], found: Sequence[tuple[int, Candidate]]) -> None:
        """So are these now; and these, by arrival, have been found again. What leaves memory has all in its record."""
        packed = [_row.pack(*row) for row in rows]
        for row, told in zip(rows, packed, strict=True):
            if row.state in IN_MEMORY:
                self._now[row.arrival] = told
            else:
                self._now.pop(row.arrival, None)
        if rows:
            self._append(b"".join(packed), dump_found(found))

    def begin_anew(self) -> None:
        """All that has been found is in the records."""
        self._db.execute("DELETE FROM log")
        self.size = 0
        self._append(b"".join(self._now.values()), dump_found([]))

    def _append(self, rows: bytes, found: bytes) -> None:
        self._db.execute("INSERT INTO log (rows, found) VALUES (?,?)", (rows, found))
        self.size += len(rows) + len(found)


def replay(db: sqlite3.Connection) -> tuple[list[Row], dict[int, list[Found]]]:
    """What the log says of what is in memory: the last row of each, and, by arrival, what its record lacks."""
    now: dict[int, Row] = {}
    lacking: dict[int, list[Found]] = {}
    for rows, found in db.execute("SELECT rows, found FROM log ORDER BY number"):
        if len(rows) % _row.size:
            raise BadRecord(f"not rows of our log: {rows[:80]!r}")
        for row in map(Row._make, _row.iter_unpack(rows)):
            arrival = row.arrival
            if row.state in IN_MEMORY:
                now[arrival] = row
            else:
                now.pop(arrival, None)
                lacking.pop(arrival, None)
        for arrival, link in load_found(found):
            lacking.setdefault(arrival, []).append(link)
    return list(now.values()), lacking


def completed(record: Candidate, lacking: Sequence[Found], most: int) -> Candidate:
    """The candidate of this record with what that lacks, ``most`` pieces of evidence in all."""
    for depth, evidence in lacking:
        record = joined(record, record._replace(depth=depth, evidence=evidence), most)
    return record
