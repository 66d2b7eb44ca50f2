"""Links to hosts of which hardly anything is known: a few of them are fetched as if they led to a mean page.

Why so: decision 421.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fcacrawler.judge.languages import called, said_by
from fcacrawler.orders.semrank.groups import ROOM
from fcacrawler.values.links import Candidate

Floats = NDArray[np.float64]
SHARE = 20  # pages for each host that may have been fetched from, beside the first


class Exploring:
    """A link counts as base / (1 + n) at least, base the mean relevance of all pages, n how many its host has, once
    there are twenty pages, while they are of no more hosts than one and one for twenty pages. Not so where it says
    that it leads to a page in another language than the crawl's. Hosts are numbers below ``ROOM``."""

    def __init__(self) -> None:
        self._of_host = np.zeros(ROOM, np.int32)
        self._pages = self._hosts = 0

    def add(self, host: int) -> None:
        """A page of this host has come."""
        self._pages += 1
        self._hosts += not self._of_host[host]
        self._of_host[host] += 1

    def raised(
        self, ranks: Floats, links: Sequence[Candidate], hosts: NDArray[np.integer], base: float, language: str
    ) -> Floats:
        """The ranks, raised to what their links count at least."""
        if max(self._hosts, 2) > 1 + self._pages / SHARE:
            return ranks
        least: Floats = base / (1.0 + self._of_host[hosts])
        for i in np.flatnonzero(least > ranks).tolist():
            if links[i].depth and not leads_away(links[i], language):
                ranks[i] = least[i]
        return ranks


def leads_away(link: Candidate, language: str) -> bool:
    """Whether its URL or an anchor names a language, and not this one.

    >>> link = Candidate(b"", "http://de.e.org/", "de.e.org", 1)
    >>> leads_away(link, "en"), leads_away(link, "de")
    (True, False)
    """
    said = {said_by(link.url), *(called(e.anchor) for e in link.evidence)} - {""}
    return bool(said) and language not in said
