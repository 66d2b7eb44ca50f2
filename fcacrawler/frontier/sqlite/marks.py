"""What is known in memory of what waits on disk: of each host the places of its best few, and before which place none
of the others is. That marks the host in the order of what is in memory, so that it comes up when its turn comes.

Why so: decision 138.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable
from math import inf

from fcacrawler.frontier.heaps import Turn
from fcacrawler.frontier.sqlite.urls import Place, Urls
from fcacrawler.frontier.waiting import Waiting

BOUND = 0  # instead of an arrival: which is the host's best is not known, but it is not before this
NONE: Turn = (inf, BOUND)
KNOWN = 4  # places of a host that are read at once; twice as many are remembered at most


class Known:
    """A host's cold places: these, and others that are not before ``behind``."""

    __slots__ = ("behind", "key", "places")

    def __init__(self, host: str, behind: Turn = NONE) -> None:
        self.key = mark_of(host)
        self.places: list[Place] = []
        self.behind = behind

    @property
    def first(self) -> Turn:
        """Where the mark belongs."""
        order, _ = self.behind
        return self.places[0].turn if self.places else (order, BOUND)


class Marks:
    """A mark stands among the orders of ``waiting`` with the key ``mark_of(host)``, and is no entry."""

    def __init__(self, waiting: Waiting, urls: Urls) -> None:
        self._waiting = waiting
        self._urls = urls
        self._known: dict[str, Known] = {}

    def recall(self, hosts: Iterable[str] | None = None) -> None:
        """The file knows better of these hosts, or of all."""
        heads = self._urls.heads() if hosts is None else ((h, next(self._urls.of(h), None)) for h in hosts)
        for host, head in heads:
            known = self._known[host] = Known(host, NONE if head is None else head.turn)
            self._mark(host, known)

    def add(self, host: str, places: Iterable[Place]) -> None:
        """These are cold now."""
        known = self._known.get(host)
        if known is None:
            known = self._known[host] = Known(host)
        first = known.first
        for place in places:
            if place.turn < known.behind:
                insort(known.places, place)
        self._changed(host, known, first)

    def remove(self, host: str, places: Iterable[Place]) -> None:
        """These are not cold any more."""
        known = self._known[host]
        first = known.first
        for place in places:
            at = bisect_left(known.places, place)
            if known.places[at : at + 1] == [place]:
                del known.places[at]
        self._changed(host, known, first)

    def best(self, host: str, order: float, most: int) -> list[Place]:
        """Those with this order or an earlier one, so many at most; from now on the mark says which is the first."""
        known = self._known.get(host)
        if known is None:
            return []
        behind, _ = known.behind
        if behind <= order and len(known.places) < most:
            self._read(host, known, order, most)
            self._mark(host, known)
        return known.places[: bisect_right(known.places, order, key=lambda place: place.order)][:most]

    def _read(self, host: str, known: Known, order: float, most: int) -> None:
        """A few more are known, and all that are asked for."""
        places, known.behind = self._urls.of(host, known.behind), NONE
        for place in places:
            n = len(known.places)
            if n >= KNOWN and (n >= most or place.order > order):
                known.behind = place.turn
                break
            known.places.append(place)

    def _changed(self, host: str, known: Known, first: Turn) -> None:
        """Before that the mark was at ``first``."""
        if len(known.places) > 2 * KNOWN:
            known.behind = known.places[KNOWN].turn
            del known.places[KNOWN:]
        if known.first != first:
            self._mark(host, known)

    def _mark(self, host: str, known: Known) -> None:
        first = known.first
        if first < NONE:
            self._waiting.mark(known.key, host, first)
            return
        del self._known[host]
        if known.key in self._waiting.orders:
            self._waiting.unmark(known.key, host)


def mark_of(host: str) -> bytes:
    return b"\0" + host.encode("utf-8", "surrogatepass")


def host_of(mark: bytes) -> str:
    return mark[1:].decode("utf-8", "surrogatepass")
