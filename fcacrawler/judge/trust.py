"""How much each seed speaks for the topic. Seeds say where to start; words and examples say what is sought.

Why so: decisions 180, 370 and 415.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from urllib.parse import urlsplit

import numpy as np

from fcacrawler.judge.contrast import Contrast
from fcacrawler.judge.echo import Echo
from fcacrawler.judge.lists import density, tells
from fcacrawler.judge.marked import Marked
from fcacrawler.judge.phrases import Phrases
from fcacrawler.judge.profile import QUERY, Profile, Vector, dot, norm, total
from fcacrawler.lowlevel.columns import Column
from fcacrawler.values.pages import SeenPage

FIRST, ENOUGH = 0.3, 10  # what is believed of a seed before there are pages to compare it with; how many are as firm
LEAST = 0.5  # what a seed says that is no list, and like nothing else that was said
KIN, SOFT = 0.5, 0.1  # of what the most similar pages reach: where a seed is half believed, and how softly
ALIKE, FIRM = 0.8, 0.08  # of what its children are to one another: where a seed is half taken for a list, how softly
LIKE, UNLIKE = 0.4, 0.25  # how far above the usual likeness a seed is half believed; what one keeps that is unlike
FEWEST, MOST = 3, 30  # pages or children that tell anything; children that are looked at
MANY = (
    30  # seeds, beyond which each is compared with all of them, itself among them, and heard when it is time to revise
)
DOUBTED, KNOWN = 0.4, 30  # trust below which a user is told, and the pages that it takes for that
GROWTH = 1.3  # pages between two revisions
BELIEVED = 0.5  # how firmly seeds are, from where on they alone tell how many pages may be relevant
READ = 20  # pages that half tell how many say the words
SAID = 3.0  # pages that may be relevant for each that says the words, where nothing else says what is sought


class Trust:
    """t of each seed: 1 for an example that the user gave, and if it is marked good, 0 if it is marked bad; 0 for a
    home page, which leads everywhere. Else tells·own·heard·(0.5 + 0.5·kin), drawn to 0.3 as much as ten pages do.

    tells: how far it tells something, and does not list links (``lists``).
    kin = σ((t(seed) / top(t) - 0.5) / 0.1) with t = d·cos(page, norm(other seeds) + 0.8·words): whether it is like what
    the other seeds and the words say, as much as the most similar pages of this web are. own = σ((a / b - 0.8) / 0.08),
    a the mean cosine of the seed with its children, b that of these with one another: a list leads to pages that are
    more like one another than like it. heard = 1 - 0.75·s·(1 - σ((e - 0.4) / 0.1)), e how much more than usual the seed
    is like the other pages that say the words, where the best come to 1, s how far these are believed (``echo``). Where
    nothing else says what is sought, seeds do.
    """

    def __init__(self, profile: Profile, contrast: Contrast, marks: Mapping[str, bool]) -> None:
        self._profile = profile
        self._marks = marks
        self._contrast = contrast
        self._echo = Echo(profile.asked, marks)
        self._phrases = Phrases(profile.topic.words, profile.vector_of)
        self.marked = Marked()
        self._densities = Column(np.float32)  # links a word
        self._children: dict[str, tuple[int, Vector]] = {}  # of seeds: how many, and Σ their terms
        self._due = 0
        self._usual = math.inf  # links a word of the pages there are
        self.doubted: Mapping[str, str] = {}  # seeds that hardly speak for the topic, and why

    def add(self, page: SeenPage) -> bool:
        """A page has come that the contrast knows; whether it is time to revise."""
        dense = density(page)
        self._echo.add(page.url, page.terms, dense, partial(self._phrases.said, page), self._names(page))
        self.marked.add(page.terms)
        for parent in {e.parent for e in page.evidence} & self._children.keys() if page.terms else ():
            count, terms = self._children[parent]
            if count < MOST:
                self._children[parent] = count + 1, total([(terms, 1.0), (page.terms, 1.0)])
        self._densities.extend([dense])
        return len(self._densities.values) >= self._due

    def learn(self, seed: SeenPage) -> None:
        """A seed that the profile has learned."""
        self._children[seed.url] = 0, {}

    def _names(self, page: SeenPage) -> Vector:
        """The words in its title, its URL and the links that it was found by. A seed has none: a user chose it."""
        if not page.depth:
            return {}
        return self._profile.vector_of(
            " ".join([page.title, *self._profile.url_words(page.url), *(e.anchor for e in page.evidence)])
        )

    def most(self, guessed: float) -> float:
        """How many of the n pages may be relevant if so many are ``guessed``: g·guessed + 3·m, m by ``Echo``, with
        g = b + (1 - b) / (1 + (n / 20)²) and b = min(1, 2f).

        As far as seeds, examples and good marks are believed, f, what they say tells how many; else the words do, as
        soon as there are pages enough.
        """
        if not self._profile.words:
            return guessed
        few = 1 / (1 + (len(self._densities.values) / READ) ** 2)
        believed = min(1.0, self._profile.sure / BELIEVED)
        return (believed + (1 - believed) * few) * guessed + SAID * self._echo.met

    def hangs_on(self, url: str) -> bool:
        """Whether what a user says of this page tells how much seeds speak for the topic."""
        return url in self._children or self._echo.knows(url)

    @property
    def few(self) -> bool:
        """Seeds are so few that each is a reason to revise."""
        return len(self._profile.seeds_read) <= MANY

    def revise(self) -> None:
        """Tell the profile how much each seed says, by what is known now."""
        self._due = int(GROWTH * len(self._densities.values)) + 1
        self._usual = float(np.median(self._densities.values)) if self._pages >= ENOUGH else math.inf
        self._echo.revise(self._usual)
        profile = self._profile
        trusts = [*profile.trusts, *[1.0] * (len(profile.seeds_read) - len(profile.trusts))]
        says = [(seed.terms, t) for seed, t in zip(profile.seeds_read, trusts, strict=True)]
        marked = self.marked.says
        shared = None if self.few else self._likeness(says + marked)

        def kin(n: int) -> float:
            near = shared or self._likeness(says[:n] + says[n + 1 :] + marked)
            return _sigmoid((near(says[n][0]) - KIN) / SOFT)

        echo = self._echo.vector()
        like = self._contrast.likeness(echo, than_usual=True)
        found = [self._of(seed, partial(kin, n), like) for n, seed in enumerate(profile.seeds_read)]
        told = any(found) or profile.words or profile.topic.texts
        profile.trust(found if told else [1.0] * len(found), echo, self._echo.share, marked)
        self.doubted = self._doubted()

    def _doubted(self) -> Mapping[str, str]:
        told = zip(self._profile.seeds_read, self._profile.trusts, strict=True)
        limit = DOUBTED * min(1.0, self._pages / KNOWN) if self._pages >= ENOUGH else 0.0
        return {s.url: self._why(s) for s, t in told if t < limit and s.url not in self._marks}

    def _why(self, seed: SeenPage) -> str:
        if is_home(seed.url):
            return "a home page"
        if self._tells(seed) < 0.5:
            return "a list of links"
        if self._own(seed) < 0.5:
            return "it leads to pages that are more like one another than like it"
        return "it is unlike the topic's words and the other seeds"

    @property
    def _pages(self) -> int:
        """Pages that seeds can be compared with."""
        return len(self._densities.values) - len(self._profile.seeds_read)

    def _likeness(self, seeds: Sequence[tuple[Vector, float]]) -> Callable[[Vector], float]:
        """To what these seeds and the words say, as a share of what the most similar pages reach."""
        return self._contrast.likeness(total([(norm(total(seeds)), 1.0), (self._profile.words, QUERY)]))

    def _of(self, seed: SeenPage, kin: Callable[[], float], like: Callable[[Vector], float]) -> float:
        if (said := self._marks.get(seed.url)) is not None:
            return float(said)
        if seed.url in self._profile.topic.examples:
            return 1.0
        if is_home(seed.url):
            return 0.0
        pages = self._pages
        if pages < FEWEST:
            return FIRST
        found = self._tells(seed) * self._own(seed) * self._echoes(seed, like) * (LEAST + (1 - LEAST) * kin())
        return round((pages * found + ENOUGH * FIRST) / (pages + ENOUGH), 2)

    def _echoes(self, seed: SeenPage, near: Callable[[Vector], float]) -> float:
        """Whether it is like the other pages that say the words, as far as there are such pages."""
        if self.few and seed.url in self._echo.urls:
            near = self._contrast.likeness(self._echo.vector(seed.url), than_usual=True)
        unlike = 1 - _sigmoid((near(seed.terms) - LIKE) / SOFT)
        return 1 - (1 - UNLIKE) * self._echo.share * unlike

    def _tells(self, seed: SeenPage) -> float:
        return tells(density(seed), self._usual)

    def _own(self, seed: SeenPage) -> float:
        count, terms = self._children[seed.url]
        if count < FEWEST:
            return 1.0
        alike = (dot(terms, terms) - count) / (count * (count - 1))
        return _sigmoid((dot(seed.terms, terms) / count / max(alike, 1e-6) - ALIKE) / FIRM)


def is_home(url: str) -> bool:
    """Is it a site's home page?

    >>> is_home("http://a.test/"), is_home("http://a.test/cars")
    (True, False)
    """
    parts = urlsplit(url)
    return parts.path in ("", "/") and not parts.query


def _sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-max(x, -700.0)))
