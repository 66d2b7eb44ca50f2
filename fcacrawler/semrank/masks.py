"""Concepts as bit sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Masks(NamedTuple):
    """A concept: bits of its URLs, bits of its keywords."""

    extent: int
    intent: int


def own_concepts(rows: Sequence[Sequence[int]], width: int) -> list[Masks]:
    """Each URL's own (smallest) concept and each keyword's own (largest): what is kept of too large a lattice.

    >>> [(f"{x:02b}", f"{y:02b}") for x, y in own_concepts([(0, 1), (1,)], 2)]
    [('01', '11'), ('11', '10')]
    """
    columns = extents(rows, width)
    masks = [sum(1 << a for a in row) for row in rows]
    found: dict[Masks, None] = {}
    for row, mask in zip(rows, masks, strict=True):
        extent = (1 << len(rows)) - 1
        for a in row:
            extent &= columns[a]
        found[Masks(extent, mask)] = None
    for a, column in enumerate(columns):
        intent = (1 << width) - 1
        for u in bits(column):
            intent &= masks[u]
        found[Masks(column, intent | 1 << a)] = None
    return list(found)


def bits(mask: int) -> list[int]:
    """The places of the bits that are set, ascending.

    >>> bits(0b1101)
    [0, 2, 3]
    """
    out = []
    while mask:
        low = mask & -mask
        out.append(low.bit_length() - 1)
        mask ^= low
    return out


def extents(rows: Sequence[Sequence[int]], width: int) -> list[int]:
    """The URLs of each keyword."""
    columns = [0] * width
    for i, row in enumerate(rows):
        for a in row:
            columns[a] |= 1 << i
    return columns
