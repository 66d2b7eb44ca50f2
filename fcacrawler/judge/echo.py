"""What pages say that say most of the topic's words: what the topic means on this web, whoever the seeds are.

Why so: decisions 220 and 415.
"""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import NamedTuple

from fcacrawler.judge.lists import tells
from fcacrawler.judge.profile import Vector, dot, norm, total

MOST, SHARE, FEWEST = 50, 20, 3  # pages that are heard: one in twenty, at least three, fifty at the most
DOUBT = 5.0  # how many it takes to be half believed
LEAST = 0.02  # w below which the words are hardly said: the topic may not be there
APART = 0.125  # what is left of w where the words stand apart
SHORT = 40.0  # distinct words that a page has when its cosine counts half
SURE = 0.05  # w from which a page counts as one that says the words


class Heard(NamedTuple):
    """A page that says the topic's words."""

    rest: float  # 1 - w
    number: int  # in order of arrival
    url: str
    terms: Vector
    dense: float  # links a word


class Echo:
    """E = norm(Σ w·page), w = p·d·c²·cos(page, words) with d = n / (n + 40) for a page of n distinct words.

    p is 1 for a page that is named by the words as they stand together, 1/8 for one that says them apart (``phrases``).
    c is the share of the words that it says, each by its weight squared: one that says *expression* all the time and
    never *regular* is about something else.

    Heard are the pages with the highest w·t of the fifty with the highest w, t how far a page tells something and does
    not list links (``lists``): one in twenty of all that have come, none below w = 0.02 if it said them together, and
    none that is marked bad.

    m = Σ min(1, max(w / 0.05, named))² over all pages is how many say the words at all, named the share of the words,
    each by its weight squared, in what a page is called.
    """

    def __init__(self, words: Vector, marks: Mapping[str, bool]) -> None:
        self._words = words
        self._marks = marks
        self._best: list[Heard] = []
        self._telling: list[Heard] = []  # rest: 1 - w·t
        self._usual = math.inf
        self._pages = 0
        self.met = 0.0  # m

    def add(
        self,
        url: str,
        terms: Vector,
        dense: float = 0.0,
        together: Callable[[], float] = lambda: 1.0,
        names: Vector = MappingProxyType({}),
    ) -> None:
        """A page has come; ``together``: how far it says the words together; ``names``: the words it is called by."""
        self._pages += 1
        said = dot(terms, self._words) * self._share(terms) ** 2 * len(terms) / (len(terms) + SHORT)
        if heard := said >= LEAST:
            said *= APART + (1 - APART) * together()
        self.met += min(1.0, max(said / SURE, self._share(names))) ** 2
        if heard and (len(self._best) < MOST or 1 - said < self._best[-1].rest):
            insort(self._best, Heard(1 - said, self._pages, url, terms, dense))
            del self._best[MOST:]
            self._telling = []

    def _share(self, terms: Vector) -> float:
        """Of the words, each by its weight squared."""
        return sum(weight * weight for word, weight in self._words.items() if weight > 0 and word in terms)

    def revise(self, usual: float) -> None:
        """So many links a word pages have usually."""
        self._usual, self._telling = usual, []

    def _heard(self) -> list[Heard]:
        if not self._telling:
            told = (page._replace(rest=1 - (1 - page.rest) * tells(page.dense, self._usual)) for page in self._best)
            self._telling = sorted(told)
        most = max(FEWEST, self._pages // SHARE)
        return [page for page in self._telling if self._marks.get(page.url, True)][:most]

    def knows(self, url: str) -> bool:
        """Whether the page may be heard, if it is not marked bad."""
        return any(page.url == url for page in self._best)

    @property
    def urls(self) -> Collection[str]:
        """Of the pages that are heard."""
        return {page.url for page in self._heard()}

    @property
    def share(self) -> float:
        """k / (k + 5), how far it is believed, of k pages."""
        k = len(self._heard())
        return k / (k + DOUBT)

    def vector(self, but: str = "") -> Vector:
        """E; of the other pages than this one."""
        return norm(total((page.terms, 1 - page.rest) for page in self._heard() if page.url != but))
