"""Components of a graph whose nodes are numbers: what edges join, and what edges connect both ways."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fcacrawler.lowlevel.compiled import compiled

Ints = NDArray[np.int64]


@compiled
def joined(nodes: int, u: Ints, v: Ints) -> Ints:
    """The number of each node's component, whichever way the edges u[k] → v[k] lead: 0, 1, 2 … by their first nodes.

    >>> joined(5, np.array([3, 1]), np.array([1, 4])).tolist()
    [0, 1, 2, 1, 1]
    """
    first = np.arange(nodes)
    for k in range(len(u)):
        a, b = u[k], v[k]
        while first[a] != a:
            first[a] = first[first[a]]
            a = first[a]
        while first[b] != b:
            first[b] = first[first[b]]
            b = first[b]
        first[max(a, b)] = min(a, b)
    component = np.empty(nodes, np.int64)
    found = 0
    for node in range(nodes):
        if first[node] == node:
            component[node] = found
            found += 1
        else:
            component[node] = component[first[node]]
    return component


@compiled
def strongly_joined(nodes: int, u: Ints, v: Ints) -> Ints:
    """The number of each node's strong component (Tarjan, R. E. (1972): Depth-first search and linear graph
    algorithms), without recursion.

    >>> strongly_joined(4, np.array([0, 1, 2, 2]), np.array([1, 2, 0, 3])).tolist()
    [1, 1, 1, 0]
    """
    starts = np.zeros(nodes + 1, np.int64)
    for k in range(len(u)):
        starts[u[k] + 1] += 1
    starts = np.cumsum(starts)
    place, to = starts[:-1].copy(), np.empty(len(u), np.int64)
    for k in range(len(u)):
        to[place[u[k]]] = v[k]
        place[u[k]] += 1
    place = starts[:-1].copy()  # the next edge of each node that is to be followed
    index, low = np.full(nodes, -1, np.int64), np.zeros(nodes, np.int64)
    component = np.full(nodes, -1, np.int64)
    path, open_ = np.empty(nodes, np.int64), np.empty(nodes, np.int64)
    seen = found = opened = 0
    for root in range(nodes):
        if index[root] >= 0:
            continue
        path[0], depth = root, 1
        while depth:
            node = path[depth - 1]
            if index[node] < 0:
                index[node] = low[node] = seen
                seen += 1
                open_[opened] = node
                opened += 1
            if place[node] < starts[node + 1]:
                target = to[place[node]]
                place[node] += 1
                if index[target] < 0:
                    path[depth] = target
                    depth += 1
                elif component[target] < 0:
                    low[node] = min(low[node], index[target])
                continue
            depth -= 1
            if depth:
                low[path[depth - 1]] = min(low[path[depth - 1]], low[node])
            if low[node] == index[node]:
                while True:
                    opened -= 1
                    component[open_[opened]] = found
                    if open_[opened] == node:
                        break
                found += 1
    return component
