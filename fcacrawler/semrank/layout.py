"""Where the boxes of a layered picture stand: rows from top to bottom, few crossings, no box upon another."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

WIDEST = 7  # boxes in one row


def rows_of(layer: Mapping[Hashable, int], edges: Iterable[tuple[Hashable, Hashable]]) -> list[list[Hashable]]:
    """Nodes in rows, each beneath the nodes above it as well as may be.

    Sugiyama, K. et al. (1981): Methods for visual understanding of hierarchical system structures; crossings are made
    few by the mean place of a node's neighbours, down and up again. A layer that is too wide takes several rows: its
    nodes are not connected with one another.

    >>> rows_of({"top": 0, "a": 1, "b": 1, "c": 2}, [("top", "a"), ("top", "b"), ("b", "c")])
    [['top'], ['a', 'b'], ['c']]
    """
    above: dict[Hashable, list[Hashable]] = {n: [] for n in layer}
    below: dict[Hashable, list[Hashable]] = {n: [] for n in layer}
    for a, b in edges:
        above[b].append(a)
        below[a].append(b)
    rows = [[n for n in layer if layer[n] == k] for k in sorted(set(layer.values()))]
    place = {n: (i + 0.5) / len(row) for row in rows for i, n in enumerate(row)}
    for _ in range(8):
        for order, neighbours in ((rows, above), (rows[::-1], below)):
            for row in order:
                row.sort(key=lambda n: _mean([place[m] for m in neighbours[n]], place[n]))
                place.update((n, (i + 0.5) / len(row)) for i, n in enumerate(row))
    return [part for row in rows for part in _parts(row)]


def _mean(places: Sequence[float], otherwise: float) -> float:
    return sum(places) / len(places) if places else otherwise


def _parts(row: list[Hashable]) -> list[list[Hashable]]:
    """A wide row as several, taken in turn, so that neighbours stay near."""
    n = -(-len(row) // WIDEST)
    return [row[i::n] for i in range(n)]
