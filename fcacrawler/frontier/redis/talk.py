"""What a worker and Redis say to each other in a round trip: all that is new, and what others have done meanwhile.

Why so: decision 152.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from math import inf
from time import monotonic
from typing import Any, NamedTuple

from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.redis.budgets import Shared
from fcacrawler.frontier.redis.joining import Joining
from fcacrawler.frontier.redis.known import Known
from fcacrawler.frontier.redis.leases import Leases, leases_of
from fcacrawler.frontier.redis.line import Line
from fcacrawler.frontier.redis.log import READ, Log
from fcacrawler.frontier.redis.outbox import TOGETHER, Done, Outbox, Posted
from fcacrawler.frontier.redis.records import Told, dump_rank, load_rank
from fcacrawler.frontier.redis.server import Argument, Call, Server, worker_name

KEPT = 5000  # links posted, or twice as many, that are told again to a Redis that has forgotten the latest
BRIEF, PATIENCE = 0.005, 0.25  # seconds after which a worker that got no lease asks again: at first, and at most


class State(NamedTuple):
    """How the crawl was when leases were last asked for: see lease.lua."""

    leased: int = 0
    waiting: int = 0
    done: int = 0
    fetched: int = 0
    best: float | None = None  # the highest rank that waits
    next_host: float = inf  # seconds until it is free


def state_of(answer: Sequence[Any]) -> State:
    leased, waiting, done, fetched, best, next_host = answer
    seconds = next_host / 1000 if next_host != b"" else inf
    return State(leased, waiting, done, fetched, load_rank(best) if best else None, seconds)


class Talk:
    """``out`` is what there is to tell; ``ask_at``: from when on it is worth asking again for leases; ``epoch``: of the
    knowledge that this worker ranks with."""

    def __init__(self, server: Server, options: FrontierOptions, joining: Joining) -> None:
        self.worker = worker_name()
        self.line = Line(server)
        self.out = Outbox()
        self.known, self.leases, self.log = Known(options.evidence), Leases(), Log()
        self.shared = Shared(joining.site_of)
        self.state = State()
        self.delay: Callable[[str], float] = lambda host: 0.0
        self.at_once = 1_000_000
        self.ask_at = self.hold_at = -inf
        self.epoch = 0
        self.at_home = options.parts == 1  # if not, only what a look brings is heard of what is read here
        self.posted: list[tuple[Sequence[Argument], list[bytes]]] = []  # what post.lua was told, and has answered
        self._posts: dict[bytes, Posted] = {}  # the latest
        self._options = options
        self._budget, self._ahead, self._seeds = joining.budget, joining.ahead, round(1000 * joining.seeds)
        self._patience, self._wanted = BRIEF, 0

    def trip(self, wanted: int = 0, floor: float = 0.0, *more: Call) -> list[Any] | None:
        """Tell all, and hear all: leases, how the crawl is, what others have learned; and what ``more`` answers. None:
        Redis is away, and hears it at the next trip."""
        if self.line.server.moved:
            self._tell_again()
        told = self._all(wanted, floor)
        answers = self.line.run([*told, *more])
        if answers is None:
            self.hold_at = -inf  # it may have leased something to us, and its answer got lost
            return None
        now = monotonic()
        if now >= self.hold_at:
            self.hold_at = now + self._options.lease / 3
        if self.out.urgent:
            self.ask_at = -inf
        self._keep(self.out.posts)
        self.out, self._wanted = Outbox(), wanted
        for (name, arguments), answer in zip(told, answers, strict=False):
            if name == "post":
                self.posted.append((arguments, answer))
            else:
                self.hear(name, answer)
        self._make_room()
        if self.line.server.moved:  # it was found out in this trip
            self.trip()
        return answers[len(told) :]

    def _tell_again(self) -> None:
        """What a Redis that took over, or has started again, may not have heard of."""
        self.line.server.moved, self.hold_at = False, -inf
        self.known.tell_again(self.out)
        self.out.posts = self._posts | self.out.posts

    def _keep(self, posts: Mapping[bytes, Posted]) -> None:
        self._posts |= posts
        if len(self._posts) > 2 * KEPT:
            self._posts = dict(islice(self._posts.items(), len(self._posts) - KEPT, None))

    def _all(self, wanted: int, floor: float) -> list[Call]:
        told: list[Call] = [*self.out.back(self.worker), *self._links()]
        told += self.out.leases(self.worker, self._options, self.delay)
        if monotonic() >= self.hold_at:
            held: list[Argument] = [self.worker, *self.leases.keys()]
            told.append(("hold", held))
        if self.at_home:
            told.append(("learn", [self.worker, self.log.heard, READ, self.log.marked]))
        return [*told, ("lease", self._lease_arguments(wanted, floor))]

    def _links(self) -> Iterator[Call]:
        return self.out.links(self._options, self.known.here.entries, self.known.generation)

    def _lease_arguments(self, wanted: int, floor: float) -> list[Argument]:
        o = self._options
        # without a delay, what is leased ahead or being read is beside what is being fetched: ``free`` sees to that
        spare = self._ahead + self.at_once if self.at_once > 1 else 0
        limits = [1000 * o.lease, o.attempts, self.at_once + spare, self._budget]
        learned: list[Argument] = [self.log.learned, self.log.known, self._seeds]
        return [self.worker, wanted, dump_rank(floor), *limits, *learned, *self.leases.refused]

    def look(self, *calls: Call) -> list[Any] | None:
        """What these answer to one who is not at work here; ranks are told on the way."""
        ranks = list(self.out.changes())
        answers = self.line.run([*ranks, *calls])
        if answers is None:
            return None
        for answer in answers[: len(ranks)]:
            self.hear("rank", answer)
        self.out.ranks = {}
        return answers[len(ranks) :]

    def hear(self, name: str, answer: Any) -> None:
        if name == "push":
            for told in zip(answer[::3], answer[1::3], answer[2::3], strict=True):
                self.known.corrected(*told)
        elif name == "rank":
            for key in answer:
                self.known.corrected(key)
        elif name == "learn":
            self.log.hear(answer)
        elif name == "lease":
            *figures, left_out = answer[: len(State._fields) + 1]
            leases = answer[len(State._fields) + 1 :]
            self.state = state_of(figures)
            self.shared.hear(left_out)
            for lease in self.loaded(leases):
                candidate = lease.entry.candidate
                theirs = candidate.depth and candidate.key not in self.known.here  # seeds stay where they were put
                if theirs and lease.entry.epoch < self.epoch:
                    self.give_back([lease])
                    self.known.outdated.append(candidate.key)
                else:
                    self.known.gone(candidate.key)
                    self.leases.ready.append(lease)
            self._wait(bool(leases))

    def give_back(self, leases: Iterable[Told]) -> None:
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
            self.ask_at = monotonic() + min(self._patience, self.state.next_host)

    def loaded(self, answer: Sequence[Any]) -> Iterator[Told]:
        return leases_of(answer, lambda key: self.out.done.append(Done(key, "", False, b"")))

    def _make_room(self) -> None:
        size, waiting = self._options.frontier_size, self.state.waiting
        surplus = waiting - (size - size // 10) if size and waiting > size else 0
        while surplus > 0:
            (gone,) = self.line.run([("evict", [min(surplus, TOGETHER)])]) or [()]
            for key in gone:
                self.known.gone(key)
            surplus = surplus - len(gone) if gone else 0

    def ask(self, name: str, *arguments: Argument) -> Any:
        """Something that cannot wait for the next round trip; None while Redis is away."""
        if self.out and self._options.frontier_size:
            self.trip()  # after which the worst may have to go
        answers = self.trip(0, 0.0, (name, arguments))
        return answers and answers[0]
