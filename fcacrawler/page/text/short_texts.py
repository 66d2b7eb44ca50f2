"""Short texts (anchors, contexts, URLs) as weighted word numbers, a page's worth of them at a time.

A word's number is a hash of its stem, so that equal texts give equal rows in every process, whatever was read before.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from fcacrawler.lowlevel.compiled import compiled
from fcacrawler.page.text.background import NUMBER
from fcacrawler.page.text.vocabulary import NAMELESS, vocabulary

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
BITS = 18
SPACE = 1 << BITS  # word numbers
_FINE = 1 << 12  # steps of a weight
_NUMBER = np.int64(NUMBER * _FINE)
LONG = 4  # digits of a number that may mean something, as years do


@dataclass(frozen=True, slots=True)
class TextRows:
    """Sparse rows, one after the other: row i is ids[starts[i]:starts[i+1]] with its values, of L2 norm 1 or empty."""

    ids: NDArray[np.int64]
    values: NDArray[np.float64]
    owner: NDArray[np.int64]  # whose each is
    starts: NDArray[np.int64]

    def dot(self, dense: NDArray[np.floating]) -> NDArray[np.float64]:
        """The scalar product of every row with a dense vector."""
        return np.asarray(np.bincount(self.owner, dense[self.ids] * self.values, len(self.starts) - 1), np.float64)

    def __getitem__(self, row: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        start, end = self.starts[row], self.starts[row + 1]
        return self.ids[start:end], self.values[start:end]


class Lexicon:
    """Weights (1 + ln tf)·idf as everywhere, of short texts in one language."""

    def __init__(self, language: str) -> None:
        self._words = vocabulary(language)

    def rows(self, texts: Sequence[str]) -> TextRows:
        numbers, owner = self._words.read_all(texts)
        words = self._words
        keyed = _keyed(numbers, owner, words.stem_of, words.keys, words.stems.weights)
        keyed.sort()
        return TextRows(*_rows(keyed, len(texts)))


@compiled
def _keyed(words: Ints, owner: Ints, stem_of: Ints, keys: Ints, idfs: Floats) -> Ints:
    """Of each word that says something, in one integer: whose it is, its stem's number, and its idf."""
    keyed, end = np.empty(words.size, np.int64), 0
    for i in range(words.size):
        key, weight = words[i] - NAMELESS, _NUMBER
        if key < 0:
            stem = stem_of[words[i]]
            key, weight = keys[stem], np.int64(np.rint(idfs[stem] * _FINE))
        if weight > 0:
            keyed[end] = owner[i] << (BITS + 16) | (key & (SPACE - 1)) << 16 | weight
            end += 1
    return keyed[:end]


@compiled
def _rows(keyed: Ints, texts: int) -> tuple[Ints, Floats, Ints, Ints]:
    """``TextRows`` of what ``_keyed`` answers, ascending."""
    ids, values, owner = np.empty(keyed.size, np.int64), np.empty(keyed.size), np.empty(keyed.size, np.int64)
    starts = np.zeros(texts + 1, np.int64)
    i, end = 0, 0
    for text in range(texts):
        starts[text], norm = end, 0.0
        while i < keyed.size and keyed[i] >> (BITS + 16) == text:
            first = i
            while i < keyed.size and keyed[i] == keyed[first]:
                i += 1
            weight = (1 + math.log(i - first)) * ((keyed[first] & 0xFFFF) / _FINE)
            ids[end], values[end], owner[end] = keyed[first] >> 16 & (SPACE - 1), weight, text
            norm += weight * weight
            end += 1
        for k in range(starts[text], end):
            values[k] /= math.sqrt(norm)
    starts[texts] = end
    return ids[:end], values[:end], owner[:end], starts


def number(stem: str) -> int:
    """Which of the numbers a stem has.

    >>> number("railway") == number("railway") != number("train")
    True
    """
    return crc32(stem.encode()) & (SPACE - 1)


def numbers(stems: Collection[str]) -> NDArray[np.int32]:
    """``number`` of many. (To look them up in a dict takes longer: each is at three places in memory.)"""
    hashes = np.fromiter(map(crc32, map(str.encode, stems)), np.uint32, len(stems))
    return (hashes & (SPACE - 1)).astype(np.int32)


def weighted(terms: Mapping[str, float]) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """A vector of stems as their numbers and weights, which are as exact as float32."""
    return numbers(terms), np.fromiter(terms.values(), np.float32, len(terms)).astype(np.float64)


def dense(weights: Mapping[str, float]) -> NDArray[np.float64]:
    """A vector of stems as an array over all numbers."""
    given = np.fromiter(weights.values(), np.float64, len(weights))
    return np.bincount(numbers(weights), given, SPACE).astype(np.float64, copy=False)


def runs(starts: NDArray[np.int64], ends: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All numbers from starts[i] to ends[i], one run after the other, and whose run each is in.

    >>> [a.tolist() for a in runs(np.array([7, 0, 2]), np.array([9, 0, 5]))]
    [[7, 8, 2, 3, 4], [0, 0, 2, 2, 2]]
    """
    sizes = ends - starts
    owner = np.repeat(np.arange(len(sizes)), sizes)
    return np.arange(len(owner)) + (starts - np.cumsum(sizes) + sizes)[owner], owner
