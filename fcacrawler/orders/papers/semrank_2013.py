"""SemRank as published: *Du & Hai 2013*, in rounds, with w fixed."""

from __future__ import annotations

from fcacrawler.orders import Given
from fcacrawler.orders.papers.rounds import Rounds


class SemRank2013(Rounds):
    """See ``Rounds``."""

    def __init__(self, given: Given) -> None:
        super().__init__(given, "semrank-2013")
