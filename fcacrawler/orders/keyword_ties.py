"""How similar keywords are in a crawl: by the Ω of a log, or by what the crawl's own links have shown so far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fcacrawler.orders import Given
from fcacrawler.semrank.parameters import SemRankOptions
from fcacrawler.values.omega import Omega
from fcacrawler.values.pages import SeenPage

if TYPE_CHECKING:
    from fcacrawler.semrank.ics import LogSimilarity

FIRST = 500  # links after which Ω is counted for the first time


class Ties:
    """ics over the hierarchy ∂ of Ω for the topic's keywords. *Du & Hai 2013, §3.3*.

    With a log Ω is fixed. Without one it is counted from the links of the pages observed, anew whenever there are
    ``growth`` times as many (and, once the notes are full, whenever so many are new), so that its cost stays in
    proportion.
    """

    def __init__(self, given: Given, options: SemRankOptions, links: int | None = None, growth: int = 2) -> None:
        """``links``: no more than so many are noted."""
        self._query: Sequence[str] = given.query
        self._options = options
        self._log = given.crawl_log if given.omega is None else None
        if self._log is not None and links is not None:
            self._log = self._log.of_at_most(links)
        self._growth = growth
        self._links = 0
        self._due = FIRST
        self._similarity = None if given.omega is None else self._of(given.omega)

    def _of(self, omega: Omega) -> LogSimilarity:
        from fcacrawler.semrank.hierarchy import hierarchy  # and networkx, which a crawl without relations never needs
        from fcacrawler.semrank.ics import LogSimilarity

        return LogSimilarity(hierarchy(omega, self._query, self._options), self._options)

    def observe(self, page: SeenPage) -> None:
        if self._log is not None:
            self._log.observe(page)
            self._links += len(page.links)

    def now(self) -> LogSimilarity | None:
        """None: keywords are equal or not."""
        if self._log is not None and self._links >= self._due:
            self._due = self._links + (self._growth - 1) * max(FIRST, self._log.links)
            self._similarity = self._of(self._log.omega())
        return self._similarity
