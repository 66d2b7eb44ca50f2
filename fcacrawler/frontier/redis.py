"""The frontier of a crawl that many workers share: all of it in Redis, in scripts that are atomic there.

A worker knows by heart the links that it has found itself, as far as they wait, and ranks those; what it has to tell is
kept until its next round trip, which fetches some leases ahead and what other workers have observed. So one round trip
serves several pages, and a page is known to all workers after one of theirs.
"""

from __future__ import annotations

import logging
import os
import socket
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from math import inf
from time import monotonic
from typing import Any

from fcacrawler.errors import BadRecord, BadStore
from fcacrawler.frontier import Entry, Sizes, finite
from fcacrawler.frontier.evidence import joined
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.records import dump_page, load_lines, load_page
from fcacrawler.frontier.redis_outbox import TOGETHER, Done, Outbox, Push
from fcacrawler.frontier.redis_server import Argument, Away, Call, Server
from fcacrawler.frontier.waiting import Waiting
from fcacrawler.items import Candidate, SeenPage

logger = logging.getLogger(__name__)

KNOWN = 20_000  # links that a worker knows by heart; twice as many at most
PATIENCE = 0.25  # seconds after which a worker that got no lease asks again
BREATH = 1.0  # seconds between two attempts to reach a Redis that is away
REFUSALS = 8  # how often in a row a lease may be given back because its host is not free here
READ = 100  # pages of others that are learned from at once


class RedisFrontier:
    """See ``Frontier``. ``add`` answers what waits as far as this worker knows; where others know more, ``grown`` says
    so after the next round trip."""

    keeps_items = False
    shared = True

    def __init__(
        self,
        url: str,
        name: str,
        options: FrontierOptions,
        crawl: Mapping[str, str],
        budget: int = 0,
        ahead: int = 4,
    ) -> None:
        """``budget``: responses of all workers; ``ahead``: leases that are fetched together."""
        self.options = options
        self.worker = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
        self._server = Server(url, f"fcacrawler:{{{name}}}:")
        self._budget, self._ahead = budget, ahead
        self._delay: Callable[[str], float] = lambda host: 0.0
        self._at_once = 1_000_000
        self._here = Waiting()  # what this worker knows by heart
        self._generations: dict[bytes, int] = {}  # of its records
        self._elsewhere: dict[bytes, None] = {}  # known not to wait: leased by others, done, dead; the latest
        self._ready: deque[Entry] = deque()  # leased, and not yet handed out
        self._leased: dict[bytes, Entry] = {}
        self._recorded: dict[bytes, bytes] = {}
        self._out = Outbox()
        self._grown: dict[bytes, Candidate] = {}
        self._pages: deque[bytes] = deque()
        self._read = "0-0"  # up to here in the log
        self._learned = 0
        self._state: list[Any] = [0, 0, 0, 0, b"", b""]  # see lease.lua
        self._arrivals = 0
        self._refused: set[str] = set()  # hosts from which this worker in particular cannot fetch now
        self._asked = inf  # the floor of the last question for a lease
        self._term = 1000 * options.lease
        self._ask_at = self._renew_at = self._away_until = -inf
        self._away_since: float | None = None
        self._open(name, crawl)

    def _open(self, name: str, crawl: Mapping[str, str]) -> None:
        ours = {"program": "fcacrawler", "version": "1", **{f"crawl.{k}": v for k, v in crawl.items()}}
        try:
            (answer,) = self._server.run([("open", [x for pair in ours.items() for x in pair])])
        except Away as e:
            raise BadStore(f"Redis does not answer: {e}") from None
        about = {k.decode(): v.decode() for k, v in zip(answer[::2], answer[1::2], strict=True)}
        for what, value in ours.items():
            if about.get(what) != value:
                told = f"its {what.removeprefix('crawl.')} is {about.get(what)!r}, not {value!r}"
                raise BadStore(f"the crawl {name!r} in Redis is another: {told}. Choose another name: FCA_CRAWL")
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
        ours = (self._ready, self._leased, self._out.done, self._out.released, self._out.unused)
        return max(0, int(self._state[0]) - sum(map(len, ours)))

    def polite(self, delay: Callable[[str], float], at_once: int) -> None:
        self._delay, self._at_once = delay, at_once

    def add(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        waiting: dict[bytes, Candidate] = {}
        for found in candidates:
            entry = self._here.entries.get(found.key)
            if entry is not None:
                waiting[found.key] = self._again(entry, found)
            elif found.key not in self._elsewhere:
                self._arrivals += 1
                self._here.put(Entry(found, 0.0, 0, self._arrivals))
                self._generations[found.key] = 1
                self._out.pushes[found.key] = Push(found, 1, list(found.evidence), 0.0, 0)
                waiting[found.key] = found
        return list(waiting.values())

    def _again(self, entry: Entry, found: Candidate) -> Candidate:
        candidate = joined(entry.candidate, found, self.options.evidence)
        if candidate != entry.candidate:
            self._here.change(replace(entry, candidate=candidate))
            push = self._out.pushes.get(found.key)
            if push is None:
                self._generations[found.key] += 1
                push = Push(candidate, self._generations[found.key], [], entry.rank, entry.epoch)
                self._out.pushes[found.key] = push
            push.candidate = candidate
            push.evidence += [e for e in found.evidence if e not in entry.candidate.evidence]
        return candidate

    def update(self, ranks: Sequence[tuple[bytes, float]], epoch: int) -> None:
        for key, rank in ranks:
            finite(rank)
            entry = self._here.entries.get(key)
            if entry is not None:
                self._here.change(Entry(entry.candidate, rank, epoch, entry.arrival, entry.attempts))
            push = self._out.pushes.get(key)
            if push is not None:
                push.rank, push.epoch = rank, epoch
            elif key not in self._elsewhere:
                self._out.ranks[key] = entry.candidate.host if entry else "", rank, epoch
        if len(self._here) > 2 * KNOWN:
            for key in self._here.worst(len(self._here) - KNOWN):
                if key not in self._out.pushes:
                    self._unlearn(key)

    def lease(self, free: Callable[[str], bool], floor: float) -> Entry | None:
        entry = self._pick(free, floor)
        still = {host for host in self._refused if not free(host)}
        changed = (self._out.urgent and not self._ready) or still != self._refused or floor < self._asked
        if entry is None and (changed or monotonic() >= self._ask_at):
            self._refused, self._asked = still, floor
            wanted = 1 if floor == -inf else self._ahead
            for _ in range(REFUSALS):
                held = len(self._ready)
                if not self._trip(wanted, floor) or (entry := self._pick(free, floor)) is not None:
                    break
                if len(self._ready) <= held:
                    break
                self._refuse(free)
        return entry

    def _pick(self, free: Callable[[str], bool], floor: float) -> Entry | None:
        for entry in self._ready:
            if entry.rank > floor and free(entry.candidate.host):
                self._ready.remove(entry)
                self._leased[entry.candidate.key] = entry
                return entry
        return None

    def _refuse(self, free: Callable[[str], bool]) -> None:
        """Leases for hosts that this worker in particular cannot fetch from now are given back, but for a few that it
        will need soon."""
        for entry in tuple(self._ready):
            if not free(entry.candidate.host):
                self._refused.add(entry.candidate.host)
                if len(self._ready) < self._ahead:
                    continue
                self._ready.remove(entry)
                self._out.unused.append(entry.candidate.key)
                self._waits_again(entry)

    def best(self) -> float | None:
        if self._out:
            self._trip()
        ranks = [e.rank for e in self._ready]
        if self._state[4] != b"":
            ranks.append(-float(self._state[4]))
        return max(ranks, default=None)

    def wait(self) -> float:
        return max(0.0, self._ask_at - monotonic())

    def top(self, n: int) -> list[Entry]:
        return list(self._entries(self._ask("top", n)))

    def at_hand(self, n: int) -> list[Entry]:
        return [self._here.entries[item[2]] for item in self._here.heaps.best(n)]

    def grown(self) -> list[Candidate]:
        grown, self._grown = list(self._grown.values()), {}
        return grown

    def record(self, key: bytes, page: SeenPage) -> None:
        self._recorded[key] = dump_page(page)

    def keep(self, key: bytes, item: str) -> None:
        """Items are in the workers' feeds."""

    def done(self, key: bytes, responded: bool = True) -> None:
        self._over(key, responded)

    def drop(self, key: bytes) -> None:
        self._over(key, responded=False, asked=False)

    def _over(self, key: bytes, responded: bool, asked: bool = True) -> None:
        entry = self._leased.pop(key, None)
        page = self._recorded.pop(key, b"")
        if entry is not None:
            self._out.done.append(Done(key, entry.candidate.host, responded, page, asked))
            self._remember(key)
            self._generations.pop(key, None)

    def release(self, key: bytes) -> None:
        self._recorded.pop(key, None)
        entry = self._leased.pop(key, None)
        if entry is not None:
            self._out.released.append((key, entry.candidate.host))
            if entry.attempts + 1 < self.options.attempts:
                self._waits_again(replace(entry, attempts=entry.attempts + 1))

    def dead(self) -> list[Entry]:
        return sorted(self._entries(self._ask("dead")), key=lambda e: e.arrival)

    def knows(self, key: bytes) -> bool:
        return key in self._here or key in self._elsewhere or bool(self._ask("knows", key)[0])

    def forget(self, key: bytes) -> None:
        self._ask("forget", key)
        self._leased.pop(key, None)
        self._elsewhere.pop(key, None)
        self._unlearn(key)
        self._trip()

    def sizes(self, floor: float) -> Sizes:
        above, waiting, leased, done, dead, evicted = self._ask("sizes", repr(-floor))
        return Sizes(above, waiting - above, leased, done, dead, evicted)

    def observed(self) -> Iterator[SeenPage]:
        while self._pages:
            record = self._pages.popleft()
            self._learned += 1
            try:
                yield load_page(record)
            except BadRecord as e:
                logger.error("a page in Redis is left out: %s", e)
            if not self._pages:
                self._trip()

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.top(2**31))

    def sync(self) -> None:
        """Redis hears from this worker, and this worker from the others."""
        self._trip()

    def close(self) -> None:
        self._out.unused += [e.candidate.key for e in self._ready]
        self._ready.clear()
        self._away_until = -inf
        try:
            if self._trip() and self._run([("leave", [self.worker])]) is not None:
                return
            logger.error("Redis does not answer: what is under way here is fetched again by others")
        except BadStore as e:
            logger.error("what is under way here is fetched again: %s", e)
        finally:
            self._server.close()

    # -- the round trip

    def _trip(self, wanted: int = 0, floor: float = 0.0) -> bool:
        """Tell all, and hear all: leases, how the crawl is, what others have learned. False: Redis is away."""
        now = monotonic()
        if now < self._away_until:
            return False
        out = self._out
        o = self.options
        told = list(out.calls(self.worker, o.evidence, o.attempts, o.shared_pages, self._pause))
        held = [*self._leased, *(e.candidate.key for e in self._ready)]
        if held and now >= self._renew_at:
            told.append(("renew", [self.worker, self._term, *held]))
        told.append(("learn", [self.worker, self._read, READ]))
        told.append(("lease", self._lease_arguments(wanted, floor)))
        answers = self._run(told)
        if answers is None:
            return False
        if now >= self._renew_at:
            self._renew_at = now + self.options.lease / 3
        if out.urgent:
            self._ask_at = -inf
        self._out = Outbox()
        for (name, _), answer in zip(told, answers, strict=True):
            self._hear(name, answer)
        self._make_room()
        if wanted:
            wait = self._state[5]
            quiet = min(PATIENCE, wait / 1000 if wait != b"" else inf)
            self._ask_at = -inf if len(answers[-1]) > len(self._state) else monotonic() + quiet
        return True

    def _pause(self, host: str) -> int:
        return int(1000 * self._delay(host))

    def _lease_arguments(self, wanted: int, floor: float) -> list[Argument]:
        o = self.options
        # without a delay, what is leased ahead or being read is beside what is being fetched: ``free`` sees to that
        spare = self._ahead + self._at_once if self._at_once > 1 else 0
        limits = [self._term, o.attempts, self._at_once + spare, self._budget, self._learned]
        return [self.worker, wanted, repr(-floor), *limits, *self._refused]

    def _hear(self, name: str, answer: Any) -> None:
        if name == "push":
            for key, record in zip(answer[::2], answer[1::2], strict=True):
                self._corrected(key, record)
        elif name == "rank":
            for key in answer:
                self._corrected(key, b"")
        elif name == "learn":
            self._read = answer[0]
            self._pages.extend(answer[1:])
        elif name == "lease":
            self._state = answer[:6]
            for entry in self._entries(answer[6:]):
                generation = self._generations[entry.candidate.key]
                self._remember(entry.candidate.key)
                self._generations[entry.candidate.key] = generation  # it may be given back, and found again
                self._ready.append(entry)

    def _entries(self, answer: Sequence[Any]) -> Iterator[Entry]:
        for key, record, score, epoch, arrival, attempts in zip(*[iter(answer)] * 6, strict=True):
            try:
                candidate, self._generations[key] = load_lines(key, record)
            except BadRecord as e:
                logger.error("a link in Redis is left out: %s", e)
                self._out.done.append(Done(key, "", False, b""))
                continue
            yield Entry(candidate, -float(score), int(epoch), int(arrival), int(attempts))

    def _corrected(self, key: bytes, record: bytes) -> None:
        """Others know more of this link than this worker did."""
        entry = self._here.entries.get(key)
        if entry is None:
            return
        if not record:
            self._remember(key)
            return
        candidate, self._generations[key] = load_lines(key, record)
        self._here.change(replace(entry, candidate=candidate))
        self._grown[key] = candidate

    def _remember(self, key: bytes) -> None:
        """It does not wait."""
        self._unlearn(key)
        self._elsewhere[key] = None
        if len(self._elsewhere) > 2 * KNOWN:
            for old in list(islice(self._elsewhere, KNOWN)):
                if old not in self._leased:
                    del self._elsewhere[old]

    def _waits_again(self, entry: Entry) -> None:
        self._here.put(entry)
        self._elsewhere.pop(entry.candidate.key, None)

    def _unlearn(self, key: bytes) -> None:
        if key in self._here:
            self._here.take(key)
            self._generations.pop(key, None)

    def _make_room(self) -> None:
        size, waiting = self.options.frontier_size, int(self._state[1])
        surplus = waiting - (size - size // 10) if size and waiting > size else 0
        while surplus > 0:
            (gone,) = self._run([("evict", [min(surplus, TOGETHER)])]) or ([],)
            for key in gone:
                self._remember(key)
            surplus = surplus - len(gone) if gone else 0

    def _ask(self, name: str, *arguments: Argument) -> Any:
        """Something that cannot wait for the next round trip."""
        if self._out:
            self._trip()
        answers = self._run([(name, arguments)])
        if answers is None:
            raise BadStore("Redis does not answer")
        return answers[0]

    def _run(self, calls: Sequence[Call]) -> list[Any] | None:
        try:
            answers = self._server.run(calls)
        except Away as e:
            self._away_until = monotonic() + BREATH
            if self._away_since is None:
                self._away_since = monotonic()
                logger.warning("Redis does not answer (%s): the crawl pauses until it does", e)
            return None
        if self._away_since is not None:
            logger.warning("Redis answers again after %.0f s: the crawl goes on", monotonic() - self._away_since)
            self._away_since = None
        return answers
