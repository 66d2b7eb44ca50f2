"""What single stems say of pages, kept in memory: BM25 of a question is the sum over its stems,

    BM25(q, d) = Σ_{s ∈ q} BM25(s, d)

so that what was read for one question serves the next, and a common stem, which costs most, is read once. Of a single
stem it is worked out here, from where FTS5 says that it stands,

    BM25(s, d) = idf·f·(k + 1) / (f + k·(1 - b + b·|d|/mean |d|)),  idf = ln((N - n + ½) / (n + ½)), 10⁻⁶ at least

f: how often s stands in d, in the title counting as four times; |d|: words of d; n of N pages have s; k = 1.2, b = .75.
These are the numbers of FTS5's own ``bm25``, which takes six times as long, and is asked for stems in a row.

Why so: decisions 340, 396.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from math import log
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fcacrawler.frontier.sqlite.store import Store
from fcacrawler.search.index import LATE, fact
from fcacrawler.search.lengths import Lengths

Floats = NDArray[np.float32]
TITLE = 4.0  # weight of words in the title; of those in what links call the page and in its URL, and in the text, 1
WEIGHTS = f"{TITLE}, 1.0, 1.0, 0.0"
K, B = 1.2, 0.75
BEST = f"SELECT rowid AS n, -bm25(words, {WEIGHTS}) AS s FROM words WHERE words MATCH ? AND rowid > ? ORDER BY rowid"
# As one row: of many the thread would wait for its turn at each.
AT_ONCE = f"SELECT json_group_array(n), json_group_array(s) FROM ({BEST} LIMIT -1)"
BEAR = "SELECT count(*) FROM words WHERE words MATCH ?"
PLACES = "SELECT json_group_array(2 * doc + (col = 'title')) FROM instances WHERE term = ?"
MOST = 12_000_000  # pages of all stems that are kept: 100 MB …
EACH = 64  # … a stem counting as so many more, so that those that nobody says are bounded too
GROWN = 1.05  # an index that has grown so far says something else of how rare a stem is


def quoted(word: str) -> str:
    """As FTS5 has it: nothing in it is syntax."""
    return '"' + word.replace('"', '""') + '"'


class Posting(NamedTuple):
    """The pages that bear a stem."""

    numbers: NDArray[np.int32]  # ascending
    scores: Floats  # BM25 of each
    pages: int  # that the index had then
    firm: int  # up to this number there is none that was not there then


class Postings:
    """Of all indexes that this process reads, for all of its threads; what was not asked for longest goes."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[str, str], Posting] = OrderedDict()
        self._size = 0
        self._lock = Lock()
        self._lengths = Lengths()

    def scores(self, db: Store, stems: Mapping[str, float]) -> Floats:
        """BM25 of every page by its number, 0 of pages without any of these stems. ``stems``: what each weighs; several
        with spaces between are such as stand in a row. Of an index that grows it is as all of it would be asked, but
        for how rare a stem is: that may be of when it was ``GROWN`` times smaller."""
        born, pages = fact(db, "born"), int(fact(db, "pages") or 0)
        (last,) = db.execute("SELECT max(number) FROM docs").fetchone()
        firm = max(-1, (last or 0) - LATE)
        numbers, weights = [np.zeros(0, np.int32)], [np.zeros(0, np.float32)]
        for stem, weight in stems.items():
            posting = self._of(db, born, stem, pages, firm)
            parts = [posting]
            if posting.pages != pages:
                parts = [_until(posting, posting.firm), _read(db, stem, posting.firm, pages, firm)]
            numbers += [part.numbers for part in parts]
            weights += [weight * part.scores for part in parts]
        return np.bincount(np.concatenate(numbers), np.concatenate(weights)).astype(np.float32)

    def _of(self, db: Store, born: str, stem: str, pages: int, firm: int) -> Posting:
        with self._lock:
            known = self._kept.get((born, stem))
            if known is not None and known.pages <= pages <= GROWN * known.pages:
                self._kept.move_to_end((born, stem))
                return known
        read = self._counted(db, born, stem, pages, firm) or _read(db, stem, -1, pages, firm)
        with self._lock:
            before = self._kept.pop((born, stem), None)
            self._kept[born, stem] = read
            self._size += _size(read) - (_size(before) if before else 0)
            while self._size > self._most:
                self._size -= _size(self._kept.popitem(last=False)[1])
        return read

    def _counted(self, db: Store, born: str, stem: str, pages: int, firm: int) -> Posting | None:
        """None if FTS5 does not keep it as one word that is written so."""
        (bear,) = db.execute(BEAR, (quoted(stem),)).fetchone()
        (written,) = db.execute(PLACES, (stem,)).fetchone()
        places = np.fromstring(written[1:-1], np.int64, sep=",") if len(written) > 2 else np.zeros(0, np.int64)
        docs = places >> 1
        first = np.flatnonzero(np.diff(docs, prepend=-1))
        if len(first) != bear:
            return None
        if not bear:
            return Posting(np.zeros(0, np.int32), np.zeros(0, np.float32), pages, firm)
        often = np.add.reduceat(np.where(places & 1, TITLE, 1.0), first)
        long, count, mean = self._lengths.of(db, born, docs[first])
        idf = max(1e-6, log((count - bear + 0.5) / (bear + 0.5)))
        scores = idf * often * (K + 1) / (often + K * (1 - B + B * long / mean))
        return Posting(docs[first].astype(np.int32), scores.astype(np.float32), pages, firm)


def _size(posting: Posting) -> int:
    return EACH + len(posting.numbers)


def _read(db: Store, stem: str, above: int, pages: int, firm: int) -> Posting:
    numbers, scores = db.execute(AT_ONCE, (quoted(stem), above)).fetchone()
    return Posting(_numbers(numbers).astype(np.int32), _numbers(scores).astype(np.float32), pages, firm)


def _numbers(written: str) -> NDArray[np.float64]:
    """
    >>> _numbers("[1,2.5]"), _numbers("[]")
    (array([1. , 2.5]), array([], dtype=float64))
    """
    return np.fromstring(written[1:-1], np.float64, sep=",") if len(written) > 2 else np.zeros(0)


def _until(posting: Posting, number: int) -> Posting:
    end = np.searchsorted(posting.numbers, number, "right")
    return posting._replace(numbers=posting.numbers[:end], scores=posting.scores[:end])
