"""How all parts of a crawl are, as a worker saw them last: where there is something to do, and whether all is over."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from random import Random
from time import monotonic
from typing import NamedTuple

from fcacrawler.frontier.redis.records import load_rank
from fcacrawler.frontier.redis.talk import Talk

OFTEN = 1.0  # seconds between two looks
AT_ONCE = 0.1  # the same, where nothing was found to lease
FEW = 16  # links that leave until the next look, where nobody is at work at some part
HERE = 5.0  # seconds after which a worker that is not heard of is not at work


class Look(NamedTuple):
    """How a part is: see look.lua."""

    leased: int
    waiting: int
    fetched: int
    done: int
    found: int
    posted: int
    outbox: int
    workers: int
    best: float | None


class Looks:
    """By part; None: it is away. ``left`` is how many links have left since."""

    def __init__(self, talks: Sequence[Talk]) -> None:
        self._talks = talks
        self._rng = Random(talks[0].worker)  # those who look at the same time go to different parts
        self.look()

    def look(self) -> None:
        self.left, self._at = 0, monotonic()
        self.parts = [self._look_at(talk) for talk in self._talks]

    def _look_at(self, talk: Talk) -> Look | None:
        answer = talk.line.run([("look", [round(1000 * HERE)])])
        if answer is None:
            return None
        look = Look(*answer[0])
        return look._replace(best=load_rank(best) if (best := answer[0][-1]) else None)

    def older_than(self, seconds: float) -> bool:
        return monotonic() >= self._at + seconds

    @property
    def due(self) -> bool:
        return self.older_than(OFTEN) or (self.left >= FEW and self._unattended)

    @property
    def _unattended(self) -> bool:
        """Does anything wait where nobody is at work?"""
        return any(look is not None and not look.workers and look.best is not None for look in self.parts)

    def fewest(self) -> int:
        """The part with the fewest workers."""
        return min(range(len(self.parts)), key=lambda n: look.workers if (look := self.parts[n]) else inf)

    def better(self, home: int, floor: float) -> int | None:
        """Where a worker is to go: if there is nothing above the floor at its home; or if others see to what is there,
        or it is worse, and nobody to what is elsewhere. None: it stays."""
        there = {n: x for n, x in enumerate(self.parts) if x is not None and x.best is not None and x.best > floor}
        mine = there.pop(home, None)
        if mine is not None:
            alone, rank = mine.workers <= 1, mine.best or 0.0
            there = {n: x for n, x in there.items() if not x.workers and not (alone and (x.best or 0.0) <= rank)}
        loads = {n: (x.waiting / (1 + x.workers), self._rng.random()) for n, x in there.items()}
        return max(loads, key=lambda n: loads[n]) if loads else None

    def quiet(self) -> bool:
        """Nothing is on its way, and all is as it was at the last look; what came and went in between shows in numbers
        that only rise."""
        before = self.parts
        self.look()
        return before == self.parts and all(look is not None and not look.outbox for look in self.parts)
