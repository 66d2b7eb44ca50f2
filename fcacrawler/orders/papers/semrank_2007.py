"""SemRank as first published: *Du & Li 2007*, in rounds, with w = ext / (ext + int)."""

from __future__ import annotations

from fcacrawler.orders import Given
from fcacrawler.orders.papers.rounds import Rounds


class SemRank2007(Rounds):
    """See ``Rounds``."""

    def __init__(self, given: Given) -> None:
        super().__init__(given, "semrank-2007")
