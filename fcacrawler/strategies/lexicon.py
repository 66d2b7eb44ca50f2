"""Short texts (anchors, contexts, URLs) as weighted word numbers, a page's worth of them at a time.

A word's number is a hash of its stem, so that equal texts give equal rows in every process, whatever was read before.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from fcacrawler.compiled import compiled
from fcacrawler.page.background import Background, Remembered, background
from fcacrawler.page.segment import UNSPACED
from fcacrawler.page.words import apart, cut, tokens
from fcacrawler.spellings import Spellings

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
BITS = 18
SPACE = 1 << BITS  # word numbers
_CODE = BITS + 16  # bits of a code
_FINE = 1 << 12  # steps of a weight
LONG = 4  # digits of a number that may mean something, as years do
NOTHING = -1  # code of a word that says nothing


@dataclass(frozen=True, slots=True)
class Rows:
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
        self._language = language
        self._known = background(language)
        self._remembered = Remembered(lambda word: _code(self._known, self._known.term(word)))
        self._spellings = Spellings(self._codes)

    def rows(self, texts: Sequence[str]) -> Rows:
        codes, owner = self._read(texts)
        keyed = owner << _CODE | codes
        keyed.sort()
        return Rows(*_rows(keyed, len(texts)))

    def _read(self, texts: Sequence[str]) -> tuple[Ints, Ints]:
        """The codes of all words, and whose each is."""
        if self._language not in UNSPACED and all(map(apart, texts)):
            return self._spellings.read(texts)
        found = [list(map(self._remembered.__getitem__, tokens(text, self._language))) for text in texts]
        owner = np.repeat(np.arange(len(found)), [len(codes) for codes in found])
        return np.array(list(chain.from_iterable(found)), np.int64), owner

    def _codes(self, runs: Sequence[str]) -> list[list[int]]:
        words = [[run] if run.isascii() else cut(run) for run in runs]
        codes = map(partial(_code, self._known), self._known.stems(list(chain.from_iterable(words))))
        return [list(islice(codes, len(found))) for found in words]


def _code(known: Background, stem: str) -> int:
    """A stem's number and its idf, in one integer; -1 for one that says nothing."""
    weight = round(known.idf(stem) * _FINE) if stem else 0
    return number(stem) << 16 | weight if weight else NOTHING


@compiled
def _rows(keyed: Ints, texts: int) -> tuple[Ints, Floats, Ints, Ints]:
    """``Rows`` of codes after the numbers of their texts, ascending; what is below 0 is nothing."""
    ids, values, owner = np.empty(keyed.size, np.int64), np.empty(keyed.size), np.empty(keyed.size, np.int64)
    starts = np.zeros(texts + 1, np.int64)
    i, end = 0, 0
    while i < keyed.size and keyed[i] < 0:
        i += 1
    for text in range(texts):
        starts[text], norm = end, 0.0
        while i < keyed.size and keyed[i] >> _CODE == text:
            first = i
            while i < keyed.size and keyed[i] == keyed[first]:
                i += 1
            code = keyed[first] & ((1 << _CODE) - 1)
            weight = (1 + math.log(i - first)) * ((code & 0xFFFF) / _FINE)
            ids[end], values[end], owner[end] = code >> 16, weight, text
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


def dense(weights: Mapping[str, float]) -> NDArray[np.float64]:
    """A vector of stems as an array over all numbers."""
    out = np.zeros(SPACE)
    for stem, weight in weights.items():
        out[number(stem)] += weight
    return out


def runs(starts: NDArray[np.int64], ends: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All numbers from starts[i] to ends[i], one run after the other, and whose run each is in.

    >>> [a.tolist() for a in runs(np.array([7, 0, 2]), np.array([9, 0, 5]))]
    [[7, 8, 2, 3, 4], [0, 0, 2, 2, 2]]
    """
    sizes = ends - starts
    owner = np.repeat(np.arange(len(sizes)), sizes)
    return np.arange(len(owner)) + (starts - np.cumsum(sizes) + sizes)[owner], owner
