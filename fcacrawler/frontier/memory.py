"""The frontier of a crawl that may be lost: everything in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from fcacrawler.frontier import Entry, Sizes, Store, anywhere
from fcacrawler.frontier.evidence import joined
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.unreached import Shut, Unreached
from fcacrawler.frontier.waiting import Waiting
from fcacrawler.values.forgetting import Forgotten
from fcacrawler.values.links import Candidate

ROOM = 1_000_000  # links that wait, where no other limit is set: some 2 GB


class MemoryFrontier:
    """See ``Frontier``. Nothing survives the process."""

    store: Store | None = None
    shared = None
    forgotten = Forgotten()

    def __init__(self, options: FrontierOptions) -> None:
        self.options = options
        self._room = options.frontier_size or ROOM
        self._arrivals = 0
        self._waiting = Waiting()
        self._shut = Shut()
        self._leased: dict[bytes, Entry] = {}
        self._dead: dict[bytes, Entry] = {}
        self._done: set[bytes] = set()
        self._evicted: set[bytes] = set()
        self.fetched = 0

    def add(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        waiting: dict[bytes, Candidate] = {}
        for found in candidates:
            entry = self._waiting.entries.get(found.key)
            if entry is not None:
                known = joined(entry.candidate, found, self.options.evidence)
                if known is not entry.candidate:
                    self._waiting.change(Entry(known, entry.rank, entry.epoch, entry.arrival, entry.attempts))
                waiting[found.key] = known
            elif not self.knows(found.key):
                self._arrivals += 1
                self._waiting.put(Entry(found, 0.0, 0, self._arrivals))
                waiting[found.key] = found
        return list(waiting.values())

    def update(self, ranks: Sequence[tuple[bytes, float]], epoch: int) -> None:
        self._waiting.rank(ranks, epoch)
        self._make_room()

    def lease(self, free: Callable[[str], bool], floor: float) -> Entry | None:
        key = self._waiting.first(self._shut.out_of(free), floor)
        if key is None:
            return None
        entry = self._leased[key] = self._waiting.take(key)
        return entry

    def best(self, hosts: Callable[[str], bool] = anywhere) -> float | None:
        return self._waiting.best(self._shut.out_of(hosts))

    def top(self, n: int) -> list[Entry]:
        return [self._waiting.entries[key] for key in self._waiting.heaps.best(n)]

    def done(self, key: bytes, responded: bool = True) -> None:
        if self._leased.pop(key, None):
            self._done.add(key)
            self.fetched += responded

    def drop(self, key: bytes) -> None:
        self.done(key, responded=False)

    def shut(self, host: str, why: str) -> None:
        self._shut.why[host] = why

    def unreached(self) -> Mapping[str, Unreached]:
        return self._shut.counted(entry.candidate.host for entry in self._waiting)

    def release(self, key: bytes, counted: bool = True) -> None:
        entry = self._leased.pop(key, None)
        if entry is None:
            return
        entry = entry._replace(attempts=entry.attempts + counted)
        if entry.attempts >= self.options.attempts:
            self._dead[key] = entry
        else:
            self._waiting.put(entry)
            self._make_room()

    def _make_room(self) -> None:
        if len(self._waiting) > self._room:
            for key in self._waiting.worst(len(self._waiting) - (self._room - self._room // 10)):
                self._waiting.take(key)
                self._evicted.add(key)

    def dead(self) -> list[Entry]:
        return sorted(self._dead.values(), key=lambda e: e.arrival)

    def knows(self, key: bytes) -> bool:
        return (
            key in self._waiting.entries
            or key in self._done
            or key in self._leased
            or key in self._evicted
            or key in self._dead
        )

    def forget(self, key: bytes) -> None:
        if key in self._waiting:
            self._waiting.take(key)
        self._leased.pop(key, None)
        self._dead.pop(key, None)
        self._done.discard(key)
        self._evicted.discard(key)

    def sizes(self, floor: float) -> Sizes:
        running = self._waiting.above(floor)
        waiting = len(self._waiting) - running
        return Sizes(running, waiting, len(self._leased), len(self._done), len(self._dead), len(self._evicted))

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._waiting)

    def sync(self) -> None:
        """Nothing is durable here."""

    def close(self) -> None:
        """Nothing to be put away."""
