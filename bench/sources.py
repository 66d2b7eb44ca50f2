"""Sources of ics for the default order: what else than equal words makes two keywords alike.

A source widens the topic: a word of the language that is like one of the topic's counts for it, half as much as that
one times how like they are. So anchors, contexts and URLs are compared with a topic that has such words too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from fcacrawler.judge.profile import Profile, norm
from fcacrawler.orders import Given
from fcacrawler.orders.keyword_ties import Ties
from fcacrawler.orders.semrank.order import SemRank
from fcacrawler.page.text.background import background, common_words
from fcacrawler.semrank.keyword_similarity import KeywordSimilarity, Vectors
from fcacrawler.semrank.lexical import LexicalSimilarity
from fcacrawler.semrank.parameters import SEMRANK_2013
from fcacrawler.semrank.wordnet import noun_forms, read_wordnet
from fcacrawler.values.clicks import NO_CLICKS
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.verdicts import Judged
from fcacrawler.vectors import load_vectors

WORDS = 20_000  # of the language
ROWS = 150  # of the topic's words, the heaviest
LEAST = 0.5  # likeness that counts
WORTH = 0.5
CLUSTERS, STEPS = 400, 12

Source = Callable[[SeenPage | None], KeywordSimilarity | None]


class Wider:
    """A profile whose vector a source has widened."""

    def __init__(self, profile: Profile, source: Source) -> None:
        self._inner = profile
        self._source = source
        self._seen: tuple[object, object] = (None, None)
        self.topic, self.url_words = profile.topic, profile.url_words
        self.vector: Mapping[str, float] = {}
        self.observe(None)

    @property
    def language(self) -> str:
        return self._inner.language

    def observe(self, page: SeenPage | None) -> None:
        similarity = self._source(page)
        if self._seen[0] is not self._inner.vector or self._seen[1] is not similarity:
            self._seen = self._inner.vector, similarity
            self.vector = widened(self._inner.vector, similarity, self.language) if similarity else self._inner.vector


def widened(vector: Mapping[str, float], similarity: KeywordSimilarity, language: str) -> Mapping[str, float]:
    terms = background(language).terms
    words = [w for w in common_words(language, WORDS) if terms[w]]
    rows = sorted((w for w in words if vector.get(terms[w], 0.0) > 0), key=lambda w: -vector[terms[w]])[:ROWS]
    if not rows:
        return vector
    alike = similarity.matrix(rows, words)
    alike[alike < LEAST] = 0.0
    brought = (alike * np.array([vector[terms[w]] for w in rows])[:, None]).max(0)
    wide = dict(vector)
    for word, weight in zip(words, brought.tolist(), strict=True):
        if weight:
            wide[terms[word]] = max(wide.get(terms[word], 0.0), WORTH * weight)
    return norm(wide)


class Widened(SemRank):
    """The default order with a source more."""

    def __init__(self, given: Given, source: Source) -> None:
        self._wider = Wider(given.profile, source)
        super().__init__(replace(given, profile=self._wider, clicks=NO_CLICKS))

    def observe(self, page: SeenPage, judged: Judged) -> float:
        self._wider.observe(page)
        return super().observe(page, judged)


def log(given: Given) -> Source:
    """The Ω of the web's click log."""
    ties = Ties(given, SEMRANK_2013)
    return lambda page: ties.now()


def anchors(given: Given) -> Source:
    """The Ω that the crawl's own links give."""
    ties = Ties(replace(given, omega=None), SEMRANK_2013)

    def now(page: SeenPage | None) -> KeywordSimilarity | None:
        if page is not None:
            ties.observe(page)
        return ties.now()

    return now


def taxonomy(given: Given, folder: Path) -> Source:
    return lambda page: _wordnet(folder)


def vectors(given: Given) -> Source:
    return lambda page: _vectors()


def clusters(given: Given) -> Source:
    return lambda page: _clusters()


@cache
def _wordnet(folder: Path) -> KeywordSimilarity:
    files = [(folder / name).read_text("utf-8").splitlines() for name in ("data.noun", "index.noun", "cntlist.rev")]
    return LexicalSimilarity(read_wordnet(*files), forms=noun_forms)


@cache
def _words() -> tuple[Sequence[str], np.ndarray]:
    static = load_vectors("static")
    assert static is not None
    words = list(common_words("en", WORDS))
    return words, static.embed(words)


@cache
def _vectors() -> KeywordSimilarity:
    return Vectors(dict(zip(*_words(), strict=True)))


@cache
def _clusters() -> KeywordSimilarity:
    """The words' vectors in so many clusters, by k-means from evenly spread words."""
    words, rows = _words()
    centres = rows[:: len(rows) // CLUSTERS][:CLUSTERS]
    for _ in range(STEPS):
        nearest = (rows @ centres.T).argmax(1)
        sums = np.zeros_like(centres)
        np.add.at(sums, nearest, rows)
        centres = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
    return Alike(dict(zip(words, nearest.tolist(), strict=True)))


class Alike:
    """1 for words of one cluster."""

    def __init__(self, cluster: Mapping[str, int]) -> None:
        self._cluster = cluster

    def matrix(self, rows: Sequence[str], columns: Sequence[str]) -> np.ndarray:
        a = np.array([self._cluster.get(w, -1) for w in rows])
        b = np.array([self._cluster.get(w, -2) for w in columns])
        return (a[:, None] == b).astype(float)
