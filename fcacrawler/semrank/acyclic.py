"""A graph without its cycles: every cycle loses its weakest edge.

Why so: decision 024.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fcacrawler.lowlevel.components import strongly_joined
from fcacrawler.semrank.kernels.arrays import Flags, Ints


def weakest_of_cycles(source: Sequence[int], target: Sequence[int]) -> Flags:
    """Which edges are the weakest of some cycle; without them the graph has none. Edges come strongest first.

    An edge is the weakest of a cycle just when its ends are strongly connected by it and the edges stronger than it.
    All edges are halved by strength at once: what the stronger half connects strongly is decided among the stronger,
    the rest is decided with those components as single nodes. So each edge takes part in one question a round, in
    log m rounds: O(m log m) in all. (Tarjan, R. E. (1982): A hierarchical clustering algorithm using strong
    components, has the scheme.)

    >>> weakest_of_cycles([0, 1, 2, 0], [1, 2, 0, 3]).tolist()
    [False, False, True, False]
    """
    u, v = np.asarray(source, dtype=np.int64), np.asarray(target, dtype=np.int64)
    edge = np.arange(len(u))
    open_ = np.ones(len(u), dtype=bool)  # not decided; the others are there and stay
    part = np.zeros(len(u), dtype=np.int64)  # the question that an edge takes part in
    weakest = np.zeros(len(u), dtype=bool)
    while open_.any():
        loop = open_ & (u == v)  # its ends were connected by stronger edges
        weakest[edge[loop]] = True
        strong, alone = _stronger_half(part, edge, open_ & ~loop)
        component = _strong_components(u, v, strong | ~open_)
        inside = (strong | ~open_) & (component[u] == component[v])
        weakest[edge[alone & inside]] = True
        outside = ~inside & ~loop
        places = len(component)
        u, v = np.where(outside, component[u] + places, u), np.where(outside, component[v] + places, v)
        part = np.where(outside, part + places, component[np.minimum(u, places - 1)])
        open_ &= ~alone & ~loop & ~(strong & outside)
        keep = np.isin(part, part[open_]) & ~loop
        u, v, edge, open_, part = u[keep], v[keep], edge[keep], open_[keep], part[keep]
        _, packed = np.unique(np.concatenate([u, v]), return_inverse=True)
        u, v = packed[: len(u)], packed[len(u) :]
    return weakest


def _stronger_half(part: Ints, edge: Ints, open_: Flags) -> tuple[Flags, Flags]:
    """The stronger half of the open edges of each part; and the edges that are the only open one of theirs."""
    which = np.flatnonzero(open_)
    which = which[np.lexsort((edge[which], part[which]))]
    _, starts, group, sizes = np.unique(part[which], return_index=True, return_inverse=True, return_counts=True)
    position = np.arange(len(which)) - starts[group]
    strong, alone = np.zeros_like(open_), np.zeros_like(open_)
    strong[which] = position < np.maximum(1, sizes[group] // 2)
    alone[which] = sizes[group] == 1
    return strong, alone


def _strong_components(u: Ints, v: Ints, which: Flags) -> Ints:
    nodes = int(max(u.max(), v.max())) + 1
    return strongly_joined(nodes, u[which], v[which])
