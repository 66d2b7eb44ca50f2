"""Concepts by the thousand: two ragged arrays of numbers instead of objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fcacrawler.semrank.masks import Masks, bits

Ints = NDArray[np.int64]
Places = NDArray[np.uint32]  # of URLs, keywords, concepts in their lists: half the memory, and never negative
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Ragged:
    """Lists of numbers end to end: list k is ``items[starts[k]:starts[k + 1]]``."""

    starts: Ints
    items: Places

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, k: int) -> Places:
        return self.items[self.starts[k] : self.starts[k + 1]]

    def __iter__(self) -> Iterator[Places]:
        return (self[k] for k in range(len(self)))

    @property
    def sizes(self) -> Ints:
        return np.diff(self.starts)

    def take(self, which: Ints) -> Ragged:
        """The lists at these places, in this order."""
        sizes = self.sizes[which]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        offsets = np.repeat(self.starts[which] - starts[:-1], sizes)
        return Ragged(starts, self.items[np.arange(starts[-1]) + offsets])

    def inverse(self, width: int) -> Ragged:
        """For each number below ``width``, the lists that hold it."""
        return grouped(self.items, np.repeat(np.arange(len(self)), self.sizes), width)


def grouped(keys: NDArray[np.integer], values: NDArray[np.integer], width: int) -> Ragged:
    """For each key below ``width``, its values, in the order given."""
    starts = np.concatenate([[0], np.cumsum(np.bincount(keys, minlength=width))])
    return Ragged(starts, values[np.argsort(keys, kind="stable")].astype(np.uint32))


def ragged(lists: Iterable[Sequence[int]]) -> Ragged:
    """
    >>> ragged([[1, 2], [], [3]]).take(np.array([2, 0])).items.tolist()
    [3, 1, 2]
    """
    kept = list(lists)
    starts = np.zeros(len(kept) + 1, dtype=np.int64)
    np.cumsum([len(x) for x in kept], out=starts[1:])
    return Ragged(starts, np.array([i for x in kept for i in x], dtype=np.uint32))


@dataclass(frozen=True, slots=True, eq=False)
class Concepts:
    """The concepts of one context. ``complete``: all of them; else the limit was met and only own concepts are kept."""

    extents: Ragged
    intents: Ragged
    complete: bool = True

    def __len__(self) -> int:
        return len(self.extents)

    def take(self, which: Ints) -> Concepts:
        return Concepts(self.extents.take(which), self.intents.take(which), self.complete)

    def filled(self) -> Concepts:
        """Those with an extent and an intent: the empty concepts say nothing of a URL and are left out of SemRank."""
        return self.take(np.flatnonzero((self.extents.sizes > 0) & (self.intents.sizes > 0)))


def from_masks(found: Iterable[Masks], complete: bool = True) -> Concepts:
    """Concepts given as bit sets."""
    kept = list(found)
    return Concepts(ragged(bits(x) for x, _ in kept), ragged(bits(y) for _, y in kept), complete)
