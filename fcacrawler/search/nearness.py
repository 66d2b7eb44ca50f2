"""How near in meaning a crawl's pages are to a question: its vectors, read from their file.

Up to ``WHOLE`` pages every one is compared, in single precision. Of larger crawls signs are compared first, 32 bytes a
page: as many of the 256 as differ, so far is a page about; the nearest ``LOOKED`` of them are then compared as they
are.

Why so: decision 341.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fcacrawler.search.index import LATE

Floats = NDArray[np.float32]
Half = NDArray[np.float16]
Bits = NDArray[np.uint64]

WHOLE = 1 << 17  # pages
LOOKED = 0.03  # of a larger crawl
SAMPLE = 20_000  # pages that tell what is usual
BLOCK = 16_384  # rows that are widened at a time


def rows(path: Path, size: int) -> Half:
    """The vectors in a file, mapped into memory; a row that is being written is left out."""
    count = path.stat().st_size // (2 * size) if path.exists() else 0
    if not count:
        return np.zeros((0, size), np.float16)
    return np.memmap(path, np.float16, "r", shape=(count, size))


def nearness(path: Path, narrow: Half, query: Floats, also: Sequence[int] = (), whole: int = WHOLE) -> Floats:
    """Of every page by number: how many standard deviations its cosine with the query lies above the mean of all; 0
    for pages without a vector, and for those that were not looked at, which are not near. ``also``: to be looked at
    in any case."""
    if len(narrow) <= whole:
        cosines = _kept.rows(path, narrow, True) @ query if len(narrow) else np.zeros(0, np.float32)
        return _z(cosines, cosines)
    apart = np.bitwise_count(_kept.rows(path, narrow, False) ^ signs(query[None])[0]).sum(1, dtype=np.uint16)
    count = max(1, int(LOOKED * len(narrow)))
    near = np.argpartition(apart, count)[:count]
    near = np.union1d(near, np.array([n for n in also if n < len(narrow)], np.int64))
    cosines = np.zeros(len(narrow), np.float32)
    cosines[near] = narrow[near].astype(np.float32) @ query
    return _z(cosines, narrow[:: 1 + len(narrow) // SAMPLE].astype(np.float32) @ query)


def _z(cosines: Floats, usual: Floats) -> Floats:
    usual = usual[usual != 0]
    if len(usual) < 2:
        return np.zeros_like(cosines)
    return np.where(cosines != 0, (cosines - usual.mean()) / (usual.std() + 1e-6), 0).astype(np.float32)


def signs(wide: Floats) -> Bits:
    """A bit for each number, 64 together; what is left over of the last is 0.

    >>> signs(np.array([[1, -1, 1, 1]], np.float32))
    array([[176]], dtype=uint64)
    """
    packed = np.packbits(wide > 0, axis=1)
    return np.ascontiguousarray(np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8)))).view(np.uint64)


class _Made(NamedTuple):
    file: int  # its number: another one has other vectors
    known: int  # rows that are made
    room: NDArray[Any]  # for more, since more may come


class _Kept:
    """What is made of files of vectors, once for all threads of this process."""

    def __init__(self) -> None:
        self._made: dict[Path, _Made] = {}
        self._lock = Lock()

    def rows(self, path: Path, narrow: Half, whole: bool) -> NDArray[Any]:
        """In single precision, or signs. A page may come later than those after it: the last are made again."""
        first = narrow[:1].astype(np.float32) if whole else signs(narrow[:1].astype(np.float32))
        with self._lock:
            file, made = path.stat().st_ino, self._made.get(path)
            old = made is None or made.file != file or made.known > len(narrow)
            if made is None or old or made.room.dtype != first.dtype or made.room.shape[1] != first.shape[1]:
                made = _Made(file, 0, first[:0])
            if made.known < len(narrow):
                self._made[path] = made = _more(made, narrow, whole)
            return made.room[: made.known]


def _more(made: _Made, narrow: Half, whole: bool) -> _Made:
    room, firm = made.room, max(0, made.known - LATE)
    if len(room) < len(narrow):
        room = np.zeros((len(narrow) * 5 // 4, room.shape[1]), room.dtype)
        room[:firm] = made.room[:firm]
    for start in range(firm, len(narrow), BLOCK):
        some = narrow[start : start + BLOCK].astype(np.float32)
        room[start : start + len(some)] = some if whole else signs(some)
    return _Made(made.file, len(narrow), room)


_kept = _Kept()
