"""The words of the latest pages or links, and compiled sums over them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fcacrawler.lowlevel.columns import Column
from fcacrawler.lowlevel.compiled import compiled

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


class Rows(NamedTuple):
    """Row i is words[ends[i]:ends[i+1]] with its weights."""

    ends: Ints
    words: Ints
    weights: Floats


class RecentRows:
    """Rows of weighted words, in order of arrival: the latest ``kept``, or up to a quarter more."""

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self._words, self._weights = Column(np.int32), Column(np.float64)
        self._ends = Column(np.int32)  # where each row ends, after where the first one begins
        self._ends.extend([0])

    def __len__(self) -> int:
        return len(self._ends.values) - 1

    @property
    def rows(self) -> Rows:
        return Rows(self._ends.values, self._words.values, self._weights.values)

    def add(self, words: NDArray[np.integer], weights: Floats) -> int:
        """How many rows are forgotten for it."""
        self._words.extend(words)
        self._weights.extend(weights)
        self._ends.extend([len(self._words.values)])
        spare = len(self) - self._kept
        if spare <= self._kept // 4:
            return 0
        start = self._ends.values[spare]
        self._words.set(self._words.values[start:])
        self._weights.set(self._weights.values[start:])
        self._ends.set(self._ends.values[spare:] - start)
        return spare

    def row(self, at: int) -> tuple[Ints, Floats]:
        start, end = self._ends.values[at : at + 2]
        return self._words.values[start:end].copy(), self._weights.values[start:end].copy()

    def put(self, at: int, words: NDArray[np.integer], weights: Floats) -> None:
        """Another row in the place of one."""
        start, end = self._ends.values[at : at + 2]
        self._words.set(np.concatenate([self._words.values[:start], words, self._words.values[end:]]))
        self._weights.set(np.concatenate([self._weights.values[:start], weights, self._weights.values[end:]]))
        self._ends.values[at + 1 :] += len(words) - (end - start)


@compiled
def dots(rows: Rows, worth: Floats) -> Floats:
    """Σ weight · worth of each row's words."""
    found = np.zeros(len(rows.ends) - 1)
    for i in range(len(found)):
        for at in range(rows.ends[i], rows.ends[i + 1]):
            found[i] += worth[rows.words[at]] * rows.weights[at]
    return found


@compiled
def turn_away(rows: Rows, shares: Floats, factor: float, vector: Floats) -> None:
    """vector -= factor · unit(Σ share · row)."""
    total = np.zeros(len(vector))
    for i in range(len(shares)):
        for at in range(rows.ends[i], rows.ends[i + 1]):
            total[rows.words[at]] += shares[i] * rows.weights[at]
    factor /= max(1e-6, np.sqrt((total * total).sum()))
    vector -= factor * total


@compiled
def renumber(words: Ints, numbers: Ints, used: int) -> tuple[Ints, Ints]:
    """The words' numbers, and which words are new: their number was below 0, and is the next from ``used`` on."""
    found, new = np.empty(len(words), np.int32), np.empty(len(words), np.int32)
    first = used
    for i in range(len(words)):
        if numbers[words[i]] < 0:
            numbers[words[i]] = used
            new[used - first] = words[i]
            used += 1
        found[i] = numbers[words[i]]
    return found, new[: used - first]
