"""What a crawl's file says of its URLs, for those who only look: also while the crawl runs."""

from __future__ import annotations

import json
import sqlite3

from fcacrawler.frontier import Entry
from fcacrawler.frontier.records import load_entry
from fcacrawler.frontier.sqlite.log import GONE, HOT, completed, replay
from fcacrawler.frontier.sqlite.urls import PLACE
from fcacrawler.values.errors import BadRecord


class Look:
    """What waits in memory is as it was when this was made."""

    def __init__(self, db: sqlite3.Connection, evidence: int) -> None:
        """``evidence``: how many pieces the crawl keeps of a URL."""
        self._db = db
        self._evidence = evidence
        rows, self._lacking = replay(db)
        self._in_memory = {row.arrival: row for row in rows}

    def at(self, key: bytes) -> tuple[int, Entry] | None:
        """The URL's state and entry."""
        row = self._db.execute("SELECT queue, arrival, record FROM urls WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        queue, arrival, record = row
        place = self._in_memory.get(arrival)
        found = place[2:] if place else self._db.execute(PLACE, (queue, arrival)).fetchone()
        if found is None:
            raise BadRecord(f"not a place of ours: there is none of the link with the number {arrival}")
        state, rank, epoch, attempts = found
        if state not in range(GONE + 1):
            raise BadRecord(f"not a place of ours: {found!r:.80}")
        entry = load_entry(key, record, rank, epoch, arrival, attempts)
        return state, entry._replace(
            candidate=completed(entry.candidate, self._lacking.get(arrival, ()), self._evidence)
        )

    def ahead(self, entry: Entry) -> int:
        """How many wait that leave before it, as far as their hosts may be asked."""
        before = "rank > ?1 OR rank = ?1 AND arrival < ?2"
        elsewhere = "arrival NOT IN (SELECT value FROM json_each(?3))"
        (cold,) = self._db.execute(
            f"SELECT count(*) FROM places WHERE state = 1 AND ({before}) AND {elsewhere}",
            (entry.rank, entry.arrival, json.dumps(list(self._in_memory))),
        ).fetchone()
        place = -entry.rank, entry.arrival
        return int(cold) + sum(
            row.state == HOT and (-row.rank, row.arrival) < place for row in self._in_memory.values()
        )
