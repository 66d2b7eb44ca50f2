"""What a worker and Redis say to each other: links alone, or all that is new with a question for leases; and whether
the answer is waited for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from time import monotonic
from typing import Any

from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.redis.budgets import Shared
from fcacrawler.frontier.redis.known import Known
from fcacrawler.frontier.redis.leases import Lease, Leases, leases_of
from fcacrawler.frontier.redis.line import Line
from fcacrawler.frontier.redis.log import READ, Log
from fcacrawler.frontier.redis.outbox import TOGETHER, Done, Outbox
from fcacrawler.frontier.redis.records import dump_rank, load_link
from fcacrawler.frontier.redis.server import Argument, Call, Server, worker_name

BRIEF, PATIENCE = 0.005, 0.25  # seconds after which a worker that got no lease asks again: at first, and at most


class Talk:
    """``state`` is how the crawl was when leases were last asked for, see lease.lua; ``ask_at``: from when on it is
    worth asking again; ``epoch``: of the knowledge that this worker ranks with."""

    def __init__(
        self, server: Server, options: FrontierOptions, shared: Shared, budget: int, ahead: int, seeds: float
    ) -> None:
        self.worker = worker_name()
        self.line = Line(server)
        self.out, self.said = Outbox(), Outbox()  # to be told; told, and not yet counted in ``state``
        self.known, self.leases, self.log = Known(options.evidence), Leases(), Log()
        self.shared = shared
        self.state: list[Any] = [0, 0, 0, 0, b"", b"", []]
        self.delay: Callable[[str], float] = lambda host: 0.0
        self.at_once = 1_000_000
        self.ask_at = self.hold_at = -inf
        self.epoch = 0
        self._options = options
        self._budget, self._ahead, self._seeds = budget, ahead, round(1000 * seeds)
        self._patience, self._wanted = BRIEF, 0

    def tell(self) -> None:
        """Of links, without waiting for an answer."""
        out = self.out
        if not out.unused and self.line.tell([*self._links(), self._learn()]):
            out.told += (*out.news, *out.ranks)
            out.news, out.ranks, out.sites = {}, {}, {}
            self.ask_at = -inf

    def ask_ahead(self, wanted: int, floor: float) -> bool:
        """Tell all and ask for leases, without waiting for them; False: it is not the time."""
        too_early = monotonic() < self.ask_at and not self.out.urgent
        if self.line.busy or too_early or not self.line.tell(self._all(wanted, floor)):
            return False
        self._said(wanted)
        return True

    def hear(self) -> None:
        """The answers to what was told, if they are there."""
        if not self.line.waiting:
            self.settle()

    def settle(self) -> None:
        """Hear the answers to what was told."""
        asked = self.line.busy
        for name, answer in self.line.heard():
            self._hear(name, answer)
        if asked and self.line.away:
            self.hold_at = -inf  # it may have leased something to us

    def trip(self, wanted: int = 0, floor: float = 0.0, *more: Call) -> list[Any] | None:
        """Tell all, and hear all: leases, how the crawl is, what others have learned; and what ``more`` answers. None:
        Redis is away."""
        self.settle()
        answers = self.line.run([*self._all(wanted, floor), *more])
        if answers is None:
            self.hold_at = -inf  # it may have leased something to us, and its answer got lost
            return None
        self._said(wanted)
        last = len(answers) - len(more)
        for name, answer in answers[:last]:
            self._hear(name, answer)
        self._make_room()
        return [answer for _, answer in answers[last:]]

    def _all(self, wanted: int, floor: float) -> list[Call]:
        told: list[Call] = [*self.out.back(self.worker), *self._links()]
        told += self.out.leases(self.worker, self._options, self.delay)
        if monotonic() >= self.hold_at:
            held: list[Argument] = [self.worker, *self.leases.keys()]
            told.append(("hold", held))
        return [*told, self._learn(), ("lease", self._lease_arguments(wanted, floor))]

    def _said(self, wanted: int) -> None:
        """All has been told, and Redis asked how the crawl is now."""
        now = monotonic()
        if now >= self.hold_at:
            self.hold_at = now + self._options.lease / 3
        if self.out.urgent:
            self.ask_at = -inf
        self.said, self.out, self._wanted = self.out, Outbox(), wanted

    def _links(self) -> Iterator[Call]:
        return self.out.links(self._options, self.known.here.entries, self.known.generation)

    def _learn(self) -> Call:
        return "learn", [self.worker, self.log.heard, READ]

    def _lease_arguments(self, wanted: int, floor: float) -> list[Argument]:
        o = self._options
        # without a delay, what is leased ahead or being read is beside what is being fetched: ``free`` sees to that
        spare = self._ahead + self.at_once if self.at_once > 1 else 0
        limits = [1000 * o.lease, o.attempts, self.at_once + spare, self._budget]
        learned: list[Argument] = [self.log.learned, self.log.known, self._seeds]
        return [self.worker, wanted, dump_rank(floor), *limits, *learned, *self.leases.refused]

    def _hear(self, name: str, answer: Any) -> None:
        if name == "push":
            for told in zip(answer[::3], answer[1::3], answer[2::3], strict=True):
                self.known.corrected(*told)
        elif name == "rank":
            for key in answer:
                self.known.corrected(key)
        elif name == "learn":
            self.log.hear(answer)
        elif name == "lease":
            self.state, self.said = answer[:7], Outbox()
            self.shared.hear(answer[6])
            for lease in self.loaded(answer[7:]):
                candidate = lease[0].candidate
                theirs = candidate.depth and candidate.key not in self.known.here  # seeds stay where they were put
                if theirs and lease[0].epoch < self.epoch:
                    self.give_back([lease])
                    self.known.outdated.append(candidate.key)
                else:
                    self.known.gone(candidate.key)
                    self.leases.ready.append(lease)
            self._wait(len(answer) > len(self.state))

    def give_back(self, leases: Iterable[Lease]) -> None:
        """They wait again, and may be ranked again."""
        for entry, generation in leases:
            self.out.unused.append(entry.candidate.key)
            self.known.back(entry, generation)

    def _wait(self, got: bool) -> None:
        """How long it is not worth asking again."""
        if got:
            self.ask_at, self._patience = -inf, BRIEF
        elif self._wanted:
            self._patience = min(PATIENCE, 2 * self._patience)
            next_host = self.state[5] / 1000 if self.state[5] != b"" else inf
            self.ask_at = monotonic() + min(self._patience, next_host)

    def loaded(self, answer: Sequence[Any]) -> Iterator[Lease]:
        return leases_of(answer, lambda key: self.out.done.append(Done(key, "", False, b"")), self._load)

    def _load(self, key: bytes, record: bytes, more: bytes) -> Lease:
        """What has been found of it and not been told is in no generation yet."""
        return load_link(key, record, more, None if key in self.out.news else self.known.by_heart(key))

    def _make_room(self) -> None:
        size, waiting = self._options.frontier_size, int(self.state[1])
        surplus = waiting - (size - size // 10) if size and waiting > size else 0
        while surplus > 0:
            gone = (self.line.run([("evict", [min(surplus, TOGETHER)])]) or [("evict", [])])[0][1]
            for key in gone:
                self.known.gone(key)
            surplus = surplus - len(gone) if gone else 0

    def ask(self, name: str, *arguments: Argument) -> Any:
        """Something that cannot wait for the next round trip; None while Redis is away."""
        if self.out and self._options.frontier_size:
            self.trip()  # after which the worst may have to go
        answers = self.trip(0, 0.0, (name, arguments))
        return answers and answers[0]
