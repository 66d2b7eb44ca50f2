"""Names as numbers, in a few bytes each: what a crawl remembers of every page must stay small for weeks.

Why so: decision 098.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

UNKNOWN = -1


class Numbers:
    """Names, numbered 0, 1, 2 … in order of arrival; 20 to 30 bytes each, however long they are.

    A name is known by the 64 bits of Python's hash, which differ from process to process: two of a million names are
    taken for one in one of 10^7 processes, and nobody can choose them.

    >>> numbers = Numbers()
    >>> [numbers.add(name) for name in ("a", "b", "a")], numbers.get("b"), numbers.get("c"), len(numbers)
    ([0, 1, 0], 1, -1, 2)
    """

    def __init__(self) -> None:
        self._hashes = array("q")
        self._places = array("i", [UNKNOWN]) * 64  # hash → number, by open addressing; a third is free at the least

    def __len__(self) -> int:
        return len(self._hashes)

    def __contains__(self, name: str) -> bool:
        return self.get(name) != UNKNOWN

    def get(self, name: str) -> int:
        """UNKNOWN for a name that has not been added."""
        return self._places[self._place(hash(name))]

    def those(self, names: Sequence[str]) -> list[int]:
        """``get`` each."""
        return [self.get(name) for name in names]

    def add(self, name: str) -> int:
        """Its number; the next one for a new name."""
        here = hash(name)
        place = self._place(here)
        if self._places[place] == UNKNOWN:
            self._places[place] = len(self._hashes)
            self._hashes.append(here)
            if 3 * len(self._hashes) > 2 * len(self._places):
                self._grow()
                return len(self._hashes) - 1
        return self._places[place]

    def _place(self, here: int) -> int:
        """Where the number of this hash is, or would be."""
        places, hashes = self._places, self._hashes
        mask = len(places) - 1
        place = here & mask
        while (n := places[place]) != UNKNOWN and hashes[n] != here:
            place = (place + 1) & mask
        return place

    def _grow(self) -> None:
        self._places = array("i", [UNKNOWN]) * (2 * len(self._places))
        for n, here in enumerate(self._hashes):
            self._places[self._place(here)] = n
