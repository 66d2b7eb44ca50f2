"""What a frontier does, said as plainly as possible: a list, sorted whenever something is asked of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fcacrawler.frontier import Entry, Sizes
from fcacrawler.frontier.evidence import joined
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.values.links import Candidate


@dataclass
class Row:
    entry: Entry
    state: str


class SortedList:
    def __init__(self, options: FrontierOptions) -> None:
        self.options = options
        self.rows: dict[bytes, Row] = {}
        self.arrivals = self.fetched = 0

    def waiting(self) -> list[Entry]:
        entries = [r.entry for r in self.rows.values() if r.state == "waiting"]
        return sorted(entries, key=lambda e: (-e.rank, e.arrival))

    def add(self, candidates: list[Candidate]) -> list[Candidate]:
        named = []
        for found in candidates:
            row = self.rows.get(found.key)
            if row is None:
                self.arrivals += 1
                self.rows[found.key] = Row(Entry(found, 0.0, 0, self.arrivals), "waiting")
            elif row.state == "waiting":
                row.entry = row.entry._replace(candidate=joined(row.entry.candidate, found, self.options.evidence))
            if found.key not in named and self.rows[found.key].state == "waiting":
                named.append(found.key)
        return [self.rows[key].entry.candidate for key in named]

    def update(self, ranks: list[tuple[bytes, float]], epoch: int) -> None:
        for key, rank in ranks:
            row = self.rows.get(key)
            if row is not None and row.state == "waiting":
                row.entry = row.entry._replace(rank=rank, epoch=epoch)
        self.make_room()

    def make_room(self) -> None:
        size = self.options.frontier_size
        if size and len(self.waiting()) > size:
            for entry in self.waiting()[size - size // 10 :]:
                self.rows[entry.candidate.key].state = "evicted"

    def lease(self, free: Callable[[str], bool], floor: float) -> Entry | None:
        for entry in self.waiting():
            if entry.rank > floor and free(entry.candidate.host):
                self.rows[entry.candidate.key].state = "leased"
                return entry
        return None

    def done(self, key: bytes, responded: bool) -> None:
        row = self.rows.get(key)
        if row is not None and row.state == "leased":
            row.state = "done"
            self.fetched += responded

    def release(self, key: bytes) -> None:
        row = self.rows.get(key)
        if row is not None and row.state == "leased":
            row.entry = row.entry._replace(attempts=row.entry.attempts + 1)
            row.state = "waiting" if row.entry.attempts < self.options.attempts else "dead"
            self.make_room()

    def come_back(self) -> None:
        """After a kill."""
        for row in [row for row in self.rows.values() if row.state == "leased"]:
            row.entry = row.entry._replace(attempts=row.entry.attempts + 1)
            row.state = "waiting" if row.entry.attempts < self.options.attempts else "dead"
        self.make_room()

    def dead(self) -> list[Entry]:
        return sorted((r.entry for r in self.rows.values() if r.state == "dead"), key=lambda e: e.arrival)

    def forget(self, key: bytes) -> None:
        self.rows.pop(key, None)

    def sizes(self, floor: float) -> Sizes:
        count = [r.state for r in self.rows.values()].count
        running = sum(e.rank > floor for e in self.waiting())
        waiting = count("waiting") - running
        return Sizes(running, waiting, count("leased"), count("done"), count("dead"), count("evicted"))
