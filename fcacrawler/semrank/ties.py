"""Links and clicks between base and current URLs, counted for every pair of extents at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from fcacrawler.semrank.extension import Tie


@dataclass(frozen=True, slots=True, eq=False)
class Ties:
    """What ties base URLs (rows) to current URLs (columns): matrices of 0 and 1.

    ``forth`` are links and clicks from base to current, ``back`` those from current to base, ``shared`` the URLs that
    are in both.
    """

    forth: tuple[csr_array, csr_array]
    back: tuple[csr_array, csr_array]
    shared: csr_array


def ties(base: Mapping[str, int], current: Mapping[str, int], links: Iterable[Tie], clicks: Iterable[Tie]) -> Ties:
    """The ties among URLs with their places; what leads elsewhere is passed over."""
    shape = (len(base), len(current))
    forth, back = [], []
    for pairs in (links, clicks):
        there: set[tuple[int, int]] = set()
        here: set[tuple[int, int]] = set()
        for u, v in pairs:
            if u in base and v in current:
                there.add((base[u], current[v]))
            if u in current and v in base:
                here.add((base[v], current[u]))
        forth.append(_matrix(there, shape))
        back.append(_matrix(here, shape))
    shared = _matrix({(i, current[u]) for u, i in base.items() if u in current}, shape)
    return Ties((forth[0], forth[1]), (back[0], back[1]), shared)


def _matrix(pairs: set[tuple[int, int]], shape: tuple[int, int]) -> csr_array:
    at = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
    return csr_array((np.ones(len(at)), (at[:, 0], at[:, 1])), shape=shape)
