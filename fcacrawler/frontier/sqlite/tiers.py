"""What waits, between memory and disk. *Hot* is in memory and authoritative there; its changes reach the file at the
next commit. *Cold* is on disk only; of each host with cold entries a mark stands in the order in memory, so that it is
fetched from disk when its turn comes and not before. When memory is full, what is worst there is exchanged for what is
best on disk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import merge
from itertools import islice
from math import inf

from fcacrawler.frontier import Entry
from fcacrawler.frontier.sqlite.journal import Journal
from fcacrawler.frontier.sqlite.log import COLD
from fcacrawler.frontier.sqlite.marks import BOUND, Marks, host_of
from fcacrawler.frontier.sqlite.urls import Place, Urls, queue_of
from fcacrawler.frontier.waiting import Waiting

THAW = 16  # cold entries of a host that are fetched at once, at most
HOSTS = 512  # whose entries come in at once: some hundredths of a second
LINKS = 2  # to each hot entry, on average, for which there is room


class Tiers:
    """Twice ``limit`` hot entries at most, with ``LINKS`` times as many links to them; and the cold ones."""

    def __init__(self, urls: Urls, journal: Journal, limit: int) -> None:
        self.hot = Waiting()
        self._urls = urls
        self._journal = journal
        self._limit = limit
        self._marks = Marks(self.hot, urls)
        self._cold = 0
        self._line = inf  # the last order for which there was room in memory
        self._better: list[bytes] = []  # marks above it that have not been looked at
        self._floor: float | None = None  # the last that was asked about, as long as it is known …
        self._above = 0  # … how many cold ones are above it

    def recall(self) -> None:
        """The file knows better what is cold."""
        self._cold, self._floor = self._urls.cold(-inf), None
        self._marks.recall()

    def __len__(self) -> int:
        return len(self.hot) + self._cold

    def above(self, floor: float) -> int:
        if self._floor != floor:
            self._floor, self._above = floor, self._urls.cold(floor)
        return self.hot.above(floor) + self._above

    def take(self, free: Callable[[str], bool], floor: float) -> Entry | None:
        """The best above the floor whose host is free waits no longer."""
        if self._better:
            self._fill()
        while key := self.hot.first(free, floor):
            if not self._opened(key):
                return self.hot.take(key)
        return None

    def best(self, hosts: Callable[[str], bool]) -> float | None:
        """The highest rank that waits on such a host."""
        while key := self.hot.first(hosts, -inf):
            order, arrival = self.hot.orders[key]
            if key in self.hot or arrival != BOUND:
                return -order
            self._opened(key)
        return None

    def top(self, n: int) -> list[Entry]:
        return [self.hot.entries[key] for key in self.hot.heaps.best(n, self._opened)]

    def _opened(self, key: bytes) -> bool:
        """Was it a mark? Then the host's best is hot now, and the next ones if there is room for such; or the mark is
        where it should be."""
        if key in self.hot.entries:
            return False
        order, arrival = self.hot.orders[key]
        best = self._marks.best(host_of(key), max(order, self._line), THAW)
        if arrival != BOUND:
            self.warm(self._urls.at(best))
        return True

    def warm(self, entries: Sequence[Entry]) -> None:
        """These cold entries are hot from now on."""
        self._count([entry.rank for entry in entries], -1)
        self._urls.warm(entries)
        for entry in entries:
            self.hot.put(entry)
        for host, places in _by_host(entries).items():
            self._marks.remove(host, places)

    def exchange(self, more: int) -> None:
        """If there is no room for so many more: hot ones stay that are among the ``limit`` best of all that wait. Cold
        ones as good as they come in when something leaves next."""
        hot, limit = self.hot, self._limit
        if len(hot) + more <= 2 * limit and hot.links + more <= 2 * limit * LINKS:
            return
        better, out = self._divided()
        if out:
            self._better, self._line = better, -out[0].rank
            self._put_out(out)

    def _fill(self) -> None:
        """Of what the last exchange has found to be better on disk, what the best ``HOSTS`` hosts have comes in, if
        there is room for it. In the order of the file."""
        hot, limit = self.hot, self._limit
        some, self._better = self._better[:HOSTS], self._better[HOSTS:]
        hosts = sorted([host_of(key) for key in some], key=queue_of)
        most = max(THAW, limit // len(hosts))
        left = sorted(place for host in hosts for place in self._marks.best(host, self._line, most))
        while left and max(len(hot), hot.links / LINKS) < limit:
            self.warm(self._urls.at(left[: limit // 16 + 1]))
            del left[: limit // 16 + 1]
        if left:
            self._better = []

    def _divided(self) -> tuple[list[bytes], list[Entry]]:
        """The marks among the best for which there is room; and the hot ones among the others, the best first."""
        hot = self.hot
        keys = sorted(hot.orders, key=hot.orders.__getitem__)
        n, links = 0, self._limit * LINKS
        for n, key in enumerate(keys):
            entry = hot.entries.get(key)
            links -= len(entry.candidate.evidence) if entry else 1
            if n == self._limit or links < 0:
                break
        else:
            n = len(keys)
        return [key for key in keys[:n] if key not in hot], [hot.entries[k] for k in keys[n:] if k in hot.entries]

    def _put_out(self, entries: Sequence[Entry]) -> None:
        """These hot ones, the best first, are cold from now on."""
        self._count([entry.rank for entry in entries], 1)
        for entry in entries:
            self.hot.take(entry.candidate.key)
        self._journal.note_all(entries, COLD)
        self._journal.settle()
        for host, places in _by_host(entries).items():
            self._marks.add(host, places)

    def evict(self, n: int, state: int) -> list[Entry]:
        """The worst n wait no longer and are in this state."""
        self._journal.settle_all()
        hot = [self.hot.entries[key] for key in self.hot.worst(n)]
        worst = list(islice(merge(hot, self._urls.worst(n), key=lambda e: (e.rank, -e.arrival)), n))
        for entry in worst:
            if entry.candidate.key in self.hot:
                self.hot.take(entry.candidate.key)
            else:
                self._cold -= 1
            self._journal.note(entry, state)
        self._journal.flush()
        self._floor = None
        self._marks.recall(_by_host(worst))
        return worst

    def _count(self, ranks: Sequence[float], n: int) -> None:
        """So many are cold, or no longer."""
        self._cold += n * len(ranks)
        if (floor := self._floor) is not None:
            self._above += n * sum(rank > floor for rank in ranks)


def _by_host(entries: Sequence[Entry]) -> dict[str, list[Place]]:
    """Their places."""
    hosts: dict[str, list[Place]] = {}
    for entry in entries:
        place = Place(-entry.rank, entry.arrival, entry.epoch, entry.attempts)
        hosts.setdefault(entry.candidate.host, []).append(place)
    return hosts
