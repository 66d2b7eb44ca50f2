"""What people opened becomes knowledge of keywords, by itself: ``scrapy learn`` runs over the log of clicks when it has
grown by a quarter.

Why so: decision 252.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from fcacrawler.pise.errands import Errands
from fcacrawler.values.errors import FcaError

NAME = "clicks.omega.parquet"  # Ω, in the folder
FEWEST, GROWTH = 20, 1.25  # clicks, and times as many until it is learned again
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
    _asked: tuple[int, list[str]] | None = field(default=None)

    def look(self, crawls: Sequence[Path]) -> None:
        """Learn if it is time; ``crawls``: whose links say what is part of what."""
        if self._asked is None:
            count = self.count()
            if count < max(FEWEST, GROWTH * self.learned):
                return
            self._asked = count, self.arguments(count, crawls)
        count, arguments = self._asked
        try:
            said = self.errands.ask(arguments, fresh=0.0)
            self.problem = ""
        except FcaError as error:
            said, self.problem = "", str(error)
        if said is not None:
            self.said, self.learned, self._asked = said or self.said, count, None

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
