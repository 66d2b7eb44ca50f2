"""The engine's part in a rank: the formal concepts of relevant pages that what stands at links is held against.

A link's concept has the words at the links to a page as its intent, and the pages that link there as its extent. The
base are the concepts of the relevant pages and their keywords; how alike keywords are, ics, is what a log says, or what
the links of relevant pages do.

Why so: decision 205.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fcacrawler.lowlevel.compiled import compiled
from fcacrawler.orders import Given
from fcacrawler.orders.keyword_ties import Ties
from fcacrawler.orders.semrank.known import Links
from fcacrawler.page.text.short_texts import SPACE, Lexicon
from fcacrawler.semrank.base_concepts import BaseConcepts, Lattice, Word
from fcacrawler.semrank.kernels.nearest import NONE, Near
from fcacrawler.semrank.parameters import SEMRANK_2013
from fcacrawler.values.links import Evidence
from fcacrawler.values.pages import SeenPage

if TYPE_CHECKING:
    from fcacrawler.semrank.ics import LogSimilarity

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
KEYWORDS = 10  # of a page, its best
LINKS, GROWTH = 2000, 3  # of relevant pages, the latest, that Ω is learned from; and when anew
KIN = 8  # words that a keyword is like, the most alike
SHOWN = 5  # linking pages


class Shared(NamedTuple):
    """What candidates were found to share with the base at one time."""

    lattice: Lattice
    near: Near
    starts: Ints
    words: Ints

    def told(self, i: int, evidence: Sequence[Evidence], part: float) -> dict[str, Any]:
        """The base's concept that the i-th candidate is nearest to, its own, and the matched keywords; ``part``: how
        much of the sum w·Ext + (1-w)·Int the concepts are."""
        words = self.words[self.starts[i] : self.starts[i + 1]]
        pages = list(dict.fromkeys(e.parent for e in evidence))
        current = {
            "extent": pages[:SHOWN],
            "intent": sorted(self.lattice.words[w] for w in words),
            "pages": len(pages),
        }
        concept = int(self.near.concept[i])
        if concept == NONE:
            return {"current_concept": current}
        matched = self.lattice.matched(concept, words)
        base = {**self.lattice.told(concept), "part": round(part, 6)}
        return {"base_concept": base, "current_concept": current, "matched": matched}


class Kinship:
    """A keyword → words that are like it, by a similarity; by none, there are no such words."""

    def __init__(self, similarity: LogSimilarity | None, lexicon: Lexicon) -> None:
        self.similarity = similarity
        self.lexicon = lexicon
        self._known: dict[str, Sequence[Word]] = {}

    def __call__(self, keyword: str) -> Sequence[Word]:
        if self.similarity is None:
            return ()
        if keyword not in self._known:
            kin = dict(sorted(self.similarity.kin(keyword), key=lambda one: -one[1])[:KIN])
            words = _words(list(kin), self.lexicon)
            self._known[keyword] = [word._replace(ics=kin[word.name]) for word in words]
        return self._known[keyword]


class Base:
    """The relevant pages' concepts, and what is known of how alike keywords are."""

    def __init__(self, given: Given, room: int) -> None:
        self._concepts = BaseConcepts(room, SPACE)
        self._ties = Ties(given, SEMRANK_2013, LINKS, GROWTH)
        self._kin: Kinship | None = None

    def add(self, number: int, page: SeenPage, lexicon: Lexicon) -> None:
        """A relevant page has come."""
        names = list(dict.fromkeys(word for keyword, _ in page.keywords[:KEYWORDS] for word in keyword.split()))
        self._concepts.add(number, page.url, _words(names, lexicon))
        self._ties.observe(page)

    def refresh(self, relevance: Floats, lexicon: Lexicon) -> None:
        """What is thought of the pages has changed."""
        similarity = self._ties.now()
        if self._kin is None or self._kin.similarity is not similarity or self._kin.lexicon is not lexicon:
            self._kin = Kinship(similarity, lexicon)
        self._concepts.refresh(relevance, self._kin)

    def features(self, of: Links, columns: Floats) -> Shared | None:
        """``CONCEPTS``; all 0 as long as there are no concepts."""
        lattice = self._concepts.now
        if lattice is None:
            columns[:] = 0.0
            return None
        starts, words, linking = at_links(of, self._concepts.number_of, self._concepts.place_of, len(lattice.words))
        near = lattice.nearest(starts, words, of.first, linking)
        lattice.features(near, self._concepts.room, columns)
        return Shared(lattice, near, starts, words)


def _words(names: Sequence[str], lexicon: Lexicon) -> list[Word]:
    """Single words that say something, with their numbers, each number once."""
    rows = lexicon.rows(names)
    found: dict[int, Word] = {}
    for i, name in enumerate(names):
        if rows.starts[i + 1] == rows.starts[i] + 1:
            number = int(rows.ids[rows.starts[i]])
            found.setdefault(number, Word(number, name))
    return list(found.values())


@compiled
def at_links(of: Links, number_of: NDArray[np.int16], place_of: Ints, many: int) -> tuple[Ints, Ints, Ints]:
    """The words of the base in the anchors, contexts and the URL of each candidate, each once, and where those of each
    start; and the places in the base of the linking pages."""
    n, end = len(of.names), 0
    starts, words = np.zeros(n + 1, np.int64), np.empty(n * many, np.int64)
    seen = np.full(many, NONE)
    for i in range(n):
        for at in range(of.first[i], of.first[i + 1] + 1):
            if at < of.first[i + 1]:
                link = of.links[at]
                ids = of.said.ids[of.said.starts[2 * link] : of.said.starts[2 * link + 2]]
            else:
                ids = of.called.ids[of.called.starts[of.names[i]] : of.called.starts[of.names[i] + 1]]
            for k in ids:
                word = number_of[k]
                if word != NONE and seen[word] != i:
                    seen[word] = i
                    words[end] = word
                    end += 1
        starts[i + 1] = end
    linking = np.full(len(of.links), NONE)
    for at in range(len(of.links)):
        page = of.stands[of.links[at], 0]
        if 0 <= page < len(place_of):
            linking[at] = place_of[page]
    return starts, words[:end], linking
