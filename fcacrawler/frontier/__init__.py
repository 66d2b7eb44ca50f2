"""Where ranked links wait and leave best first.

A link is *waiting* → *leased* (handed out to be fetched) → *done*. Rank above γ runs, the rest waits:
``lease`` takes a floor, and nothing at or below it leaves. Ties leave in order of arrival, on every backend.

Why so: decision 150.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import NamedTuple, Protocol

from fcacrawler.frontier.unreached import Unreached
from fcacrawler.values.forgetting import Forgotten
from fcacrawler.values.links import Candidate
from fcacrawler.values.marks import Mark
from fcacrawler.values.pages import SeenPage


class Entry(NamedTuple):
    """A candidate and its place in the frontier."""

    candidate: Candidate
    rank: float
    epoch: int  # of the knowledge that the rank was computed with
    arrival: int  # 1, 2, 3 … ties leave in this order
    attempts: int = 0  # how often it has been leased before


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many URLs are in which state. running + waiting + leased + done + dead + evicted = known."""

    running: int  # wait above the floor
    waiting: int  # wait at or below it
    leased: int
    done: int
    dead: int  # given up after too many attempts
    evicted: int = 0  # dropped for want of room, the worst first


def anywhere(host: str) -> bool:
    """Any host."""
    return True


class Frontier(Protocol):
    """Where links wait, whatever the backend. Keys are opaque; a key that was ever added stays known until forgotten.
    Of pages it knows nothing: that is its ``store``'s, or what its workers have ``shared``."""

    @property
    def store(self) -> Store | None:
        """What it keeps of pages for a later run; None if it keeps nothing."""
        ...

    @property
    def shared(self) -> Sharing | None:
        """What it shares with other workers; None if there are none."""
        ...

    @property
    def forgotten(self) -> Forgotten:
        """What is not to be fetched again, since its user has wanted that (``scrapy forget``)."""
        ...

    @property
    def fetched(self) -> int:
        """Responses so far, of all runs and workers."""
        ...

    def add(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Add links. A new key waits with rank 0; evidence for a key that waits is joined to it (bounded, see
        ``evidence.joined``); a key that is leased, done, dead or evicted is left as it is. Returns those that wait
        now, with all their evidence, once each, in the order in which this call names them first: they are to be
        ranked and given to ``update``. (Where it is ``shared``: those that wait as far as this worker knows.)"""
        ...

    def update(self, ranks: Sequence[tuple[bytes, float]], epoch: int) -> None:
        """Set the ranks of keys that wait; other keys are ignored. A rank is finite. If more than ``frontier_size``
        wait then, or after ``release``, the worst are evicted (of equal ranks the latest) until a tenth of the room is
        free."""
        ...

    def lease(self, free: Callable[[str], bool], floor: float) -> Entry | None:
        """Take out the best entry above ``floor`` whose host is free now; None if there is none, or if the best of what
        is shared are ``outdated``."""
        ...

    def done(self, key: bytes, responded: bool = True) -> None:
        """The leased key is finished, with a response or for want of one: its page, if it was recorded, is kept
        together with this. A key that is not leased is left as it is."""
        ...

    def drop(self, key: bytes) -> None:
        """The leased key is finished without having been fetched: its host was not asked."""
        ...

    def release(self, key: bytes, counted: bool = True) -> None:
        """Give a lease back unfinished: it waits again, with its rank and arrival; after too many attempts, if this is
        ``counted`` as one, it is dead. A key that is not leased is left as it is."""
        ...

    def shut(self, host: str, why: str) -> None:
        """The host could not be reached: nothing of it leaves in this run, by no worker, and what waits there is no
        longer the ``best``. The next run may ask it again."""
        ...

    def unreached(self) -> Mapping[str, Unreached]:
        """The hosts that are shut."""
        ...

    def forget(self, key: bytes) -> None:
        """As if the key had never been added, whatever its state."""
        ...

    def best(self, hosts: Callable[[str], bool] = anywhere) -> float | None:
        """The highest rank that waits on such a host; None if nothing does. A shared frontier may look at all hosts."""
        ...

    def top(self, n: int) -> list[Entry]:
        """The n best that wait, best first, whatever their hosts."""
        ...

    def __iter__(self) -> Iterator[Entry]:
        """All that wait, in no particular order."""
        ...

    def dead(self) -> list[Entry]:
        """Those that have been given up, in order of arrival."""
        ...

    def knows(self, key: bytes) -> bool: ...

    def sizes(self, floor: float) -> Sizes: ...

    def sync(self) -> None:
        """To be called about once a second: what has happened so far is made durable, and shared."""
        ...

    def close(self) -> None: ...


class Observed(Protocol):
    """What a crawl has learned, for a later run or for other workers: ``Store`` and ``Sharing`` have it in common."""

    def record(self, key: bytes, page: SeenPage) -> None:
        """What was learned from the leased key's page: kept for good when the key is done. Pages keep the order in
        which they were recorded."""
        ...

    def observed(self) -> Iterator[SeenPage | Sequence[Mark]]:
        """The pages recorded by an earlier run and by other workers that have not been answered before, in order. To be
        learned from as if they had been read here; their links wait already. Among them marks, where they were first
        answered."""
        ...

    def mark(self, marks: Sequence[Mark]) -> None:
        """What users say of pages: kept for good, and ``observed`` in its turn, here and by other workers. What has
        been said before, by the same user and at the same time, is left out."""
        ...

    def homes(self, more: Collection[str] = ()) -> Collection[str]:
        """The hosts that the crawl is to stay on, with these from now on."""
        ...


class Store(Observed, Protocol):
    """What a frontier keeps of pages for a later run of its one worker."""

    def keep(self, key: bytes, item: str) -> None:
        """The item, as JSON, of the leased key's page: kept with it if it has been recorded, else it takes the place of
        the item that is kept of it."""
        ...

    def page(self, key: bytes) -> SeenPage | None:
        """The page of a link, as it was recorded last; None if there is none."""
        ...

    def again(self, ranks: Sequence[tuple[bytes, float]]) -> list[bytes]:
        """Keys that are done after a response wait again with these ranks; which did."""
        ...

    def taken(self) -> Mapping[str, int]:
        """Responses so far by host, of all runs."""
        ...


class Sharing(Observed, Protocol):
    """What the workers of one crawl share."""

    def record(self, key: bytes, page: SeenPage, relevant: bool = False) -> None:
        """``relevant``: who cannot hear of all pages hears of this one first."""
        ...

    @property
    def elsewhere(self) -> int:
        """How many links are leased by other workers."""
        ...

    def quiet(self) -> bool:
        """Is nothing under way at other workers, nor on its way to where it will wait? So that what ``best`` and
        ``fetched`` have said stays so."""
        ...

    def polite(self, delay: Callable[[str], float], at_once: int) -> None:
        """``delay``: how many seconds a host is to be left alone now that a fetch of it is over; ``at_once``: how many
        fetches of it may be under way, over all workers."""
        ...

    def heard(self, candidates: Sequence[Candidate]) -> None:
        """Links on an ``observed`` page: those of them that this worker has found too are known to it from now on with
        this evidence as well."""
        ...

    def outdated(self) -> list[Candidate]:
        """What other workers have found too since this one ranked it, or have ranked knowing less than this one: to be
        ranked again and given to ``update``."""
        ...

    def at_hand(self, n: int) -> list[Entry]:
        """The n best of those that wait and that this worker has found: it keeps their ranks up to date."""
        ...

    def wait(self) -> float:
        """After a ``lease`` that found none: how many seconds until it may find one though nothing happens here."""
        ...

    def left_out(self) -> Mapping[str, int]:
        """How many links have been left out since this was last asked, by rule: of hosts and sites from which nothing
        more is to come, since the budgets are counted over all workers."""
        ...


def finite(rank: float) -> float:
    """The rank, if it is one."""
    if not isfinite(rank):
        raise ValueError(f"a rank must be finite, not {rank}")
    return rank
