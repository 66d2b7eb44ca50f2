"""Pages that users clicked in one walk, by number: the second half of *Du & Hai 2013, Def. 6*, as a rank needs it.

Why so: decision 200.
"""

from __future__ import annotations

import numpy as np

from fcacrawler.lowlevel.numbers import UNKNOWN
from fcacrawler.orders.semrank.known import Walked
from fcacrawler.orders.semrank.page_table import PageTable
from fcacrawler.values.clicks import Clicks

MOST = 64  # pages that speak for another: those that most users show


class ClickTable:
    """Clicked pages have numbers of their own, those of ``Clicks.urls``."""

    def __init__(self, clicks: Clicks, pages: PageTable) -> None:
        self.clicks = clicks
        self.number = {url: n for n, url in enumerate(clicks.urls)}
        one, other = np.concatenate([clicks.pairs, clicks.pairs[:, ::-1]]).T
        users = np.tile(clicks.counts[:, 0], 2)
        order = np.lexsort((other, -users, one))
        order = order[_within(one[order]) < MOST]
        self.walked = Walked(
            np.searchsorted(one[order], np.arange(len(clicks.urls) + 1)),
            other[order].astype(np.int32),
            users[order].astype(np.float64),
            np.array([pages.number.get(url) for url in clicks.urls], np.int64),
        )

    def fetched(self, url: str, page: int) -> None:
        """This one has been, and has this number among the fetched."""
        if (n := self.number.get(url, UNKNOWN)) != UNKNOWN:
            self.walked.pages[n] = page


def _within(values: np.ndarray) -> np.ndarray:
    """The place of each of sorted values among those equal to it.

    >>> _within(np.array([3, 3, 5, 5, 5]))
    array([0, 1, 0, 1, 2])
    """
    return np.asarray(np.arange(len(values)) - np.searchsorted(values, values))
