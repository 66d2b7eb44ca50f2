"""The frontier of a crawl in Redis that is cut into parts by its hosts, so that it has the memory and the processors of
several nodes.

Each part is a ``RedisFrontier`` of its own: its hosts' links, leases, delays and log. A worker is at home in one,
leases there and learns from what is read there; it goes elsewhere when there is nothing left to do, or nobody to do it.
Links to another part's hosts go there by post. Whether all
is over is asked of all parts, twice.

Why so: decision 350.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from heapq import nlargest
from itertools import chain
from math import inf
from time import monotonic

from fcacrawler.frontier import Entry, anywhere, finite
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.redis.frontier import RedisFrontier
from fcacrawler.frontier.redis.joining import PLAINLY, Joining
from fcacrawler.frontier.redis.looks import HERE, Looks
from fcacrawler.frontier.redis.outbox import Outbox, Posted
from fcacrawler.frontier.redis.parts import Parts
from fcacrawler.frontier.redis.permits import Permits
from fcacrawler.frontier.redis.post import Post
from fcacrawler.frontier.redis.talk import Talk
from fcacrawler.values.links import Candidate
from fcacrawler.values.marks import Mark
from fcacrawler.values.pages import SeenPage


class PartedFrontier(Parts):
    """See ``Frontier`` and ``Sharing``."""

    store = None

    def __init__(
        self, url: str, name: str, options: FrontierOptions, crawl: Mapping[str, str], joining: Joining = PLAINLY
    ) -> None:
        """As a ``RedisFrontier``, cut into ``options.parts``."""
        super().__init__(url, name, options, crawl, joining)
        self._options = options
        self._talks = [part.talk for part in self._parts]
        self._post = Post(self._talks, options.evidence)
        self._permits = Permits(self._common, [talk.line for talk in self._talks], joining.budget)
        self._looks = Looks(self._talks)
        self._settle(self._looks.fewest())
        self._collected = -inf
        self._abroad = Outbox()  # found here, to be ranked, then posted
        self._marks: set[Mark] = set()  # heard
        self._held: dict[bytes, RedisFrontier] = {}  # leases handed out
        for made in self._parts:
            if made is not self.home:
                self._depart(made)

    @property
    def shared(self) -> PartedFrontier:
        return self

    @property
    def home(self) -> RedisFrontier:
        """Where this worker leases."""
        return self._parts[self._home]

    @property
    def trips(self) -> int:
        """Round trips so far."""
        return sum(part.trips for part in self._parts) + self._common.server.trips

    # -- links that come in

    def add(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        waiting: dict[bytes, Candidate] = {}
        for n, some in self._by_part(candidates).items():
            found = self.home.add(some) if n == self._home else self._talks[n].known.add(some, self._abroad)
            waiting |= {c.key: c for c in found}
        return [waiting[key] for key in dict.fromkeys(c.key for c in candidates) if key in waiting]

    def _by_part(self, candidates: Sequence[Candidate]) -> dict[int, list[Candidate]]:
        of: dict[int, list[Candidate]] = {}
        for c in candidates:
            of.setdefault(self._part(c.host), []).append(c)
        return of

    def update(self, ranks: Sequence[tuple[bytes, float]], epoch: int) -> None:
        of: dict[int, list[tuple[bytes, float]]] = {self._home: []}
        for key, rank in ranks:
            here = (n for n, talk in enumerate(self._talks) if key in talk.known.here)
            n = next(here, self._home)
            if key in self._abroad.news:
                self._talks[n].known.update([(key, finite(rank))], epoch, self._abroad)
                self._posted(n, key, rank)
            else:
                of.setdefault(n, []).append((key, rank))
        for n, some in of.items():
            self._parts[n].update(some, epoch)
        self._deliver()

    def _posted(self, to: int, key: bytes, rank: float) -> None:
        known, posts = self._talks[to].known, self.home.talk.out.posts
        evidence = self._abroad.news.pop(key)
        if (before := posts.get(key)) is not None:
            evidence = (*before.evidence, *(e for e in evidence if e not in before.evidence))
        (entry,) = known.entries([key])
        posts[key] = Posted(to, entry.candidate, rank, known.generation(key), evidence)

    def heard(self, candidates: Sequence[Candidate]) -> None:
        for n, some in self._by_part(candidates).items():
            self._parts[n].heard(some)

    def outdated(self) -> list[Candidate]:
        return [c for part in self._parts for c in part.outdated()]

    def at_hand(self, n: int) -> list[Entry]:
        return nlargest(n, chain.from_iterable(part.at_hand(n) for part in self._parts), key=lambda entry: entry.rank)

    # -- links that leave

    def lease(self, free: Callable[[str], bool], floor: float) -> Entry | None:
        self._deliver()
        if self._looks.due:
            self._tell()
            self._go(floor)
        entry = self._lease(free, floor)
        if entry is None and self._looks.due_at_once and self._go(floor):
            entry = self._lease(free, floor)
        return entry

    def _lease(self, free: Callable[[str], bool], floor: float) -> Entry | None:
        home = self.home
        entry = home.lease(free, floor)
        if entry is None and home.talk.state.waiting and self._permits.draw(self._home):
            home.talk.ask_at = -inf
            entry = home.lease(free, floor)
        if entry is not None:
            self._looks.left += 1
            self._held[entry.candidate.key] = home
        return entry

    def _tell(self) -> None:
        """What was found counts where it is compared what waits."""
        if self.home.talk.out:
            self.home.talk.trip()
        self._deliver(now=True)

    def _go(self, floor: float) -> bool:
        """To another part, if there is reason to; whether it was gone."""
        self._looks.look(self._home)
        there = self._looks.better(self._home, floor)
        if there is not None:
            home = self.home
            home.talk.give_back(home.talk.leases.give_up())
            self._depart(home)
            self._settle(there)
        return there is not None

    def _settle(self, home: int) -> None:
        self._home = home
        for n, talk in enumerate(self._talks):
            talk.at_home = n == home

    def _depart(self, part: RedisFrontier) -> None:
        """Tell all, as one who is not at work there."""
        part.talk.trip(0, 0.0, ("leave", [part.talk.worker]))

    # -- what becomes of them

    def record(self, key: bytes, page: SeenPage, relevant: bool = False) -> None:
        self._held.get(key, self.home).record(key, page, relevant)

    def done(self, key: bytes, responded: bool = True) -> None:
        part = self._held.pop(key, self.home)
        if part is not self.home:
            self.home.talk.trip()  # lest its end be told before its links
        part.done(key, responded)

    def drop(self, key: bytes) -> None:
        self._held.pop(key, self.home).drop(key)

    def release(self, key: bytes, counted: bool = True) -> None:
        self._held.pop(key, self.home).release(key, counted)

    # -- between the parts

    def _deliver(self, now: bool = False) -> None:
        if self._post and (self._post.gather() or now):
            self._post.deliver(self._name_sites)

    def _name_sites(self, talk: Talk, hosts: Sequence[str]) -> None:
        talk.out.sites |= talk.shared.sites(hosts)

    def sync(self) -> None:
        """Redis hears from this worker; what other parts hold of it is told when its own has heard all."""
        self.home.sync()
        for part in self._parts:
            talk = part.talk
            news = talk.out.pressing or talk.leases or talk.line.server.moved
            if news and part is not self.home and not self.home.talk.line.away:
                self._depart(part)
        if self._looks.due:
            self._looks.look(self._home)
        if monotonic() >= self._collected + HERE:
            self._collected = monotonic()
            for n, look in enumerate(self._looks.parts):
                if look is not None and look.outbox:
                    self._post.collect(n)
        self._deliver(now=True)
        if self.home.talk.out.delivered:
            self.home.sync()

    def quiet(self) -> bool:
        """All parts are looked at twice; what came and went in between shows in numbers that only rise."""
        if self._post or self.home.talk.out or any(talk.out.pressing for talk in self._talks):
            self.sync()
            return False
        return self._looks.quiet(self._home) and not self.elsewhere

    @property
    def elsewhere(self) -> int:
        """As all parts were when they were last looked at."""
        leased = (look.leased if look else 0 for look in self._looks.parts)
        return sum(max(0, n - len(t.leases) - t.out.ended) for n, t in zip(leased, self._talks, strict=True))

    @property
    def fetched(self) -> int:
        seen = (look.fetched if look else 0 for look in self._looks.parts)
        return sum(map(max, seen, (part.fetched for part in self._parts)))

    def best(self, hosts: Callable[[str], bool] = anywhere) -> float | None:
        """Whatever may come from a part that is away, or is on its way, is not known."""
        seen = (inf if look is None else look.best for look in self._looks.parts)
        return max((rank for rank in (self.home.best(hosts), *seen) if rank is not None), default=None)

    def wait(self) -> float:
        return self.home.wait()

    def polite(self, delay: Callable[[str], float], at_once: int) -> None:
        for part in self._parts:
            part.polite(delay, at_once)

    def observed(self) -> Iterator[SeenPage | Sequence[Mark]]:
        for part in self._parts:
            for told in part.observed():
                if isinstance(told, SeenPage):
                    yield told
                elif marks := [mark for mark in told if mark not in self._marks]:  # every part tells of it
                    self._marks.update(marks)
                    yield marks

    def close(self) -> None:
        self.sync()
        with ExitStack() as stack:
            stack.callback(self._common.server.close)
            for part in self._parts:
                if part is not self.home:
                    stack.callback(part.close)
            stack.callback(self.home.close)  # first: what others hold may be told as over then
