"""The frontier of a crawl that may be lost: everything in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from heapq import nlargest
from itertools import islice
from math import inf, isfinite

from fcacrawler.frontier import Entry, Sizes
from fcacrawler.frontier.evidence import joined
from fcacrawler.frontier.heaps import Heaps, Order
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.items import Candidate


class MemoryFrontier:
    """See ``Frontier``. Nothing survives the process."""

    def __init__(self, options: FrontierOptions) -> None:
        self.options = options
        self._arrivals = 0
        self._waiting: dict[bytes, Entry] = {}
        self._orders: dict[bytes, Order] = {}  # of what waits
        self._heaps = Heaps(self._orders)
        self._leased: dict[bytes, Entry] = {}
        self._dead: dict[bytes, Entry] = {}
        self._done: set[bytes] = set()
        self._evicted: set[bytes] = set()
        self._floor = inf  # the floor last asked about …
        self._running = 0  # … and how many wait above it

    def add(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        waiting: dict[bytes, Candidate] = {}
        for found in candidates:
            entry = self._waiting.get(found.key)
            if entry is not None:
                known = joined(entry.candidate, found, self.options.evidence)
                self._waiting[found.key] = replace(entry, candidate=known)
                waiting[found.key] = known
            elif not self.knows(found.key):
                self._arrivals += 1
                self._wait(Entry(found, 0.0, 0, self._arrivals))
                waiting[found.key] = found
        return list(waiting.values())

    def update(self, ranks: Sequence[tuple[bytes, float]], epoch: int) -> None:
        for key, rank in ranks:
            if not isfinite(rank):
                raise ValueError(f"a rank must be finite, not {rank}")
            entry = self._waiting.get(key)
            if entry is None:
                continue
            self._waiting[key] = Entry(entry.candidate, rank, epoch, entry.arrival, entry.attempts)
            if rank != entry.rank:
                self._running += (rank > self._floor) - (entry.rank > self._floor)
                self._orders[key] = (-rank, entry.arrival)
                self._heaps.put(key, entry.candidate.host, new=False)
        size = self.options.frontier_size
        if size and len(self._waiting) > size:
            self._evict(len(self._waiting) - (size - size // 10))

    def lease(self, free: Callable[[str], bool], floor: float) -> Entry | None:
        item = self._heaps.first(free, -floor)
        if item is None:
            return None
        entry = self._leased[item[2]] = self._unwait(item[2])
        return entry

    def best(self) -> float | None:
        item = self._heaps.first(lambda host: True, inf)
        return None if item is None else -item[0]

    def top(self, n: int) -> list[Entry]:
        return [self._waiting[item[2]] for item in islice(self._heaps.walk(), n)]

    def done(self, key: bytes) -> None:
        if self._leased.pop(key, None):
            self._done.add(key)

    def release(self, key: bytes) -> None:
        entry = self._leased.pop(key, None)
        if entry is None:
            return
        entry = replace(entry, attempts=entry.attempts + 1)
        if entry.attempts >= self.options.attempts:
            self._dead[key] = entry
        else:
            self._wait(entry)

    def dead(self) -> list[Entry]:
        return list(self._dead.values())

    def knows(self, key: bytes) -> bool:
        return any(key in state for state in (self._waiting, self._done, self._leased, self._evicted, self._dead))

    def forget(self, key: bytes) -> None:
        if key in self._waiting:
            self._unwait(key)
        self._leased.pop(key, None)
        self._dead.pop(key, None)
        self._done.discard(key)
        self._evicted.discard(key)

    def sizes(self, floor: float) -> Sizes:
        if floor != self._floor:
            self._floor, self._running = floor, sum(e.rank > floor for e in self._waiting.values())
        waiting = len(self._waiting) - self._running
        return Sizes(self._running, waiting, len(self._leased), len(self._done), len(self._dead), len(self._evicted))

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._waiting.values())

    def close(self) -> None:
        """Nothing to be put away."""

    def _wait(self, entry: Entry) -> None:
        key = entry.candidate.key
        self._waiting[key] = entry
        self._orders[key] = (-entry.rank, entry.arrival)
        self._heaps.put(key, entry.candidate.host, new=True)
        self._running += entry.rank > self._floor

    def _unwait(self, key: bytes) -> Entry:
        entry = self._waiting.pop(key)
        del self._orders[key]
        self._heaps.drop(entry.candidate.host)
        self._running -= entry.rank > self._floor
        return entry

    def _evict(self, n: int) -> None:
        for key in nlargest(n, self._orders, key=self._orders.__getitem__):
            self._unwait(key)
            self._evicted.add(key)
