"""How much each seed speaks for the topic. Seeds say where to start; words and examples say what is sought.

Why so: decision 180.
"""

from __future__ import annotations

import math
from urllib.parse import urlsplit

import numpy as np

from fcacrawler.judge.contrast import Contrast, top
from fcacrawler.judge.profile import QUERY, Profile, Vector, dot, norm, total
from fcacrawler.lowlevel.columns import Column
from fcacrawler.values.pages import SeenPage

LEAST = 0.3  # what a seed says that is like nothing else that was said
KIN, SOFT = 0.5, 0.1  # of what the most similar pages reach: where a seed is half believed, and how softly
ALIKE, FIRM = 0.8, 0.08  # of what its children are to one another: where a seed is half taken for a list, how softly
ENOUGH = 10  # pages to compare it with: before, it is believed least
FEWEST, MOST = 3, 30  # children that tell anything, and that are looked at
LIST = 8.0  # times as many links a word as pages have usually: a list
FEW = 20  # words that a page counts to have beside its own, where links are counted by words
MANY = 30  # seeds, beyond which each is compared with all of them, itself among them
GROWTH = 1.3  # pages between two revisions


class Trust:
    """t of each seed: 1 for an example that the user gave; 0 for a home page and for a page with eight times as many
    links a word as is usual here, which lead everywhere. Else 0.3 + 0.7·kin·own.

    kin = σ((t(seed) / top(t) - 0.5) / 0.1) with t = d·cos(page, norm(other seeds) + 0.8·words): whether it is like what
    the other seeds and the words say, as much as the most similar pages of this web are. own = σ((a / b - 0.8) / 0.08),
    a the mean cosine of the seed with its children, b that of these with one another: a list leads to pages that are
    more like one another than like it. Before there are ten pages beside the seeds, 0.3. Where nothing else says what
    is sought, seeds do.
    """

    def __init__(self, profile: Profile, contrast: Contrast) -> None:
        self._profile = profile
        self._contrast = contrast
        self._densities = Column(np.float32)  # links a word
        self._children: dict[str, tuple[int, Vector]] = {}  # of seeds: how many, and Σ their terms
        self._due = 0

    def add(self, page: SeenPage) -> bool:
        """A page has come that the contrast knows; whether it is time to revise."""
        self._densities.extend([_density(page)])
        for parent in {e.parent for e in page.evidence} & self._children.keys() if page.terms else ():
            count, terms = self._children[parent]
            if count < MOST:
                self._children[parent] = count + 1, total([(terms, 1.0), (page.terms, 1.0)])
        return len(self._densities.values) >= self._due

    def learn(self, seed: SeenPage) -> None:
        """A seed that the profile has learned."""
        self._children[seed.url] = 0, {}
        self.revise()

    def revise(self) -> None:
        """Tell the profile how much each seed says, by what is known now."""
        self._due = int(GROWTH * len(self._densities.values)) + 1
        profile = self._profile
        found = [self._of(n, seed) for n, seed in enumerate(profile.seeds_read)]
        told = any(found) or profile.words or profile.topic.texts
        profile.trust(found if told else [1.0] * len(found))

    def _of(self, n: int, seed: SeenPage) -> float:
        known = len(self._densities.values) >= ENOUGH + len(self._profile.seeds_read)
        if seed.url in self._profile.topic.examples:
            return 1.0
        if is_home(seed.url) or (known and _density(seed) > LIST * float(np.median(self._densities.values))):
            return 0.0
        believed = self._kin(n, seed) * self._own(seed) if known else 0.0
        return round(LEAST + (1 - LEAST) * believed, 2)

    def _kin(self, n: int, seed: SeenPage) -> float:
        seeds, trusts = self._profile.seeds_read, self._profile.trusts
        alone = len(seeds) > MANY
        others = [(s.terms, t) for m, (s, t) in enumerate(zip(seeds, trusts, strict=True)) if m != n or alone]
        rest = total([(norm(total(others)), 1.0), (self._profile.words, QUERY)])
        near, pages = self._contrast.near(seed.terms, rest)
        return _sigmoid((near / top(pages) - KIN) / SOFT)

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


def _density(page: SeenPage) -> float:
    return len(page.links) / (len(page.terms) + FEW)


def _sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-max(x, -700.0)))
