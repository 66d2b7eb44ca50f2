"""How all parts of a crawl are, as a worker saw them last: where there is something to do, and whether all is over."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from random import Random
from time import monotonic
from typing import NamedTuple

from fcacrawler.frontier.redis.log import READ
from fcacrawler.frontier.redis.records import load_rank
from fcacrawler.frontier.redis.server import Call
from fcacrawler.frontier.redis.talk import Talk

OFTEN = 2.0  # seconds between two looks
AT_ONCE = 0.1  # the same, where nothing was found to lease; twice as many each time
EARLY = 125  # pages after which a link more leaves until the next look, if that is sooner; at first one
MORE, MUCH = 0.02, 0.1  # by which a link's rank elsewhere is worth going there, for each at work at home; at most
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
    left: float | None  # for this worker, if each of the others takes one


class Looks:
    """By part; None: it is away. ``left`` is how many links have left since. ``home``: where all pages are heard of
    anyway."""

    def __init__(self, talks: Sequence[Talk]) -> None:
        self._talks = talks
        self._rng = Random(talks[0].worker)  # those who look at the same time go to different parts
        self.left = 0
        self._patience = AT_ONCE
        self._look([0] * len(talks))
        self._owed = READ  # what has been read before comes with the next look

    def look(self, home: int) -> None:
        """And hear some of what is read elsewhere, the relevant pages first."""
        self._patience = AT_ONCE if self.left else min(OFTEN, 2 * self._patience)
        self._owed = max(self._owed, SAMPLE * self.left, 1)
        each = -(-self._owed // max(1, len(self._talks) - 1))
        self.left = self._owed = 0
        self._look([0 if n == home else each for n in range(len(self._talks))])

    def _look(self, pages: Sequence[int]) -> None:
        self._at = monotonic()
        self.parts = [self._look_at(talk, n) for talk, n in zip(self._talks, pages, strict=True)]
        self._fetched = sum(look.fetched for look in self.parts if look is not None)

    def _look_at(self, talk: Talk, pages: int) -> Look | None:
        log = talk.log
        calls: list[Call] = [("look", [round(1000 * HERE), talk.worker, talk.at_once])]
        if pages:
            calls.append(("sample", [talk.worker, log.heard, pages, log.marked]))
        answer = talk.look(*calls)
        if answer is None:
            return None
        if pages:
            log.hear(answer[1])
        *numbers, best, left = answer[0]
        return Look(*numbers, *(load_rank(rank) if rank else None for rank in (best, left)))

    @property
    def due_at_once(self) -> bool:
        """Where nothing was found to lease."""
        return monotonic() >= self._at + self._patience

    @property
    def due(self) -> bool:
        return monotonic() >= self._at + OFTEN or self.left >= 1 + self._fetched // EARLY

    def fewest(self) -> int:
        """The part with the fewest workers."""
        return min(range(len(self.parts)), key=lambda n: look.workers if (look := self.parts[n]) else inf)

    def better(self, home: int, floor: float) -> int | None:
        """Where a worker is to go: to where most waits for each worker, if there is nothing above the floor at home; to
        where more is left for it, much more if many are at work at home; to where as much is and half as many are at
        work; to where nobody is at work, if others see to its home, or it is worse. None: it stays. Where nothing is
        above the floor in any part, there is none: crawls go on below γ by a budget."""
        best = [-inf if x is None or x.best is None else x.best for x in self.parts]
        floor = floor if max(best) > floor else -inf
        there = {n: x for n, x in enumerate(self.parts) if x is not None and best[n] > floor}
        mine = there.pop(home, None)
        if mine is None:
            found = {n: x.waiting / (1 + x.workers) for n, x in there.items()}
        else:
            left = {n: x.left if x.left is not None and x.left > floor else 0.0 for n, x in there.items()}
            rank = mine.left if mine.left is not None and mine.left > floor else 0.0
            more = min(MUCH, MORE * mine.workers)
            found = (
                {n: at for n, at in left.items() if at > rank + more}
                or {n: at for n, at in left.items() if at > rank - MUCH and 2 * (there[n].workers + 1) <= mine.workers}
                or {n: at for n, at in left.items() if not there[n].workers and (mine.workers > 1 or at > rank)}
            )
        return max(found, key=lambda n: (found[n], self._rng.random())) if found else None

    def quiet(self, home: int) -> bool:
        """Nothing is on its way, and all is as it was at the last look; what came and went in between shows in numbers
        that only rise."""
        before = self.parts
        self.look(home)
        return before == self.parts and all(look is not None and not look.outbox for look in self.parts)
