"""The parts of a graded SemRank: what speaks for a link that waits, each a number in [0, 1].

n is the number of links known to lead to the candidate, rel what the judge thinks of a page now, base the mean of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from fcacrawler.strategies.candidates import Batch
from fcacrawler.strategies.columns import distinct
from fcacrawler.strategies.harvest import Harvest
from fcacrawler.strategies.learning import WordOutcomes
from fcacrawler.strategies.near import Array, Near
from fcacrawler.strategies.places import ROOM, Places

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
STEPS = np.array([-1, -2, -3, -4, 1, 2, 3, 4])  # to a neighbour in the parent's list of links …
CLOSE = np.array([1.0, 0.7, 0.5, 0.35, 1.0, 0.7, 0.5, 0.35])  # … and its weight


@dataclass(frozen=True)
class Known:
    """Candidates, and what is known when they are ranked."""

    batch: Batch
    harvest: Harvest
    words: WordOutcomes
    near: Near | None
    places: Places
    worth: Floats  # of the fetched pages: their relevance, or what they have led to

    @property
    def parents(self) -> Ints:
        """Numbers of the pages on which the links stand."""
        return self.batch.stands[:, 0]

    @cached_property
    def links(self) -> Ints:
        """How many a candidate has, 1 at the least."""
        return np.maximum(self.batch.count, 1)

    @cached_property
    def relevance(self) -> Floats:
        """Mean relevance of the linking pages."""
        return self.mean(self.harvest.relevance_of(self.parents))

    @cached_property
    def rates(self) -> Floats:
        """Child rate of the page that each link stands on."""
        return self.harvest.rate_of(self.parents)

    @cached_property
    def cosines(self) -> Array:
        """Of the names with the topic's words, with the seeds, and with judged pages."""
        return self.near.cosines(self.batch.vectors) if self.near else np.zeros((len(self.links), 2), np.float32)

    @property
    def nothing(self) -> Floats:
        return np.zeros(len(self.batch.count))

    def mean(self, of_links: Floats) -> Floats:
        """Over a candidate's links; 0 without any."""
        return np.asarray(np.bincount(self.batch.owner, of_links, len(self.links)) / self.links)

    def greatest(self, of_links: Floats) -> Floats:
        found = self.nothing
        np.maximum.at(found, self.batch.owner, of_links)
        return found


def meanrel(k: Known) -> Floats:
    """Σ rel of the linking pages / n."""
    return k.relevance


def thr(k: Known) -> Floats:
    """(Σ rel of the linking pages + base) / (n + 1): one link is less sure than many."""
    count = k.batch.count
    return np.asarray((k.relevance * count + k.harvest.base) / (count + 1))


def child(k: Known) -> Floats:
    """Mean child rate of the linking pages: what their other links have led to."""
    return k.mean(k.rates)


def loc(k: Known) -> Floats:
    """Mean relevance around the link in the linking pages' lists of links."""
    return k.mean(k.harvest.around(k.parents, k.batch.stands[:, 1], k.rates, STEPS, CLOSE))


def place(k: Known) -> Floats:
    """Mean rel of the pages in the same folder, drawn towards that of the folder around it, the host, all pages."""
    return k.places.rates(k.batch.places, k.harvest.base)


def votes(k: Known) -> Floats:
    """ln(1 + hosts that link there) / ln 9. A host's own pages, menus on all of them, are one vote together."""
    apart = k.batch.count
    if apart.max() > 1:
        apart = np.bincount(distinct(k.batch.owner * ROOM + k.batch.stands[:, 2]) // ROOM, minlength=len(apart))
    return np.asarray(np.log1p(apart) / np.log(9))


def anchor(k: Known) -> Floats:
    """The greatest cosine of an anchor with the topic."""
    return k.greatest(k.batch.cosines[:, 0])


def context(k: Known) -> Floats:
    """Mean cosine of the contexts with the topic."""
    return k.mean(k.batch.cosines[:, 1])


def url(k: Known) -> Floats:
    """Cosine of the URL's words with the topic."""
    return k.batch.urls


def outcome(k: Known) -> Floats:
    """What the words in anchors, contexts and URL have led to so far: a ridge regression's answer; base before it."""
    mean = k.words.mean if k.words.version else k.harvest.base
    return np.minimum(np.maximum(mean + k.batch.outcomes(), 0.0), 1.0)


def near(k: Known) -> Floats:
    """Mean worth of the judged pages whose names mean nearly the same, by exp(12 (cosine - 1))."""
    return k.near.relevance(k.cosines, k.worth, k.harvest.base) if k.near else k.nothing


def seeds(k: Known) -> Floats:
    """Cosine of the name's vector with the mean of the seeds'."""
    return np.minimum(np.maximum(k.cosines[:, 1], 0.0), 1.0)


def query(k: Known) -> Floats:
    """Cosine of the name's vector with that of the topic's words."""
    return np.minimum(np.maximum(k.cosines[:, 0], 0.0), 1.0)


Feature = Callable[[Known], Floats]
EXT: Mapping[str, Feature] = MappingProxyType(
    {"meanrel": meanrel, "thr": thr, "child": child, "loc": loc, "place": place, "votes": votes}
)
WORDS: Mapping[str, Feature] = MappingProxyType({"anchor": anchor, "context": context, "url": url, "outcome": outcome})
VECTORS: Mapping[str, Feature] = MappingProxyType({"near": near, "seeds": seeds, "query": query})
