"""Entries that wait in this process, best first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf

from fcacrawler.frontier import Entry, finite
from fcacrawler.frontier.heaps import Heaps, Turn


class Waiting:
    """Entries by key, in the order in which they leave; how many are above a floor is kept, not counted."""

    def __init__(self) -> None:
        self.entries: dict[bytes, Entry] = {}
        self.orders: dict[bytes, Turn] = {}
        self.heaps = Heaps(self.orders)
        self.links = 0  # to all entries: most of what they take
        self._floor = inf  # the floor last asked about …
        self._above = 0  # … and how many are above it

    def put(self, entry: Entry) -> None:
        """One more waits."""
        key = entry.candidate.key
        self.entries[key] = entry
        self.links += len(entry.candidate.evidence)
        self.orders[key] = (-entry.rank, entry.arrival)
        self.heaps.put(key, entry.candidate.host, new=True)
        self._above += entry.rank > self._floor

    def change(self, entry: Entry) -> None:
        """The one that waits with this key, host and arrival is now like this."""
        key = entry.candidate.key
        before = self.entries[key]
        self.entries[key] = entry
        self.links += len(entry.candidate.evidence) - len(before.candidate.evidence)
        if entry.rank != before.rank:
            self._above += (entry.rank > self._floor) - (before.rank > self._floor)
            self.orders[key] = (-entry.rank, entry.arrival)
            self.heaps.put(key, entry.candidate.host, new=False)

    def rank(self, ranks: Sequence[tuple[bytes, float]], epoch: int) -> list[Entry]:
        """``change`` of many at once: of those with these keys that wait the ranks are these now. Returns those."""
        entries, orders, floor = self.entries, self.orders, self._floor
        moved: dict[bytes, str] = {}
        ranked = []
        for key, rank in ranks:
            before = entries.get(key)
            if before is not None:
                entries[key] = entry = Entry(before.candidate, finite(rank), epoch, before.arrival, before.attempts)
                ranked.append(entry)
                if rank != before.rank:
                    self._above += (rank > floor) - (before.rank > floor)
                    orders[key] = (-rank, before.arrival)
                    moved[key] = before.candidate.host
        self.heaps.move(moved)
        return ranked

    def take(self, key: bytes) -> Entry:
        entry = self.entries.pop(key)
        self.links -= len(entry.candidate.evidence)
        self.unmark(key, entry.candidate.host)
        self._above -= entry.rank > self._floor
        return entry

    def mark(self, key: bytes, host: str, order: Turn) -> None:
        """Something that has a place in the order and is no entry."""
        before = self.orders.get(key)
        if order != before:
            self.orders[key] = order
            self.heaps.put(key, host, new=before is None)

    def unmark(self, key: bytes, host: str) -> None:
        del self.orders[key]
        self.heaps.drop(host)

    def first(self, free: Callable[[str], bool], floor: float) -> bytes | None:
        """The best key above the floor whose host is free."""
        return self.heaps.first(free, -floor)

    def best(self, hosts: Callable[[str], bool]) -> float | None:
        """The highest rank on such a host."""
        key = self.first(hosts, -inf)
        return None if key is None else self.entries[key].rank

    def worst(self, n: int) -> list[bytes]:
        """The keys of the n worst entries, the worst first."""
        return sorted(self.entries, key=self.orders.__getitem__, reverse=True)[:n]

    def above(self, floor: float) -> int:
        if floor != self._floor:
            self._floor, self._above = floor, sum(e.rank > floor for e in self.entries.values())
        return self._above

    def __len__(self) -> int:
        return len(self.entries)

    def __contains__(self, key: bytes) -> bool:
        return key in self.entries

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries.values())
