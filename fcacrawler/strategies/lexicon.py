"""Short texts (anchors, contexts, URLs) as weighted word numbers, a page's worth of them at a time.

A word's number is a hash of its stem, so that equal texts give equal rows in every process, whatever was read before.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from fcacrawler.page.background import NUMBER, background
from fcacrawler.page.segment import UNSPACED
from fcacrawler.page.words import tokens
from fcacrawler.strategies.columns import tallied
from fcacrawler.strategies.spellings import Spellings

Ints = NDArray[np.int64]
BITS = 18
SPACE = 1 << BITS  # word numbers
_REMEMBERED = 50_000  # words
_FINE = 1 << 12  # steps of a weight
_NUMBER = round(NUMBER * _FINE)
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


class _Codes(dict[str, int]):
    """Word → its stem's number and its idf, in one integer; -1 for a word that says nothing."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._background = background(language)

    def __missing__(self, word: str) -> int:
        if len(self) > _REMEMBERED:
            self.clear()
        code = self[word] = self.of(word)
        return code

    def of(self, word: str) -> int:
        known = self._background
        if word[0].isdigit():
            is_id = LONG < len(word) < 40 and word.isdigit()  # which is its own stem
            stem = word if is_id else known.term(word)
            return number(stem) << 16 | _NUMBER if stem else NOTHING
        stem = known.terms[word]
        weight = round(known.idfs[stem] * _FINE) if stem else 0
        return number(stem) << 16 | weight if weight else NOTHING


class Lexicon:
    """Weights (1 + ln tf)·idf as everywhere, of short texts in one language."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._codes = _Codes(language)
        self._ascii = Spellings(self._codes.of)

    def rows(self, texts: Sequence[str]) -> Rows:
        flat, owner = self._read(texts)
        keyed, count = tallied((owner << 34 | flat)[flat >= 0])
        row, code = keyed >> 34, keyed & ((1 << 34) - 1)
        values = (1 + np.log(count)) * ((code & 0xFFFF) / _FINE)
        lengths = np.sqrt(np.bincount(row, weights=values * values, minlength=len(texts)))
        starts = np.searchsorted(row, np.arange(len(texts) + 1))
        return Rows(code >> 16, values / lengths[row], row, starts)

    def _read(self, texts: Sequence[str]) -> tuple[Ints, Ints]:
        """The codes of all words, and whose each is."""
        if self._language in UNSPACED:
            return self._slowly(texts, range(len(texts)))
        plain = [n for n, text in enumerate(texts) if text.isascii()]
        codes, owner = self._ascii.read([texts[n] for n in plain])
        if len(plain) == len(texts):
            return codes, owner
        others = [n for n, text in enumerate(texts) if not text.isascii()]
        more, whose = self._slowly([texts[n] for n in others], others)
        return np.concatenate([codes, more]), np.concatenate([np.array(plain, np.int64)[owner], whose])

    def _slowly(self, texts: Sequence[str], numbers: Sequence[int]) -> tuple[Ints, Ints]:
        found = [list(map(self._codes.__getitem__, tokens(text, self._language))) for text in texts]
        return np.array(list(chain.from_iterable(found)), np.int64), np.repeat(numbers, [len(f) for f in found])


def number(stem: str) -> int:
    """Which of the numbers a stem has.

    >>> number("railway") == number("railway") != number("train")
    True
    """
    return crc32(stem.encode()) & (SPACE - 1)


def numbers(stems: Collection[str]) -> NDArray[np.int32]:
    """``number`` of many."""
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
