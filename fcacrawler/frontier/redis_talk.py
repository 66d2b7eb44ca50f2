"""What a worker and Redis say to each other: links as soon as they are ranked, without waiting for an answer; all else
with the next question for leases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf
from time import monotonic
from typing import Any

from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.redis_budgets import Shared
from fcacrawler.frontier.redis_known import Known
from fcacrawler.frontier.redis_leases import Lease, Leases, leases_of
from fcacrawler.frontier.redis_line import Line
from fcacrawler.frontier.redis_log import READ, Log
from fcacrawler.frontier.redis_outbox import TOGETHER, Done, Outbox
from fcacrawler.frontier.redis_server import Argument, Call, Server, worker_name

BRIEF, PATIENCE = 0.005, 0.25  # seconds after which a worker that got no lease asks again: at first, and at most


class Talk:
    """``state`` is how the crawl was when leases were last asked for, see lease.lua; ``ask_at``: from when on it is
    worth asking again."""

    def __init__(
        self, server: Server, options: FrontierOptions, shared: Shared, budget: int, ahead: int, seeds: float
    ) -> None:
        self.worker = worker_name()
        self.line = Line(server)
        self.out, self.known, self.leases, self.log = Outbox(), Known(options.evidence), Leases(), Log()
        self.shared = shared
        self.state: list[Any] = [0, 0, 0, 0, b"", b"", []]
        self.delay: Callable[[str], float] = lambda host: 0.0
        self.at_once = 1_000_000
        self.ask_at = self.hold_at = -inf
        self._options = options
        self._budget, self._ahead, self._seeds = budget, ahead, round(1000 * seeds)
        self._patience = BRIEF

    def tell(self) -> None:
        """Of links, without waiting for an answer."""
        out = self.out
        if not out.unused and self.line.tell([*self._links(), self._learn()]):
            out.told += (*out.news, *out.ranks)
            out.news, out.ranks, out.sites = {}, {}, {}
            self.ask_at = -inf

    def settle(self) -> None:
        """Hear the answers to what was told."""
        for name, answer in self.line.heard():
            self._hear(name, answer)

    def trip(self, wanted: int = 0, floor: float = 0.0, *more: Call) -> list[Any] | None:
        """Tell all, and hear all: leases, how the crawl is, what others have learned; and what ``more`` answers. None:
        Redis is away."""
        self.settle()
        now = monotonic()
        out = self.out
        told: list[Call] = [*out.back(self.worker), *self._links(), *out.leases(self.worker, self._options, self.delay)]
        if now >= self.hold_at:
            held: list[Argument] = [self.worker, *self.leases.keys()]
            told.append(("hold", held))
        told += [self._learn(), ("lease", self._lease_arguments(wanted, floor))]
        answers = self.line.run([*told, *more])
        if answers is None:
            self.hold_at = -inf  # it may have leased something to us, and its answer got lost
            return None
        if now >= self.hold_at:
            self.hold_at = now + self._options.lease / 3
        if out.urgent:
            self.ask_at = -inf
        self.out = Outbox()
        before = len(self.leases)
        last = len(answers) - len(more)
        for name, answer in answers[:last]:
            self._hear(name, answer)
        self._make_room()
        if wanted:
            wait = self.state[5]
            self._patience = BRIEF if len(self.leases) > before else min(PATIENCE, 2 * self._patience)
            quiet = min(self._patience, wait / 1000 if wait != b"" else inf)
            self.ask_at = -inf if len(self.leases) > before else monotonic() + quiet
        return [answer for _, answer in answers[last:]]

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
        return [self.worker, wanted, repr(-floor), *limits, *learned, *self.leases.refused]

    def _hear(self, name: str, answer: Any) -> None:
        if name == "push":
            for key, record in zip(answer[::2], answer[1::2], strict=True):
                self.known.corrected(key, record)
        elif name == "rank":
            for key in answer:
                self.known.corrected(key, b"")
        elif name == "learn":
            self.log.hear(answer)
        elif name == "lease":
            self.state = answer[:7]
            self.shared.hear(answer[6])
            for lease in self.loaded(answer[7:]):
                self.known.gone(lease[0].candidate.key)
                self.leases.ready.append(lease)

    def loaded(self, answer: Sequence[Any]) -> Iterator[Lease]:
        return leases_of(answer, lambda key: self.out.done.append(Done(key, "", False, b"")))

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
