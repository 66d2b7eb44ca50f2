"""The base: the formal context of the latest relevant pages with their words, and its concepts.

Why so: decision 205.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from fcacrawler.lowlevel.columns import tallied
from fcacrawler.semrank.kernels.arrays import Concepts, Floats, Ints, grouped
from fcacrawler.semrank.kernels.concepts import largest
from fcacrawler.semrank.kernels.nearest import NONE, Base, Near, nearest

SUPPORT = 3  # pages that a concept has at the least
LIMIT = 1000  # concepts, so that ranking has a bound
MANY = 5.0  # shared keywords that say all that sharing can say
SHOWN = 5  # pages of an extent


class Word(NamedTuple):
    """A word by its number, which is the same for all of its forms."""

    number: int
    name: str  # one of these
    ics: float = 1.0  # how alike it is to the keyword that it was asked for


class Borne(NamedTuple):
    """A relevant page, and what it bears."""

    page: int
    url: str
    words: Ints  # by number: its best


Kin = Callable[[str], Sequence[Word]]  # a keyword → words that are like it


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """The iceberg of the base's concepts at one time: those that ``SUPPORT`` pages bear at least."""

    urls: Sequence[str]
    words: Sequence[str]  # that say something here; those of the concepts come first
    concepts: Concepts
    base: Base

    def nearest(self, word_starts: Ints, words: Ints, link_starts: Ints, linking: Ints) -> Near:
        """Of candidates with these words at their links, on these pages, both by their places here."""
        return nearest(word_starts, words, link_starts, linking, self.base, len(self.urls))

    def features(self, near: Near, room: int, columns: Floats) -> None:
        """``extent``: the part of the linking pages that bear the concept which the candidate shares most with;
        ``shared``: min(1, Σ ics / 5) over that concept's keywords; ``borne``: ln(1 + its pages) / ln(1 + room);
        ``intent``: Sim_int with the most alike concept."""
        pages = np.where(near.concept == NONE, 0, self.base.extents[near.concept])
        columns[0], columns[1] = near.ext, np.minimum(near.shared / MANY, 1.0)
        columns[2], columns[3] = np.log1p(pages) / np.log1p(room), near.int_

    def told(self, concept: int) -> dict[str, Any]:
        """A concept for people: some of its pages, how many there are, and all of its keywords."""
        extent = self.concepts.extents[concept]
        intent = sorted(self.words[a] for a in self.concepts.intents[concept])
        return {"extent": [self.urls[u] for u in extent[:SHOWN]], "intent": intent, "pages": len(extent)}

    def matched(self, concept: int, words: Ints) -> tuple[tuple[str, str, float], ...]:
        """Each of the concept's keywords with the most alike of these words, and how alike; the most alike first."""
        base, found = self.base, []
        for a in self.concepts.intents[concept].tolist():
            like = [
                (float(base.ics[k]), self.words[w])
                for w in words.tolist()
                for k in range(base.like_starts[w], base.like_starts[w + 1])
                if base.like[k] == a
            ]
            if like:
                ics, word = max(like, key=lambda one: one[0])
                found.append((self.words[a], word, ics))
        return tuple(sorted(found, key=lambda pair: (-pair[2], pair)))


class BaseConcepts:
    """What the latest ``room`` relevant pages say; ``now`` are their concepts, as they were at the last refresh."""

    def __init__(self, room: int, words: int) -> None:
        """``words``: how many numbers of words there are."""
        self.room = room
        self.now: Lattice | None = None
        self.number_of = np.full(words, NONE, np.int16)  # of words: their place among those that say something here …
        self.place_of = np.zeros(0, np.int64)  # … and of pages, as far as there were at the last refresh
        self._pages: deque[Borne] = deque(maxlen=room)
        self._names: dict[int, str] = {}
        self._from: tuple[Sequence[int], Kin | None] = ((), None)  # what ``now`` was made of

    def add(self, page: int, url: str, words: Sequence[Word]) -> None:
        for word in words:
            self._names.setdefault(word.number, word.name)
        self._pages.append(Borne(page, url, np.array([word.number for word in words], np.int64)))

    def refresh(self, relevance: Floats, kin: Kin) -> None:
        """The concepts of the pages that are still thought relevant."""
        pages = [p for p in self._pages if relevance[p.page] > 0.5]
        numbers = [p.page for p in pages]
        if (numbers, kin) != self._from:
            self._from = numbers, kin
            self.now = self._lattice(pages, kin) if len(pages) >= SUPPORT else None
            self.place_of = np.full(len(relevance), NONE)
            self.place_of[numbers] = np.arange(len(pages))

    def _lattice(self, pages: Sequence[Borne], kin: Kin) -> Lattice | None:
        said = np.concatenate([p.words for p in pages])
        borne, times = tallied(said)
        borne = borne[times >= SUPPORT]
        self.number_of[:] = NONE
        self.number_of[borne] = np.arange(len(borne))
        column = self.number_of[said].astype(np.int64)
        owner = np.repeat(np.arange(len(pages)), [len(p.words) for p in pages])
        rows = grouped(owner[column != NONE], column[column != NONE], len(pages))
        found = largest(rows, len(borne), SUPPORT, LIMIT)
        keywords = [Word(n, self._names[n]) for n in borne.tolist()]
        words, like = _alike(keywords, kin)
        self.number_of[[w.number for w in words]] = np.arange(len(words))
        X, holders = found.extents, found.intents.inverse(len(keywords))
        extents, holding = X.items.astype(np.int64), holders.items.astype(np.int64)
        base = Base(*like, holders.starts, holding, found.intents.sizes, X.sizes, X.starts, extents)
        return Lattice([p.url for p in pages], [w.name for w in words], found, base) if len(found) else None


def _alike(keywords: Sequence[Word], kin: Kin) -> tuple[list[Word], tuple[Ints, Ints, Floats]]:
    """The words that say something of these keywords, these first; and of each, where its keywords start, and which and
    how alike they are."""
    like: dict[Word, list[tuple[int, float]]] = {word: [(a, 1.0)] for a, word in enumerate(keywords)}
    named = {word.number: word for word in keywords}
    for a, keyword in enumerate(keywords):
        for other in kin(keyword.name):
            if other.number != keyword.number:
                word = named.setdefault(other.number, Word(other.number, other.name))
                like.setdefault(word, []).append((a, other.ics))
    starts = np.zeros(len(like) + 1, np.int64)
    np.cumsum([len(found) for found in like.values()], out=starts[1:])
    flat = [one for found in like.values() for one in found]
    return list(like), (starts, np.array([a for a, _ in flat], np.int64), np.array([ics for _, ics in flat]))
