"""The frontier of a crawl that many workers share: all of it in Redis, in scripts that are atomic there.

A worker knows by heart the links that it has found itself, as far as they wait, and ranks those; what it has to tell is
kept until its next round trip, which fetches some leases ahead and what other workers have observed. So one round trip
serves several pages, and a page is known to all workers after one of theirs.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from math import inf
from time import monotonic
from typing import Any

from fcacrawler.errors import BadRecord, BadStore
from fcacrawler.frontier import Entry, Sizes, anywhere, finite
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.records import dump_page
from fcacrawler.frontier.redis_budgets import Shared
from fcacrawler.frontier.redis_known import Known
from fcacrawler.frontier.redis_leases import Lease, Leases, leases_of
from fcacrawler.frontier.redis_log import READ, Log
from fcacrawler.frontier.redis_outbox import TOGETHER, Done, Outbox
from fcacrawler.frontier.redis_server import Argument, Call, Patient, Server, closed_if_bad, worker_name
from fcacrawler.frontier.together import Together
from fcacrawler.items import Candidate, SeenPage

logger = logging.getLogger(__name__)

PATIENCE = 0.25  # seconds after which a worker that got no lease asks again
EARLY = 20  # pages after which a crawl's ranks last long enough for one lease more ahead
REFUSALS = 8  # how often in a row a lease may be given back because its host is not free here


class RedisFrontier(Together):
    """See ``Frontier``. ``add`` answers what waits as far as this worker knows; where others know more, ``grown`` says
    so after the next round trip."""

    def __init__(
        self,
        url: str,
        name: str,
        options: FrontierOptions,
        crawl: Mapping[str, str],
        budget: int = 0,
        ahead: int = 6,
        seeds: float = 0,
        site_of: Callable[[str], str] | None = None,
    ) -> None:
        """``crawl``: what all workers must have the same, "host budget" and "site budget" (needs ``site_of``) included;
        ``budget``: responses of all; ``ahead``: leases fetched together at most; ``seeds``: seconds from the first
        lease on for which nothing else leaves while what ranks 1 is being fetched."""
        self.options = options
        self.worker = worker_name()
        self._server = Server(url, f"fcacrawler:{{{name}}}:")
        self._line = Patient(self._server)
        self._budget, self._ahead, self._lot, self._seeds = budget, ahead, 1, round(1000 * seeds)
        self._delay: Callable[[str], float] = lambda host: 0.0
        self._at_once = 1_000_000
        self._known = Known(options.evidence)
        self._out, self._leases, self._log = Outbox(), Leases(), Log()
        self._shared = Shared(site_of)
        self._recorded: dict[bytes, bytes] = {}
        self._state: list[Any] = [0, 0, 0, 0, b"", b"", []]  # see lease.lua
        self._sizes = Sizes(0, 0, 0, 0, 0)
        self._asked = inf  # the floor of the last question for a lease
        self._ask_at = self._hold_at = -inf
        with closed_if_bad(self._server):
            self._server.claim(name, crawl)
            self._trip()

    @property
    def trips(self) -> int:
        """Round trips so far."""
        return self._server.trips

    # -- what is asked of every frontier

    @property
    def fetched(self) -> int:
        return int(self._state[3]) + sum(d.responded for d in self._out.done)

    @property
    def elsewhere(self) -> int:
        out = self._out
        ours = len(self._leases) + len(out.done) + len(out.released) + len(out.unused)
        return max(0, int(self._state[0]) - ours)

    def polite(self, delay: Callable[[str], float], at_once: int) -> None:
        self._delay, self._at_once = delay, at_once

    def add(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        self._out.sites |= self._shared.sites(candidates)
        return self._known.add(candidates, self._out)

    def heard(self, candidates: Sequence[Candidate]) -> None:
        self._known.heard(candidates)

    def update(self, ranks: Sequence[tuple[bytes, float]], epoch: int) -> None:
        self._known.update([(key, finite(rank)) for key, rank in ranks], epoch, self._out)

    def lease(self, free: Callable[[str], bool], floor: float) -> Entry | None:
        leases = self._leases
        if leases.overtaken(free, self._known.entries((*self._out.news, *self._out.ranks))):
            self._give_back(leases.give_up())
            self._lot = 1
        entry = leases.pick(free, floor)
        if entry is None and (self._may_have_changed(free, floor) or monotonic() >= self._ask_at):
            self._asked = floor
            wanted, most = 1 if floor == -inf else self._lot, 1 + self.fetched // EARLY
            self._lot = min(self._ahead, 2 * self._lot, most)
            for _ in range(REFUSALS):
                held = len(leases.ready)
                if self._trip(wanted, floor) is None or (entry := leases.pick(free, floor)) is not None:
                    break
                if len(leases.ready) <= held:
                    break
                self._give_back(leases.refuse(free, self._ahead))
        return entry

    def _give_back(self, leases: Iterable[Lease]) -> None:
        """They wait again, and may be ranked again."""
        for entry, generation in leases:
            self._out.unused.append(entry.candidate.key)
            self._known.back(entry, generation)

    def _may_have_changed(self, free: Callable[[str], bool], floor: float) -> bool:
        """Is there reason to ask for leases again?"""
        news = self._out.urgent and not self._leases.ready
        return not self._leases.still_refused(free) or news or floor < self._asked

    def best(self, hosts: Callable[[str], bool] = anywhere) -> float | None:
        if self._out:
            self._trip()
        if self._line.away:
            return inf  # whatever may have come from others
        ranks = [entry.rank for entry, _ in self._leases.ready]
        if self._state[4] != b"":
            ranks.append(-float(self._state[4]))
        return max(ranks, default=None)

    def wait(self) -> float:
        return max(0.0, self._ask_at - monotonic())

    def top(self, n: int) -> list[Entry]:
        return [entry for entry, _ in self._loaded(self._ask("top", n) or ())]

    def at_hand(self, n: int) -> list[Entry]:
        self._give_back(self._leases.give_up())  # lest they leave by ranks that are no longer thought right
        here = self._known.here
        return [here.entries[item[2]] for item in here.heaps.best(n)]

    def grown(self) -> list[Candidate]:
        grown, self._known.grown = list(self._known.grown.values()), {}
        return grown

    def record(self, key: bytes, page: SeenPage) -> None:
        self._recorded[key] = dump_page(page)

    def done(self, key: bytes, responded: bool = True) -> None:
        self._over(key, responded)

    def drop(self, key: bytes) -> None:
        self._over(key, responded=False, asked=False)

    def _over(self, key: bytes, responded: bool, asked: bool = True) -> None:
        lease = self._leases.take(key)
        page = self._recorded.pop(key, b"")
        if lease is not None:
            self._out.done.append(Done(key, lease[0].candidate.host, responded, page, asked))

    def release(self, key: bytes) -> None:
        self._recorded.pop(key, None)
        lease = self._leases.take(key)
        if lease is not None:
            entry, generation = lease
            self._out.released.append((key, entry.candidate.host))
            attempts = entry.attempts + 1
            if attempts < self.options.attempts:
                self._known.back(Entry(entry.candidate, entry.rank, entry.epoch, entry.arrival, attempts), generation)

    def dead(self) -> list[Entry]:
        return sorted((entry for entry, _ in self._loaded(self._ask("dead") or ())), key=lambda e: e.arrival)

    def knows(self, key: bytes) -> bool:
        return key in self._known or self._ask("knows", key) == [1]

    def forget(self, key: bytes) -> None:
        self._ask("forget", key)
        self._leases.take(key)
        self._known.forget(key)

    def sizes(self, floor: float) -> Sizes:
        """As they were last, if Redis cannot tell."""
        with suppress(BadStore, BadRecord):
            if counted := self._ask("sizes", repr(-floor)):
                above, waiting, *ends = counted
                self._sizes = Sizes(above, waiting - above, *ends)
        return self._sizes

    def left_out(self) -> Mapping[str, int]:
        return self._shared.left_out()

    def observed(self) -> Iterator[SeenPage]:
        while self._log:
            more = len(self._log) >= READ
            yield from self._log.pages()
            if more:
                self._trip()

    def sync(self) -> None:
        """Redis hears from this worker, and this worker from the others."""
        self._trip()

    def close(self) -> None:
        self._give_back(self._leases.give_up())
        self._line.away_until = -inf
        try:
            if self._trip(0, 0.0, ("leave", [self.worker])) is None:
                logger.error("Redis does not answer: what is under way here is fetched again by others")
        except BadStore as e:
            logger.error("what is under way here is fetched again: %s", e)
        finally:
            self._server.close()

    # -- the round trip

    def _trip(self, wanted: int = 0, floor: float = 0.0, *more: Call) -> list[Any] | None:
        """Tell all, and hear all: leases, how the crawl is, what others have learned; and what ``more`` answers. None:
        Redis is away."""
        now = monotonic()
        out = self._out
        known = self._known
        told = list(out.calls(self.worker, self.options, known.here.entries, known.generation, self._delay))
        if now >= self._hold_at:
            told.append(("hold", [self.worker, *self._leases.keys()]))
        told.append(("learn", [self.worker, self._log.heard, READ]))
        told.append(("lease", self._lease_arguments(wanted, floor)))
        answers = self._line.run([*told, *more])
        if answers is None:
            self._hold_at = -inf  # it may have leased something to us, and its answer got lost
            return None
        if now >= self._hold_at:
            self._hold_at = now + self.options.lease / 3
        if out.urgent:
            self._ask_at = -inf
        self._out = Outbox()
        for (name, _), answer in zip(told, answers, strict=False):
            self._hear(name, answer)
        self._make_room()
        if wanted:
            wait = self._state[5]
            quiet = min(PATIENCE, wait / 1000 if wait != b"" else inf)
            got = len(answers[len(told) - 1]) > len(self._state)
            self._ask_at = -inf if got else monotonic() + quiet
        return answers[len(told) :]

    def _lease_arguments(self, wanted: int, floor: float) -> list[Argument]:
        o = self.options
        # without a delay, what is leased ahead or being read is beside what is being fetched: ``free`` sees to that
        spare = self._ahead + self._at_once if self._at_once > 1 else 0
        limits = [1000 * o.lease, o.attempts, self._at_once + spare, self._budget, self._log.learned, self._seeds]
        return [self.worker, wanted, repr(-floor), *limits, *self._leases.refused]

    def _hear(self, name: str, answer: Any) -> None:
        if name == "push":
            for key, record in zip(answer[::2], answer[1::2], strict=True):
                self._known.corrected(key, record)
        elif name == "rank":
            for key in answer:
                self._known.corrected(key, b"")
        elif name == "learn":
            self._log.hear(answer)
        elif name == "lease":
            self._state = answer[:7]
            self._shared.hear(answer[6])
            for lease in self._loaded(answer[7:]):
                self._known.gone(lease[0].candidate.key)
                self._leases.ready.append(lease)

    def _loaded(self, answer: Sequence[Any]) -> Iterator[Lease]:
        return leases_of(answer, lambda key: self._out.done.append(Done(key, "", False, b"")))

    def _make_room(self) -> None:
        size, waiting = self.options.frontier_size, int(self._state[1])
        surplus = waiting - (size - size // 10) if size and waiting > size else 0
        while surplus > 0:
            (gone,) = self._line.run([("evict", [min(surplus, TOGETHER)])]) or ([],)
            for key in gone:
                self._known.gone(key)
            surplus = surplus - len(gone) if gone else 0

    def _ask(self, name: str, *arguments: Argument) -> Any:
        """Something that cannot wait for the next round trip; None while Redis is away."""
        if self._out and self.options.frontier_size:
            self._trip()  # after which the worst may have to go
        answers = self._trip(0, 0.0, (name, arguments))
        return answers and answers[0]
