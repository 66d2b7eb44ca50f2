"""What people opened becomes knowledge of keywords, by itself: ``scrapy learn`` runs over the log of clicks when it has
grown by a quarter, and a twentieth of the time at most.

Why so: decisions 252, 396.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from time import monotonic

from fcacrawler.pise.errands import Errands
from fcacrawler.values.errors import FcaError

NAME = "clicks.omega.parquet"  # Ω, in the folder
FEWEST, GROWTH = 20, 1.25  # clicks, and times as many until it is learned again
REST = 20.0  # times as long as it took, until it runs again
SMALL = 2_000  # clicks of a log whose relations cannot reach the lifts that are asked of a large one
LOW = ("keyword-users", "users", "pages", "part-links", "click-users")
LOW_LIFT = ("isa-lift", "part-lift")
TOP = 12  # relations that are told


@dataclass(slots=True)
class Learning:
    """One folder's. ``said``: what the last run said; ``learned``: of how many clicks."""

    folder: Path
    clicks: Path
    errands: Errands
    said: str = ""
    problem: str = ""
    learned: int = 0
    clock: Callable[[], float] = monotonic
    _asked: tuple[int, list[str]] | None = field(default=None)
    _begun: float = 0.0
    _rest: float = -inf  # until when

    def look(self, crawls: Sequence[Path]) -> None:
        """Learn if it is time; ``crawls``: whose links say what is part of what."""
        if self._asked is None:
            count = self.count()
            if count < max(FEWEST, GROWTH * self.learned) or self.clock() < self._rest:
                return
            self._asked, self._begun = (count, self.arguments(count, crawls)), self.clock()
        count, arguments = self._asked
        try:
            said = self.errands.ask(arguments, fresh=0.0)
            self.problem = ""
        except FcaError as error:
            said, self.problem = "", str(error)
        if said is not None:
            self.said, self.learned, self._asked = said or self.said, count, None
            self._rest = self.clock() + REST * (self.clock() - self._begun)

    def count(self) -> int:
        """Clicks in the log."""
        with suppress(OSError), self.clicks.open("rb") as lines:
            return sum(1 for _ in lines)
        return 0

    def arguments(self, count: int, crawls: Sequence[Path]) -> list[str]:
        asked = ["learn", str(self.clicks), "--out", str(self.folder / NAME), "--groups", "learned", "--top", str(TOP)]
        asked += ["--click-pairs", "0"]  # crawls read the same clicks by FCA_CLICKS
        if count < SMALL:
            asked += [word for name in LOW for word in (f"--{name}", "1")]
            asked += [word for name in LOW_LIFT for word in (f"--{name}", "2")]
        return asked + [word for path in crawls for word in ("--links", str(path))]

    @property
    def for_crawls(self) -> Path | None:
        """What crawls that begin now are told: nothing while it would say less than their own links do."""
        return self.folder / NAME if self.learned >= SMALL and (self.folder / NAME).is_file() else None
