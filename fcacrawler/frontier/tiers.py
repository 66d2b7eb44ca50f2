"""What waits, between memory and disk. *Hot* is in memory and authoritative there; its changes reach the file at the
next commit. *Cold* is on disk only; of each host with cold entries the place of the best one is marked in the order in
memory, so that it is fetched from disk when its turn comes and not before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from fcacrawler.frontier import Entry
from fcacrawler.frontier.journal import Journal
from fcacrawler.frontier.urls import COLD, HOT, Urls
from fcacrawler.frontier.waiting import Waiting

THAW = 16  # cold entries of a host that are fetched at once
LINKS = 2  # to each hot entry, on average, for which there is room


class Tiers:
    """``limit`` hot entries with ``LINKS`` times as many links to them, twice as many at most; and the cold ones."""

    def __init__(self, urls: Urls, journal: Journal, limit: int) -> None:
        self.hot = Waiting()
        self._urls = urls
        self._journal = journal
        self._limit = limit
        self._cold = 0
        self._above: tuple[float, int] | None = None  # a floor, and how many cold ones are above it

    def recall(self) -> None:
        """The file knows better what is cold."""
        self._cold, self._above = self._urls.cold(-inf), None
        for host, order in self._urls.heads():
            self.hot.mark(_mark(host), host, order)

    def __len__(self) -> int:
        return len(self.hot) + self._cold

    def above(self, floor: float) -> int:
        if self._above is None or self._above[0] != floor:
            self._above = floor, self._urls.cold(floor)
        return self.hot.above(floor) + self._above[1]

    def take(self, free: Callable[[str], bool], floor: float) -> Entry | None:
        """The best above the floor whose host is free waits no longer."""
        while item := self.hot.first(free, floor):
            if item[2] in self.hot:
                return self.hot.take(item[2])
            self._thaw(_host(item[2]))
        return None

    def top(self, n: int) -> list[Entry]:
        while True:
            best = [item[2] for item in self.hot.heaps.best(n)]
            cold = [key for key in best if key not in self.hot]
            if not cold:
                return [self.hot.entries[key] for key in best]
            for mark in cold:
                self._thaw(_host(mark))

    def warm(self, key: bytes) -> Entry:
        """This cold entry is hot from now on."""
        found = self._urls.get(key)
        if found is None:
            raise KeyError(key)
        self._take_in([found[1]])
        self._remark(found[1].candidate.host)
        return found[1]

    def cool(self) -> None:
        """If too many are hot, or too many links lead to them, the worst are cold from now on."""
        hot, limit = self.hot, self._limit
        if len(hot) <= 2 * limit and hot.links <= 2 * limit * LINKS:
            return
        entries = []
        for key in hot.worst(len(hot)):
            if len(hot) <= limit and hot.links <= limit * LINKS:
                break
            entries.append(hot.take(key))
        for entry in entries:
            self._journal.note(entry, COLD)
        self._cold += len(entries)
        self._refreeze(entries)

    def evict(self, n: int, state: int) -> list[Entry]:
        """The worst n wait no longer and are in this state."""
        self._journal.flush()
        worst = self._urls.worst(n)
        for entry in worst:
            if entry.candidate.key in self.hot:
                self.hot.take(entry.candidate.key)
            else:
                self._cold -= 1
            self._journal.note(entry, state)
        self._refreeze(worst)
        return worst

    def _refreeze(self, entries: Sequence[Entry]) -> None:
        """What is cold has changed by these."""
        self._above = None
        self._journal.flush()
        for host in dict.fromkeys(e.candidate.host for e in entries):
            self._remark(host)

    def _thaw(self, host: str) -> None:
        """The host's best cold entries are hot from now on."""
        self._take_in(self._urls.best(host, THAW))
        self._remark(host)

    def _take_in(self, entries: Sequence[Entry]) -> None:
        self._journal.begin()
        self._urls.move(entries, HOT)
        self._cold -= len(entries)
        for entry in entries:
            self.hot.put(entry)
            if self._above is not None and entry.rank > self._above[0]:
                self._above = self._above[0], self._above[1] - 1

    def _remark(self, host: str) -> None:
        head = self._urls.head(host)
        if head is not None:
            self.hot.mark(_mark(host), host, head)
        elif _mark(host) in self.hot.orders:
            self.hot.unmark(_mark(host), host)


def _mark(host: str) -> bytes:
    return b"\0" + host.encode("utf-8", "surrogatepass")


def _host(mark: bytes) -> str:
    return mark[1:].decode("utf-8", "surrogatepass")
