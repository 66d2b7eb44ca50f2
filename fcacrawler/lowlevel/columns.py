"""What is kept of many pages or links: arrays that grow, and sums over them that need little room."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fcacrawler.lowlevel.compiled import compiled

Floats = NDArray[np.float64]


class Column:
    """An array that grows at its end.

    >>> c = Column(np.int64)
    >>> c.extend([3, 4]); c.extend([5]); c.values.tolist()
    [3, 4, 5]
    """

    values: NDArray[Any]  # a view: what is set in it is kept, until the array grows

    def __init__(self, kind: Any, *shape: int) -> None:
        self._room = np.zeros((64, *shape), kind)
        self.values = self._room[:0]

    def extend(self, values: Any) -> None:
        used, end = len(self.values), len(self.values) + len(values)
        if end > len(self._room):
            room = np.zeros((max(end, 2 * len(self._room)), *self._room.shape[1:]), self._room.dtype)
            room[:used] = self.values
            self._room = room
        self._room[used:end] = values
        self.values = self._room[:end]

    def set(self, values: Any) -> None:
        """These instead of what there was."""
        self.values = self._room[:0]
        self.extend(values)


class WeightedRows:
    """Rows of numbers with weights, one behind the other; they differ in length.

    >>> rows = WeightedRows()
    >>> rows.extend(np.array([0, 2, 3]), np.array([7, 8, 9]), np.array([0.5, 0.25, 1.0]))
    >>> rows.ids.values[rows.starts.values[1] :]
    array([9], dtype=int32)
    """

    def __init__(self) -> None:
        self.starts, self.ids, self.weights = Column(np.int64), Column(np.int32), Column(np.float64)
        self.starts.extend([0])  # one more for the end

    def extend(self, starts: NDArray[np.int64], ids: NDArray[Any], weights: Floats) -> None:
        """The rows between these starts."""
        first, last = starts[0], starts[-1]
        self.starts.extend(starts[1:] + (len(self.ids.values) - first))
        self.ids.extend(ids[first:last])
        self.weights.extend(weights[first:last])


def distinct(values: NDArray[Any]) -> NDArray[Any]:
    """Sorted. ``numpy.unique`` takes ten times as long, since it sorts by a hash.

    >>> distinct(np.array([3, 1, 3]))
    array([1, 3])
    """
    return tallied(values)[0]


def tallied(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """The distinct values, sorted, and how often each occurs.

    >>> tallied(np.array([3, 1, 3]))
    (array([1, 3]), array([1, 2]))
    """
    ordered = np.sort(values)
    first = np.ones(len(ordered) + 1, bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:-1])
    starts = np.flatnonzero(first)
    return ordered[starts[:-1]], starts[1:] - starts[:-1]


@compiled
def add_to(total: Floats, to: NDArray[np.int32], of: NDArray[np.int32], values: Floats) -> None:
    """total[to[i]] += values[of[i]] for all pairs, in their order.

    >>> total = np.zeros(3)
    >>> add_to(total, np.array([0, 2, 0], np.int32), np.array([1, 1, 0], np.int32), np.array([0.5, 0.25]))
    >>> total
    array([0.75, 0.  , 0.25])
    """
    for i in range(len(to)):
        total[to[i]] += values[of[i]]


@compiled
def count(found: Floats, of: NDArray[np.int32]) -> None:
    """How often each number occurs is added.

    >>> found = np.zeros(3)
    >>> count(found, np.array([0, 2, 2], np.int32))
    >>> found
    array([1., 0., 2.])
    """
    for n in of:
        found[n] += 1.0
