"""The budget of a crawl that is cut into parts: each has leave for so many responses, and all together for no more than
the budget.

What a part has is what it was granted less what it has given back. Both only rise, and are kept in the part and in what
is common to all; the part's is never more of the one nor less of the other, so that neither an answer that is lost nor
one that comes twice makes a response more.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from time import monotonic

from fcacrawler.frontier.redis.line import Line

BREATH = 0.1  # seconds until parts are asked again for what they do not use
LOT = 8  # responses that a part asks for, beyond what it uses


class Permits:
    """``common`` and ``parts`` are lines to where they stand."""

    def __init__(self, common: Line, parts: Sequence[Line], budget: int) -> None:
        self._common, self._parts, self._budget = common, parts, budget
        self._again = -inf

    def draw(self, part: int) -> bool:
        """If the part can lease nothing more for want of leave: leave for some more; from the other parts, if all has
        been granted. Whether there was any."""
        if not self._budget or monotonic() < self._again:
            return False
        self._again = monotonic() + BREATH
        told = self._allot(part, 0, False)
        if told is None:
            return False
        granted, back, used = told
        if granted - back > used:
            return False
        if not self._more(part, *told):
            for n in range(len(self._parts)):
                if n != part:
                    self._take_back(n)
            return self._more(part, *told)
        self._again = -inf
        return True

    def _more(self, part: int, granted: int, back: int, used: int) -> bool:
        now = self._grant(part, granted, back, back + used + LOT)
        return now is not None and now > granted and self._allot(part, now, False) is not None

    def _take_back(self, part: int) -> None:
        if (told := self._allot(part, 0, True)) is not None:
            granted, back, _ = told
            self._grant(part, granted, back, 0)

    def _allot(self, part: int, granted: int, back: bool) -> tuple[int, int, int] | None:
        """What it was granted, has given back, and uses."""
        answer = self._parts[part].run([("allot", [granted, int(back)])])
        if answer is None:
            return None
        ((granted, returned, used),) = answer
        return granted, returned, used

    def _grant(self, part: int, granted: int, back: int, wanted: int) -> int | None:
        answer = self._common.run([("grant", [self._budget, len(self._parts), part, granted, back, wanted])])
        return None if answer is None else int(answer[0])
