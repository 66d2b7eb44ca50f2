"""What a site's folders have led to: pages that stand together are often of one kind."""

from __future__ import annotations

from functools import lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from fcacrawler.lowlevel.columns import Column
from fcacrawler.lowlevel.numbers import UNKNOWN
from fcacrawler.orders.semrank.features import Folders

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
LEVELS = 4  # the host and three folders
ROOM = 1 << 16  # folders, by a hash of their names
LATEST = 20_000  # pages whose relevance may still change


class FolderTable:
    """Mean relevance of a folder's pages, drawn towards that of the folder around it.

    rate(folder) = (Σ rel of its pages + doubt·rate(the folder around it)) / (their number + doubt); around a host is
    the whole web with its base rate. Pages of the folders within a folder are its pages too.
    """

    def __init__(self, doubt: float) -> None:
        self._doubt = doubt
        self._pages = Column(np.int32, LEVELS)  # the latest
        self._settled: Floats = np.zeros(ROOM)  # Σ rel of those before them, as it was then
        self._first = 0  # number of the first of the latest
        self._total: Floats = np.zeros(ROOM)
        self._count: Floats = np.zeros(ROOM)

    def add(self, url: str, relevance: float) -> None:
        """A page has been fetched."""
        here = folders(url)
        self._pages.extend([here])
        for place in here:
            if place != UNKNOWN:
                self._total[place] += relevance
                self._count[place] += 1

    def refresh(self, relevance: Floats) -> None:
        """All pages have been judged anew."""
        places, latest = self._pages.values, relevance[self._first :]
        spare = len(places) - LATEST
        if spare > LATEST // 4:
            self._settled = self._settled + _totals(places[:spare], latest[:spare])
            self._first += spare
            self._pages.set(places[spare:])
            places, latest = self._pages.values, latest[spare:]
        self._total = self._settled + _totals(places, latest)

    @property
    def known(self) -> Folders:
        return Folders(self._total, self._count, self._doubt)


def _totals(places: Ints, relevance: Floats) -> Floats:
    """Σ rel by folder."""
    there = places != UNKNOWN
    weights = np.repeat(relevance, LEVELS)[there.ravel()]
    return np.bincount(places[there], weights, ROOM).astype(np.float64)


def folders(url: str) -> list[int]:
    """Numbers of the host, of the first folder, the second and the third; UNKNOWN for those that there are not.

    >>> work, home = folders("http://e.org/~ann/work/x.html"), folders("http://e.org/~ann/")
    >>> work[:2] == home[:2], work[3], home[2:]
    (True, -1, [-1, -1])
    """
    path = url.partition("?")[0]
    return _folders(path[: path.rfind("/", 8) + 1] or path)


@lru_cache(1 << 12)
def _folders(path: str) -> list[int]:
    """Of a path that ends with a slash: what would follow is the page."""
    parts = path.split("/")[2:]
    parts = parts[: max(1, min(len(parts) - 1, LEVELS))]
    here = [crc32("/".join(parts[: k + 1]).encode(errors="replace")) % ROOM for k in range(len(parts))]
    return here + [UNKNOWN] * (LEVELS - len(here))
