"""Links with a query that lead to copies: sortings and filters of a list, sessions. Few of them are asked for.

Why so: decision 422.
"""

from __future__ import annotations

from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from fcacrawler.lowlevel.numbers import UNKNOWN
from fcacrawler.orders.semrank.groups import ROOM
from fcacrawler.page.identity.kinds import kind

Floats = NDArray[np.float64]


class Copies:
    """Of each kind of URLs with a query, how many of its pages were copies of others.

    >>> copies, lists = Copies(), [kind_of("http://a.test/c/toys?sort=name"), kind_of("http://a.test/c/toys")]
    >>> copies.add(lists[0], True), copies.news(np.array(lists)).tolist()
    (None, [0.5, 1.0])
    """

    def __init__(self) -> None:
        self._pages, self._news = np.zeros(ROOM, np.int32), np.zeros(ROOM, np.int32)

    def add(self, kind: int, copy: bool) -> None:
        """A page of this kind has come."""
        if kind != UNKNOWN:
            self._pages[kind] += 1
            self._news[kind] += not copy

    def news(self, kinds: NDArray[np.integer]) -> Floats:
        """How likely a link of this kind leads to something new: (1 + pages that were no copies) / (1 + pages)."""
        share = (1.0 + self._news[kinds]) / (1.0 + self._pages[kinds])
        return np.where(kinds == UNKNOWN, 1.0, share)


def kind_of(url: str) -> int:
    """The number of its kind, for a URL with a query; UNKNOWN for others."""
    return crc32(kind(url).encode(errors="replace")) % ROOM if "?" in url else UNKNOWN
