"""Words as numbers, a page's worth at a time and without an object a word: each is hashed where it stands, and looked
up in a table of arrays. A dict's strings and integers lie all over memory, and waiting for them takes the time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Hashes = NDArray[np.uint64]

LONGEST = 99  # characters of a word
MOST = 1 << 16  # characters that are looked at together
BUCKETS, WAYS = 1 << 14, 8  # places of words; a bucket is one line of a processor's cache
_BASE = 0x9E3779B97F4A7C15
_WORD = np.array([chr(c).isalnum() and c < 128 for c in range(256)])
_DIGITS = np.array([48 <= c < 58 for c in range(256)])


def _powers(base: int) -> Hashes:
    powers = np.full(MOST + 2, base, np.uint64)
    powers[0] = 1
    return np.asarray(np.cumprod(powers))


_POWERS, _INVERSE = _powers(_BASE), _powers(pow(_BASE, -1, 1 << 64))


class Spellings:
    """A function of ASCII words, remembered for as many as there is room for; of words that begin with a digit, of
    which there is no end, for none."""

    def __init__(self, code: Callable[[str], int], buckets: int = BUCKETS) -> None:
        self._code = code
        self._keys = np.zeros((buckets, WAYS), np.uint64)
        self._codes = np.zeros((buckets, WAYS), np.int64)
        self._next = np.zeros(buckets, np.int64)  # the place in a bucket that is taken next

    def read(self, texts: Sequence[str]) -> tuple[Ints, Ints]:
        """The codes of all words of these ASCII texts, and whose each is.

        >>> Spellings(len).read(["One two", "", "THREE one"])
        (array([3, 3, 5, 3]), array([0, 0, 2, 2]))
        """
        lines = "\n".join(texts)
        if len(lines) > MOST:
            if len(texts) == 1:
                return self.read([lines[:MOST]])
            half = len(texts) // 2
            (a, of_a), (b, of_b) = self.read(texts[:half]), self.read(texts[half:])
            return np.concatenate([a, b]), np.concatenate([of_a, of_b + half])
        if lines.count("\n") >= len(texts):
            lines = "\n".join([t.replace("\n", " ") for t in texts])
        lines = f"\n{lines.lower()}\n"
        data = np.frombuffer(lines.encode("ascii"), np.uint8)
        starts, ends = _words(data)
        owner = np.searchsorted(np.flatnonzero(data == 10), starts) - 1
        return self._looked_up(lines, data, starts, ends), owner

    def _looked_up(self, lines: str, data: Bytes, starts: Ints, ends: Ints) -> Ints:
        hashes = _hashes(data, starts, ends)
        bucket = (hashes >> np.uint64(50)).astype(np.intp) % len(self._keys)
        way = (self._keys[bucket] == hashes[:, None]).argmax(1)
        found = self._codes[bucket, way]
        news = np.flatnonzero(self._keys[bucket, way] != hashes)
        if len(news):
            pairs = zip(starts[news].tolist(), ends[news].tolist(), strict=True)
            found[news] = [self._code(lines[a:b]) for a, b in pairs]
            kept = news[~_DIGITS[data[starts[news]]]]
            place = bucket[kept], self._next[bucket[kept]]
            self._keys[place], self._codes[place] = hashes[kept], found[kept]
            self._next[place[0]] = (place[1] + 1) % WAYS
        return np.asarray(found)


def _words(data: Bytes) -> tuple[Ints, Ints]:
    """Where words begin and end: runs of letters and digits; longer ones than 99 are cut."""
    inside = _WORD[data]
    edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1
    starts, ends = edges[::2], edges[1::2]
    if len(starts) and (ends - starts).max() > LONGEST:
        cuts = [np.arange(a, b, LONGEST) for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]
        ends = np.minimum(np.concatenate(cuts) + LONGEST, np.repeat(ends, [len(c) for c in cuts]))
        starts = np.concatenate(cuts)
    return starts, ends


def _hashes(data: Bytes, starts: Ints, ends: Ints) -> Hashes:
    """Σ byte_k · base^k over a word's bytes, mixed; never 0, which is an empty place."""
    sums = np.cumsum(data * _POWERS[: len(data)])
    found = (sums[ends - 1] - sums[starts - 1]) * _INVERSE[starts]
    found ^= found >> np.uint64(32)
    found *= np.uint64(_BASE)
    return np.asarray(found | np.uint64(1))
