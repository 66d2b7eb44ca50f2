"""What waits, between memory and disk. *Hot* is in memory and authoritative there; its changes reach the file at the
next commit. *Cold* is on disk only; of each host with cold entries the place of the best one is marked in the order in
memory, so that it is fetched from disk when its turn comes and not before. What is taken into memory stays as it is in
the file until it leaves it again: then many go at once, in the file's order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from fcacrawler.frontier import Entry
from fcacrawler.frontier.heaps import Order
from fcacrawler.frontier.journal import Journal
from fcacrawler.frontier.urls import COLD, HOT, Urls
from fcacrawler.frontier.waiting import Waiting

THAW = 16  # cold entries of a host that are fetched at once, at most
LINKS = 2  # to each hot entry, on average, for which there is room


class Tiers:
    """``limit`` hot entries with ``LINKS`` times as many links to them, twice as many at most; and the cold ones."""

    def __init__(self, urls: Urls, journal: Journal, limit: int) -> None:
        self.hot = Waiting()
        self._urls = urls
        self._journal = journal
        self._limit = limit
        self._cold = 0
        self._line = -inf  # the rank above which there was room in memory
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
        return [self.hot.entries[item[2]] for item in self.hot.heaps.best(n, self._opened)]

    def _opened(self, key: bytes) -> bool:
        """Was it a mark? What it marked is hot now."""
        if key in self.hot:
            return False
        self._thaw(_host(key))
        return True

    def warm(self, entries: Sequence[Entry]) -> None:
        """These cold entries are hot from now on."""
        self._take_in(entries)
        for entry in entries:
            host = entry.candidate.host
            if self.hot.orders.get(_mark(host)) == (-entry.rank, entry.arrival):
                self._remark(host, next(self._urls.of(host), None))

    def cool(self) -> bool:
        """If too many are hot, or too many links lead to them, the worst are cold from now on. Was it so?"""
        hot, limit = self.hot, self._limit
        if len(hot) <= 2 * limit and hot.links <= 2 * limit * LINKS:
            return False
        entries = []
        for key in hot.worst(len(hot)):
            if len(hot) <= limit and hot.links <= limit * LINKS:
                break
            entries.append(hot.take(key))
        self._line = entries[-1].rank
        self._cold += len(entries)
        if self._above is not None:
            floor, above = self._above
            self._above = floor, above + sum(e.rank > floor for e in entries)
        for entry in entries:
            self._journal.note(entry, COLD)
            order, mark = (-entry.rank, entry.arrival), _mark(entry.candidate.host)
            self.hot.mark(mark, entry.candidate.host, min(order, self.hot.orders.get(mark, order)))
        self._journal.settle()
        return True

    def evict(self, n: int, state: int) -> list[Entry]:
        """The worst n wait no longer and are in this state."""
        self._journal.settle(all_of_it=True)
        worst = self._urls.worst(n)
        for entry in worst:
            if entry.candidate.key in self.hot:
                self.hot.take(entry.candidate.key)
            else:
                self._cold -= 1
            self._journal.note(entry, state)
        self._journal.settle()
        self._above = None
        for host in dict.fromkeys(e.candidate.host for e in worst):
            self._remark(host, next(self._urls.of(host), None))
        return worst

    def _thaw(self, host: str) -> None:
        """The host's best cold entry is hot from now on, and the next ones if there was room for such."""
        best: list[int] = []
        head = None
        for order in self._urls.of(host):
            if best and (len(best) == THAW or -order[0] < self._line):
                head = order
                break
            best.append(order[1])
        self._take_in(self._urls.at(best))
        self._remark(host, head)

    def _take_in(self, entries: Sequence[Entry]) -> None:
        self._cold -= len(entries)
        for entry in entries:
            self.hot.put(entry)
            self._journal.note(entry, HOT)
            self._urls.shadowed.add(entry.arrival)
            if self._above is not None and entry.rank > self._above[0]:
                self._above = self._above[0], self._above[1] - 1

    def _remark(self, host: str, head: Order | None) -> None:
        """The place of the host's best cold entry is this."""
        if head is not None:
            self.hot.mark(_mark(host), host, head)
        elif _mark(host) in self.hot.orders:
            self.hot.unmark(_mark(host), host)


def _mark(host: str) -> bytes:
    return b"\0" + host.encode("utf-8", "surrogatepass")


def _host(mark: bytes) -> str:
    return mark[1:].decode("utf-8", "surrogatepass")
