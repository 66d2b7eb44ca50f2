"""SemRank's rounds with Formica's similarity: *Formica 2006, 2008*; *Du & Hai 2013, Eq. 4*."""

from __future__ import annotations

from fcacrawler.orders import Given
from fcacrawler.orders.papers.rounds import Rounds


class Formica(Rounds):
    """See ``Rounds``."""

    def __init__(self, given: Given) -> None:
        super().__init__(given, "formica")
