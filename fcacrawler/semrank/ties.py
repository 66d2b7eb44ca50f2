"""Links and clicks between base and current URLs, as arrays: to be counted for every pair of extents at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from fcacrawler.semrank.arrays import Ints, Ragged, grouped
from fcacrawler.semrank.extension import Tie


@dataclass(frozen=True, slots=True, eq=False)
class Ties:
    """What ties base URLs to current URLs: distinct pairs (base place, current place), one a row.

    ``forth`` are links and clicks from base to current, ``back`` those from current to base, ``shared`` the URLs that
    are in both.
    """

    base: int  # how many URLs there are
    current: int
    forth: tuple[Ints, Ints]
    back: tuple[Ints, Ints]
    shared: Ints

    def matrix(self, *pairs: Ints) -> csr_array:
        """Base URLs by current URLs: in how many of ``pairs`` they are."""
        together = np.concatenate(pairs)
        ones = np.ones(len(together))
        return csr_array((ones, (together[:, 0], together[:, 1])), shape=(self.base, self.current))

    def by_current(self, *pairs: Ints) -> Ragged:
        """For each of ``pairs``, and in it for each current URL: the base URLs that it is tied to."""
        keys = [p[:, 1] + k * self.current for k, p in enumerate(pairs)]
        return grouped(np.concatenate(keys), np.concatenate(pairs)[:, 0], len(pairs) * self.current)


def ties(base: Sequence[str], current: Sequence[str], links: Iterable[Tie], clicks: Iterable[Tie]) -> Ties:
    """The ties among base and current URLs; what leads elsewhere is passed over."""
    rows, columns = ({u: i for i, u in enumerate(urls)} for urls in (base, current))
    found = [_pairs(rows, columns, pairs) for pairs in (list(links), list(clicks))]
    shared = _array({(rows[u], columns[u]) for u in base if u in columns})
    return Ties(len(base), len(current), (found[0][0], found[1][0]), (found[0][1], found[1][1]), shared)


def _pairs(rows: Mapping[str, int], columns: Mapping[str, int], pairs: Iterable[Tie]) -> tuple[Ints, Ints]:
    forth = {(rows[u], columns[v]) for u, v in pairs if u in rows and v in columns}
    back = {(rows[v], columns[u]) for u, v in pairs if u in columns and v in rows}
    return _array(forth), _array(back)


def _array(pairs: set[tuple[int, int]]) -> Ints:
    return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
