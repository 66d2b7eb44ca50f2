"""Links and clicks between base and current URLs, as arrays: to be counted for every pair of extents at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from fcacrawler.semrank.extension import Tie
from fcacrawler.semrank.kernels.arrays import Ints, Ragged, grouped


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
    links, clicks = list(links), list(clicks)
    shared = _pairs(rows, columns, ((u, u) for u in base))
    forth = _pairs(rows, columns, links), _pairs(rows, columns, clicks)
    back = _pairs(columns, rows, links)[:, ::-1], _pairs(columns, rows, clicks)[:, ::-1]
    return Ties(len(base), len(current), forth, back, shared)


def _pairs(sources: Mapping[str, int], targets: Mapping[str, int], pairs: Iterable[Tie]) -> Ints:
    """The distinct places of pairs that lead from sources to targets, ascending."""
    n = len(targets)
    found = {i * n + j for u, v in pairs if (i := sources.get(u)) is not None and (j := targets.get(v)) is not None}
    return np.stack(np.divmod(np.sort(np.fromiter(found, np.int64, len(found))), max(n, 1)), axis=1)
