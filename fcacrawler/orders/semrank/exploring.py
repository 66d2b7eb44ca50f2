"""Links to hosts of which hardly anything is known: a few of them are fetched as if they led to a mean page.

Why so: decisions 421 and 426.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fcacrawler.orders.semrank.groups import ROOM

Floats = NDArray[np.float64]
PRICE = 20  # pages for each host that may have been fetched from, beside the first …
POOR = 4  # … where a page that brings nothing counts for so many
NEARLY = 0.9  # of the way to what a link counts at least: of two such links the better one leaves first


class Exploring:
    """A link counts as base / (1 + n) at least, base the mean relevance of all pages, n how many its host has; its rank
    is raised nine tenths of the way. So while pages are of no more hosts than one and one for each twenty pages, where
    a page counts as 4·(1 - rel / base) of them if that is more: hosts are looked for where what is known brings little.
    Not so where a link says that it leads to a page in another language than the crawl's. Hosts are numbers below
    ``ROOM``."""

    def __init__(self) -> None:
        self._of_host = np.zeros(ROOM, np.int32)
        self._paid, self._hosts = 0.0, 0

    def add(self, host: int, relevance: float, base: float) -> None:
        """A page of this host has come."""
        self._paid += max(1.0, POOR * (1 - relevance / max(base, 1e-9)))
        self._hosts += not self._of_host[host]
        self._of_host[host] += 1

    def raised(self, ranks: Floats, hosts: NDArray[np.integer], elsewhere: NDArray[np.bool_], base: float) -> Floats:
        """The ranks of links to these hosts, raised towards what they count at least, but for those ``elsewhere``."""
        if max(self._hosts, 2) > 1 + self._paid / PRICE:
            return ranks
        least: Floats = base / (1.0 + self._of_host[hosts])
        return np.where((least > ranks) & ~elsewhere, ranks + NEARLY * (least - ranks), ranks)
