"""Words as numbers, without an object a word: each is hashed where it stands, and looked up in a table of arrays.

A dict's strings and integers lie all over memory: making the ones and waiting for both takes the time. What a compiled
function calls stands in this file, or its cache would not know that it has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from fcacrawler.lowlevel.compiled import compiled

Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]

LONGEST = 99  # characters of a word
BUCKETS, WAYS = 1 << 15, 4  # places of words; a bucket, hashes and then codes, is one line of a processor's cache
DIGITS = 5  # of words that begin with a digit, of which there is no end, the longer ones are not remembered
_SEVERAL = 1 << 15  # codes that are remembered of those that have several
_UNKNOWN = int(np.iinfo(np.int64).min)
_FIRST = -2  # above are codes, and -2 - n says: those at the n-th place of what has several
_SPACE, _MARK, _END, _LETTER, _BEYOND = range(5)
_BASIS, _PRIME, _ONE = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3), np.uint64(1)  # Fowler, Noll & Vo
_MIX, _SHIFT, _LOWER = np.uint64(0x9E3779B97F4A7C15), np.uint64(32), np.uint64(32)


def _kind(c: int) -> int:
    if c > 127:
        return _BEYOND if c < 255 else _END
    if chr(c).isalnum():
        return _LETTER
    return _SPACE if (c != 10 and chr(c).isspace()) or chr(c) in "'`-_" else _MARK


_KINDS = np.array([_kind(c) for c in range(256)], np.uint8)


class Spellings:
    """A function of words, remembered for as many as there is room for.

    A word is a run of letters and digits. A run with characters beyond ASCII may be anything, and is the function's
    affair. Each may have one code, several or none; codes are -1 or above.
    """

    def __init__(
        self, codes: Callable[[list[str]], Sequence[Sequence[int]]], mark: int | None = None, buckets: int = BUCKETS
    ) -> None:
        """``codes``: of each of some words: ASCII ones in lower case, cut at 99 characters, and runs with others, as
        they stand but for ASCII capitals. ``mark``: the code of a mark and of a line's end between words, which have
        none otherwise."""
        self._codes = codes
        self._mark = _UNKNOWN if mark is None else mark
        self._table = np.zeros((buckets, 2 * WAYS), np.int64)
        self._next = np.zeros(buckets, np.int64)  # the place in a bucket that is taken next
        self._several, self._filled = np.zeros(_SEVERAL, np.int64), 0

    def clear(self) -> None:
        self._table[:] = 0
        self._filled = 0

    def read(self, texts: Sequence[str]) -> tuple[Ints, Ints]:
        """The codes of all words of these texts, and whose each is.

        >>> lengths = Spellings(lambda words: [[len(part) for part in word.split("–")] for word in words])
        >>> lengths.read(["One 2", "", "THREE four–five"])
        (array([3, 1, 5, 4, 4]), array([0, 0, 2, 2, 2]))
        """
        data = b"\xff".join([*[text.encode("utf-8", "surrogatepass") for text in texts], b""])
        if b"\xce\xa3" in data:  # Σ: the only letter that in lower case depends on what stands around it
            data = b"\xff".join([*[text.lower().encode("utf-8", "surrogatepass") for text in texts], b""])
        if 2 * self._filled > _SEVERAL:
            self.clear()
        found, owner, unknown, several = _read(np.frombuffer(data, np.uint8), self._table, self._mark)
        if len(unknown):
            words = [data[start:end] for start, end in unknown[:, 1:3].tolist()]
            codes = self._learned(list(dict.fromkeys(words)))
            learned = np.array([codes[word] for word in words])
            found[unknown[:, 0]] = learned
            several |= learned.min() <= _FIRST
            _remember(unknown[:, 3].copy(), learned, self._table, self._next)
        return _spread(found, owner, self._several) if several else (found, owner)

    def _learned(self, words: list[bytes]) -> dict[bytes, int]:
        """The code of each, or where its codes are."""
        found = self._codes(b" ".join(words).lower().decode("utf-8", "surrogatepass").split(" "))
        return {
            word: codes[0] if len(codes) == 1 else self._put(codes) for word, codes in zip(words, found, strict=True)
        }

    def _put(self, codes: Sequence[int]) -> int:
        start, self._filled = self._filled, self._filled + 1 + len(codes)
        if self._filled > len(self._several):
            self._several = np.concatenate([self._several, np.zeros(self._filled, np.int64)])
        self._several[start : self._filled] = len(codes), *codes
        return _FIRST - start


@compiled
def _sum(data: Bytes, start: int, end: int, lower: np.uint64) -> np.uint64:
    sum_ = _BASIS
    for i in range(start, end):
        sum_ = (sum_ ^ (np.uint64(data[i]) | lower)) * _PRIME
    return sum_


@compiled
def _read(data: Bytes, table: Ints, mark: int) -> tuple[Ints, Ints, Ints, bool]:
    """The code of each word and whose it is; of unknown ones the place among these, start, end and hash, which is 0 if
    it shall not be remembered; and whether one has several codes."""
    words = np.empty((data.size, 3), np.int64)  # start, end and hash: first all found, then all looked up
    owner = np.empty(data.size, np.int64)
    count, text, i = 0, 0, 0
    while i < data.size:
        kind = _KINDS[data[i]]
        start = i
        i += 1
        if kind == _END:
            text += 1
        elif kind == _MARK and mark != _UNKNOWN:
            words[count, 2], owner[count] = 0, text
            count += 1
        elif kind >= _LETTER:
            beyond = kind == _BEYOND
            sum_ = (_BASIS ^ (np.uint64(data[start]) | _LOWER)) * _PRIME
            while _KINDS[data[i]] >= _LETTER:
                beyond |= _KINDS[data[i]] == _BEYOND
                sum_ = (sum_ ^ (np.uint64(data[i]) | _LOWER)) * _PRIME
                i += 1
            hashed = not beyond and i - start <= LONGEST
            while start < i:
                end = i if beyond else min(i, start + LONGEST)
                if not hashed:
                    sum_ = _sum(data, start, end, np.uint64(0) if beyond else _LOWER)
                hash_ = ((sum_ ^ (sum_ >> _SHIFT)) * _MIX) | _ONE  # 0 is an empty place, and a mark
                words[count, 0], words[count, 1], words[count, 2] = start, end, np.int64(hash_)
                owner[count] = text
                count += 1
                start = end
    found = np.empty(count, np.int64)
    unknowns = 0
    for k in range(count):
        hash_ = words[k, 2]
        bucket = _bucket(hash_, table)
        code = mark if hash_ == 0 else _UNKNOWN
        for way in range(WAYS):
            if table[bucket, way] == hash_ != 0:
                code = table[bucket, WAYS + way]
        found[k] = code
        unknowns += hash_ != 0 and code == _UNKNOWN
    unknown = np.empty((unknowns, 4), np.int64)
    several, n = False, 0
    for k in range(count):
        if found[k] <= _FIRST:
            if words[k, 2] != 0 and found[k] == _UNKNOWN:
                start, end = words[k, 0], words[k, 1]
                kept = end - start <= (DIGITS if data[start] < 58 else LONGEST)
                unknown[n, 0], unknown[n, 1], unknown[n, 2], unknown[n, 3] = k, start, end, words[k, 2] if kept else 0
                n += 1
            else:
                several = True
    return found, owner[:count].copy(), unknown, several


@compiled
def _bucket(hash_: int, table: Ints) -> np.int64:
    return np.int64(np.uint64(hash_) >> _SHIFT) % np.int64(len(table))


@compiled
def _remember(hashes: Ints, codes: Ints, table: Ints, next_: Ints) -> None:
    for i in range(hashes.size):
        bucket = _bucket(hashes[i], table)
        there = hashes[i] == 0
        for way in range(WAYS):
            there |= table[bucket, way] == hashes[i]
        if not there:
            way = next_[bucket]
            table[bucket, way], table[bucket, WAYS + way] = hashes[i], codes[i]
            next_[bucket] = (way + 1) % WAYS


@compiled
def _spread(found: Ints, owner: Ints, several: Ints) -> tuple[Ints, Ints]:
    """The codes of those that have several in their places."""
    size = 0
    for code in found:
        size += several[_FIRST - code] if code <= _FIRST else 1
    codes, whose = np.empty(size, np.int64), np.empty(size, np.int64)
    end = 0
    for i in range(found.size):
        if found[i] > _FIRST:
            codes[end], whose[end] = found[i], owner[i]
            end += 1
        else:
            start = _FIRST - found[i] + 1
            for k in range(several[start - 1]):
                codes[end], whose[end] = several[start + k], owner[i]
                end += 1
    return codes, whose
