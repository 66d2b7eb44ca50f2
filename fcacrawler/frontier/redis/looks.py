"""How all parts of a crawl are, as a worker saw them last: where there is something to do, and whether all is over."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from random import Random
from time import monotonic
from typing import NamedTuple

from fcacrawler.frontier.redis.records import load_rank
from fcacrawler.frontier.redis.talk import Talk

OFTEN = 2.0  # seconds between two looks
AT_ONCE = 0.1  # the same, where nothing was found to lease; twice as many each time
FEW = 4  # links that leave for each part until the next look, if that is sooner; more of them every EARLY pages
EARLY = 500
MUCH = 0.1  # by which a link's rank elsewhere is worth going there
SAMPLE = 4  # pages of other parts that are heard of, for each that is leased
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
        self.left = 0
        self._patience = AT_ONCE
        self.look()

    def look(self) -> None:
        """And hear some of what is read there."""
        self._patience = AT_ONCE if self.left else min(OFTEN, 2 * self._patience)
        each = -(-SAMPLE * self.left // len(self._talks))
        self.left, self._at = 0, monotonic()
        self.parts = [self._look_at(talk, each) for talk in self._talks]
        self._fetched = sum(look.fetched for look in self.parts if look is not None)

    def _look_at(self, talk: Talk, pages: int) -> Look | None:
        log = talk.log
        answer = talk.line.run(
            [("look", [round(1000 * HERE)]), ("learn", [talk.worker, log.heard, max(1, pages), log.marked])]
        )
        if answer is None:
            return None
        log.hear(answer[1])
        look = Look(*answer[0])
        return look._replace(best=load_rank(best) if (best := answer[0][-1]) else None)

    @property
    def due_at_once(self) -> bool:
        """Where nothing was found to lease."""
        return monotonic() >= self._at + self._patience

    @property
    def due(self) -> bool:
        return monotonic() >= self._at + OFTEN or self.left >= FEW * len(self._talks) * (1 + self._fetched // EARLY)

    def fewest(self) -> int:
        """The part with the fewest workers."""
        return min(range(len(self.parts)), key=lambda n: look.workers if (look := self.parts[n]) else inf)

    def better(self, home: int, floor: float) -> int | None:
        """Where a worker is to go: to where most waits for each worker, if there is nothing above the floor at home; to
        where something much better waits; to where nobody is at work, if others see to its home, or it is worse. None:
        it stays."""
        there = {n: x for n, x in enumerate(self.parts) if x is not None and x.best is not None and x.best > floor}
        mine = there.pop(home, None)
        best = {n: x.best or 0.0 for n, x in there.items()}
        if mine is None:
            best = {n: x.waiting / (1 + x.workers) for n, x in there.items()}
        else:
            alone, rank = mine.workers <= 1, mine.best or 0.0
            best = {n: b for n, b in best.items() if b > rank + MUCH} or {
                n: b for n, b in best.items() if not there[n].workers and not (alone and b <= rank)
            }
        return max(best, key=lambda n: (best[n], self._rng.random())) if best else None

    def quiet(self) -> bool:
        """Nothing is on its way, and all is as it was at the last look; what came and went in between shows in numbers
        that only rise."""
        before = self.parts
        self.look()
        return before == self.parts and all(look is not None and not look.outbox for look in self.parts)
