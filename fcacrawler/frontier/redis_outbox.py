"""What a worker has to tell Redis at its next round trip."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain

from fcacrawler.frontier.records import dump_evidence, dump_head
from fcacrawler.frontier.redis_server import Argument, Call
from fcacrawler.items import Candidate, Evidence

TOGETHER = 500  # links that one script takes: it keeps everyone else waiting


@dataclass(slots=True)
class Push:
    """A link found, or found again."""

    candidate: Candidate
    generation: int  # of its record after this, if nobody else has found it meanwhile
    evidence: list[Evidence]  # that Redis does not have
    rank: float
    epoch: int


@dataclass(frozen=True, slots=True)
class Done:
    """A fetch that is over."""

    key: bytes
    host: str
    responded: bool
    page: bytes
    asked: bool = True  # False: the host was not


@dataclass(slots=True)
class Outbox:
    """Buffered news. ``calls`` puts the children before their parent's end, so that a kill in between loses nothing."""

    pushes: dict[bytes, Push] = field(default_factory=dict)
    ranks: dict[bytes, tuple[str, float, int]] = field(default_factory=dict)  # host ("" if unknown), rank, epoch
    done: list[Done] = field(default_factory=list)
    released: list[tuple[bytes, str]] = field(default_factory=list)  # with their hosts
    unused: list[bytes] = field(default_factory=list)  # leases of which nothing came: they do not count as attempts

    def __bool__(self) -> bool:
        return bool(self.pushes or self.ranks or self.done or self.released or self.unused)

    @property
    def urgent(self) -> bool:
        """Something that may make more links leave."""
        return bool(self.pushes or self.ranks or self.done or self.released)

    def calls(self, worker: str, evidence: int, attempts: int, log: int, pause: Callable[[str], int]) -> Iterator[Call]:
        """``pause``: how many milliseconds a host is to be left alone after a fetch."""
        pushes, ranks = list(self.pushes.values()), list(self.ranks.items())
        over: list[Argument] = []
        for i in range(0, len(pushes), TOGETHER):
            yield "push", [evidence, *chain.from_iterable(map(_push, pushes[i : i + TOGETHER]))]
        for i in range(0, len(ranks), TOGETHER):
            some = ranks[i : i + TOGETHER]
            yield "rank", [x for key, (host, rank, epoch) in some for x in (key, host, repr(-rank), epoch)]
        if self.released:
            yield "release", [worker, attempts, 1, *(x for key, host in self.released for x in (key, pause(host)))]
        if self.unused:
            yield "release", [worker, attempts, 0, *(x for key in self.unused for x in (key, 0))]
        for d in self.done:
            over += [d.key, d.host, int(d.responded), pause(d.host) if d.asked else 0, d.page]
        if over:
            yield "done", [worker, log, *over]


def _push(push: Push) -> tuple[Argument, ...]:
    c = push.candidate
    evidence = b"\n".join(map(dump_evidence, push.evidence))
    return c.key, c.host, push.generation, c.depth, dump_head(c), evidence, repr(-push.rank), push.epoch
