"""How many words pages have, as the index counts them: of what is searched all columns together.

Why so: decision 396.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fcacrawler.frontier.sqlite.store import Store
from fcacrawler.search.index import LATE, fact

Floats = NDArray[np.float64]
SIZES = "SELECT json_group_array(id), group_concat(hex(sz), '') FROM words_docsize WHERE id > ?"
COLUMNS = 4
MOST = 16  # indexes that are remembered


class _Read(NamedTuple):
    pages: int  # that the index says it has
    long: Floats  # by number of the page; -1 where there is none
    rows: int  # pages that it has
    mean: float


class Lengths:
    """Of all indexes that this process reads, for all of its threads."""

    def __init__(self) -> None:
        self._read: OrderedDict[str, _Read] = OrderedDict()
        self._lock = Lock()

    def of(self, db: Store, born: str, numbers: NDArray[np.int64]) -> tuple[Floats, int, float]:
        """Of these pages, how many pages there are in the index, and the mean of all of them."""
        pages = int(fact(db, "pages") or 0)
        with self._lock:
            read = self._read.pop(born, _Read(0, np.zeros(0), 0, 1.0))
            if read.pages != pages:
                long = _more(db, read.long)
                there = long[long >= 0]
                read = _Read(pages, long, len(there), float(there.mean()) if len(there) else 1.0)
            self._read[born] = read
            if len(self._read) > MOST:
                self._read.popitem(last=False)
        return read.long[numbers], read.rows, read.mean


def _more(db: Store, known: Floats) -> Floats:
    """A page may come later than those after it: the last are read again."""
    firm = max(-1, len(known) - 1 - LATE)
    ids, sizes = db.execute(SIZES, (firm,)).fetchone()
    numbers = np.fromstring(ids[1:-1], np.int64, sep=",")
    long = np.full(max(len(known), int(numbers.max(initial=-1)) + 1), -1.0)
    long[: len(known)] = known
    long[numbers] = totals(bytes.fromhex(sizes or ""))
    return long


def totals(sizes: bytes) -> Floats:
    """The sum of each ``COLUMNS`` numbers, which are written as SQLite writes them: seven bits a byte, the first the
    most, and the eighth bit says that there are more.

    >>> totals(bytes([1, 2, 3, 4, 0, 0, 0x81, 0x00, 5])).tolist()
    [10.0, 133.0]
    """
    parts = np.frombuffer(sizes, np.uint8)
    last = np.flatnonzero(parts < 128)  # byte of each number
    behind = last[np.searchsorted(last, np.arange(len(parts)))] - np.arange(len(parts))
    worth = (parts & 127) * 128.0**behind
    return np.add.reduceat(worth, np.append(0, last[COLUMNS - 1 :: COLUMNS][:-1] + 1)) if len(last) else np.zeros(0)
