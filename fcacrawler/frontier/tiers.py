"""What waits, between memory and disk. *Hot* is in memory and authoritative there; its changes reach the file at the
next commit. *Cold* is on disk only; of each host with cold entries the place of the best one is marked in the order in
memory, or one that is not behind it, so that it is fetched from disk when its turn comes and not before. When memory is
full, what is worst there is exchanged for what is best on disk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from fcacrawler.frontier import Entry
from fcacrawler.frontier.heaps import Order
from fcacrawler.frontier.journal import Journal
from fcacrawler.frontier.urls import COLD, HOT, Place, Urls, queue_of
from fcacrawler.frontier.waiting import Waiting

BOUND = 0  # instead of an arrival: the best cold entry of the host is not known, but it has this rank at most
THAW = 16  # cold entries of a host that are fetched at once, at most
HOSTS = 512  # whose entries come in at once: a fiftieth of a second
LINKS = 2  # to each hot entry, on average, for which there is room


class Tiers:
    """Twice ``limit`` hot entries at most, with ``LINKS`` times as many links to them; and the cold ones."""

    def __init__(self, urls: Urls, journal: Journal, limit: int) -> None:
        self.hot = Waiting()
        self._urls = urls
        self._journal = journal
        self._limit = limit
        self._cold = 0
        self._line = -inf  # the rank above which there was room in memory
        self._better: list[bytes] = []  # marks above it that have not been looked at
        self._above: tuple[float, int] | None = None  # a floor, and how many cold ones are above it

    def recall(self) -> None:
        """The file knows better what is cold."""
        self._cold, self._above = self._urls.cold(-inf), None
        for host, head in self._urls.heads():
            self._remark(host, head)

    def __len__(self) -> int:
        return len(self.hot) + self._cold

    def above(self, floor: float) -> int:
        if self._above is None or self._above[0] != floor:
            self._above = floor, self._urls.cold(floor)
        return self.hot.above(floor) + self._above[1]

    def take(self, free: Callable[[str], bool], floor: float) -> Entry | None:
        """The best above the floor whose host is free waits no longer."""
        if self._better:
            self._fill()
        while item := self.hot.first(free, floor):
            if not self._opened(item[2]):
                return self.hot.take(item[2])
        return None

    def best(self, hosts: Callable[[str], bool]) -> float | None:
        """The highest rank that waits on such a host."""
        while item := self.hot.first(hosts, -inf):
            if item[2] in self.hot or item[1] != BOUND:
                return -item[0]
            self._opened(item[2])
        return None

    def top(self, n: int) -> list[Entry]:
        while self._better:
            self._fill()
        return [self.hot.entries[item[2]] for item in self.hot.heaps.best(n, self._opened)]

    def _opened(self, key: bytes) -> bool:
        """Was it a mark? Then what it marked is hot now, or the mark is where it should be."""
        if key in self.hot:
            return False
        order, arrival = self.hot.orders[key]
        if arrival == BOUND:
            self._remark(_host(key), next(self._urls.of(_host(key), -order), None))
        else:
            self._thaw(_host(key), -order)
        return True

    def _thaw(self, host: str, rank: float) -> None:
        """The host's best cold entry, of this rank, is hot from now on, and the next ones if there is room for such."""
        best: list[Place] = []
        head = None
        for place in self._urls.of(host, rank):
            if best and (len(best) == THAW or place[0] < self._line):
                head = place
                break
            best.append(place)
        self._take_in(self._urls.at(best))
        self._remark(host, head)

    def warm(self, entries: Sequence[Entry]) -> None:
        """These cold entries are hot from now on."""
        self._take_in(entries)
        for entry in entries:
            mark = _mark(entry.candidate.host)
            if self.hot.orders.get(mark) == (-entry.rank, entry.arrival):
                self.hot.mark(mark, entry.candidate.host, (-entry.rank, BOUND))

    def exchange(self, more: int) -> None:
        """If there is no room for so many more: hot ones stay that are among the ``limit`` best of all that wait. Cold
        ones as good as they come in when something leaves next."""
        hot, limit = self.hot, self._limit
        if len(hot) + more <= 2 * limit and hot.links + more <= 2 * limit * LINKS:
            return
        better, out = self._divided()
        if out:
            self._better, self._line = better, out[0].rank
            self._put_out(out)

    def _fill(self) -> None:
        """Of what the last exchange has found to be better on disk, what the best ``HOSTS`` hosts have comes in, if
        there is room for it; and their marks are where they should be. In the order of the file."""
        hot, limit = self.hot, self._limit
        some, self._better = self._better[:HOSTS], self._better[HOSTS:]
        keys = {_host(key): key for key in some if key in hot.orders}
        hosts = sorted(keys, key=queue_of)
        found, all_of_them = self._urls.above(hosts, self._line, limit)
        left = sorted((-place[0], place[1], hosts[n], place) for n, place in found)
        while left and max(len(hot), hot.links / LINKS) < limit:
            self._take_in(self._urls.at([place for *_, place in left[: limit // 16 + 1]]))
            del left[: limit // 16 + 1]
        marks: dict[str, Order | None] = {}
        if all_of_them:
            below = self._urls.below(hosts, self._line)
            marks = {host: None if r is None else (-r, BOUND) for host, r in zip(hosts, below, strict=True)}
            marks.update({host: (order, arrival) for order, arrival, host, _ in reversed(left)})
        for host in hosts:
            mark = marks.get(host, (hot.orders[keys[host]][0], BOUND))
            if mark is None:
                hot.unmark(keys[host], host)
            else:
                hot.mark(keys[host], host, mark)
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
        heads: dict[str, Order] = {}
        for entry in entries:
            self.hot.take(entry.candidate.key)
            self._journal.note(entry, COLD)
            heads.setdefault(entry.candidate.host, (-entry.rank, entry.arrival))
        for host, order in heads.items():
            mark = _mark(host)
            self.hot.mark(mark, host, min(order, self.hot.orders.get(mark, order)))
        self._journal.flush()

    def evict(self, n: int, state: int) -> list[Entry]:
        """The worst n wait no longer and are in this state."""
        self._journal.settle_all(hot=True)
        worst = self._urls.worst(n)
        for entry in worst:
            if entry.candidate.key in self.hot:
                self.hot.take(entry.candidate.key)
            else:
                self._cold -= 1
            self._journal.note(entry, state)
        self._journal.flush()
        self._above = None
        for host in dict.fromkeys(e.candidate.host for e in worst):
            self._remark(host, next(self._urls.of(host), None))
        return worst

    def _take_in(self, entries: Sequence[Entry]) -> None:
        self._count([entry.rank for entry in entries], -1)
        self._urls.warmed.update([(entry.arrival, entry.rank) for entry in entries])
        for entry in entries:
            self.hot.put(entry)
            self._journal.note(entry, HOT)

    def _count(self, ranks: Sequence[float], n: int) -> None:
        """So many are cold, or no longer."""
        self._cold += n * len(ranks)
        if self._above is not None:
            floor, above = self._above
            self._above = floor, above + n * sum(rank > floor for rank in ranks)

    def _remark(self, host: str, head: Place | None) -> None:
        """The place of the host's best cold entry is this."""
        if head is not None:
            self.hot.mark(_mark(host), host, (-head[0], head[1]))
        elif _mark(host) in self.hot.orders:
            self.hot.unmark(_mark(host), host)


def _mark(host: str) -> bytes:
    return b"\0" + host.encode("utf-8", "surrogatepass")


def _host(mark: bytes) -> str:
    return mark[1:].decode("utf-8", "surrogatepass")
