"""A concept's neighbours in a lattice that is too large to be made: to walk in it.

Lindig, C. (2000): Fast concept analysis. In: Working with Conceptual Structures, ICCS.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fcacrawler.semrank.masks import bits


@dataclass(frozen=True, slots=True)
class Place:
    """A concept: what its pages share, and their places."""

    intent: tuple[str, ...]
    extent: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class View:
    """A concept with those right above it, which more pages share, and right below it. Those of most pages first."""

    here: Place
    above: tuple[Place, ...]
    below: tuple[Place, ...]


def view(pages: Sequence[Iterable[str]], keywords: Iterable[str], support: int = 1) -> View:
    """``pages``: the keywords of each. From the concept of all pages that have these ``keywords``; below it stand the
    ones of ``support`` pages at least.

    >>> there = view([["car", "race"], ["car", "race"], ["car"], ["boat", "race"]], ["race"])
    >>> there.here
    Place(intent=('race',), extent=(0, 1, 3))
    >>> [place.intent for place in there.above], [place.intent for place in there.below]
    ([()], [('car', 'race'), ('boat', 'race')])
    """
    rows = [list(dict.fromkeys(page)) for page in pages]
    of: dict[str, int] = {}
    for n, row in enumerate(rows):
        for k in row:
            of[k] = of.get(k, 0) | 1 << n
    everything = (1 << len(rows)) - 1
    extent = everything
    for k in keywords:
        extent &= of.get(k, 0)
    intent = _shared(of, extent, rows)
    below = {extent & of[k] for k in of if k not in intent}
    below = {part for part in below if part and part.bit_count() >= support and part != extent}
    above = set[int]()
    for meet in {frozenset(intent & set(row)) for n, row in enumerate(rows) if not extent >> n & 1}:
        wide = everything
        for k in meet:
            wide &= of[k]
        above.add(wide)
    return View(
        _place(of, extent, rows),
        tuple(_place(of, mask, rows) for mask in _sorted(_least(above))),
        tuple(_place(of, mask, rows) for mask in _sorted(_greatest(below))),
    )


def _shared(of: dict[str, int], extent: int, rows: Sequence[Sequence[str]]) -> set[str]:
    """What all pages of an extent have; all there is, of none."""
    if not extent:
        return set(of)
    first = rows[(extent & -extent).bit_length() - 1]
    return {k for k in first if extent & ~of[k] == 0}


def _place(of: dict[str, int], extent: int, rows: Sequence[Sequence[str]]) -> Place:
    shared = sorted(_shared(of, extent, rows), key=lambda k: (of[k].bit_count(), k))
    return Place(tuple(shared), tuple(bits(extent)))


def _sorted(masks: Iterable[int]) -> list[int]:
    return sorted(masks, key=lambda mask: (-mask.bit_count(), bits(mask)))


def _greatest(masks: Iterable[int]) -> list[int]:
    """Those that lie in no other."""
    found: list[int] = []
    for mask in sorted(masks, key=lambda mask: -mask.bit_count()):
        if not any(mask & ~other == 0 for other in found):
            found.append(mask)
    return found


def _least(masks: Iterable[int]) -> list[int]:
    """Those in which no other lies."""
    found: list[int] = []
    for mask in sorted(masks, key=lambda mask: mask.bit_count()):
        if not any(other & ~mask == 0 for other in found):
            found.append(mask)
    return found
