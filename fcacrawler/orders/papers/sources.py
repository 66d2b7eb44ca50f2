"""Where a literal order has the similarity of keywords from. *Du & Hai 2013, §3.3*: a log, WordNet, ConceptNet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np

from fcacrawler.orders import Given
from fcacrawler.orders.keyword_ties import Ties
from fcacrawler.semrank.kernels.arrays import Floats
from fcacrawler.semrank.keyword_similarity import Exact, KeywordSimilarity
from fcacrawler.semrank.parameters import SemRankOptions
from fcacrawler.values.errors import BadOptions
from fcacrawler.values.omega import Omega
from fcacrawler.values.pages import SeenPage
from fcacrawler.vectors import Vectors, embed


class Source(Protocol):
    """A similarity that may be learned from pages."""

    def observe(self, page: SeenPage) -> None: ...

    def now(self) -> KeywordSimilarity | None: ...


class Fixed:
    """One that is known before the crawl."""

    def __init__(self, similarity: KeywordSimilarity) -> None:
        self._similarity = similarity

    def observe(self, page: SeenPage) -> None:
        return

    def now(self) -> KeywordSimilarity:
        return self._similarity


class Meaning:
    """Cosine of the vectors of two keywords, cut at 0; a keyword that has none is like itself alone."""

    def __init__(self, vectors: Vectors, language: str) -> None:
        self._vectors = vectors
        self._language = language

    def matrix(self, rows: Sequence[str], columns: Sequence[str]) -> Floats:
        a, b = (embed(self._vectors, list(words), self._language).astype(np.float64) for words in (rows, columns))
        same = Exact().matrix(rows, columns)
        return np.asarray(np.maximum(np.clip(a @ b.T, 0.0, 1.0), same))


def source_of(name: str, given: Given, options: SemRankOptions) -> Source:
    """``name`` as in ``RoundOptions.source``."""
    kind, _, path = name.partition(":")
    if kind == "log":
        return Ties(given, options)
    if kind == "links":
        return Ties(replace(given, omega=None), options)
    if kind == "equal":
        return Fixed(Exact())
    if kind == "wordnet":
        return Fixed(_wordnet(Path(path)))
    if kind == "conceptnet":
        return Ties(replace(given, omega=_conceptnet(Path(path), given.profile.language)), options)
    if given.vectors is None:
        raise BadOptions(["FCA_READING: source=vectors needs vectors: leave FCA_VECTORS=none out"])
    return Fixed(Meaning(given.vectors, given.profile.language))


@cache
def _wordnet(folder: Path) -> KeywordSimilarity:
    from fcacrawler.semrank.lexical import LexicalSimilarity
    from fcacrawler.semrank.wordnet import noun_forms, read_wordnet

    try:
        files = [(folder / name).read_text("utf-8").splitlines() for name in ("data.noun", "index.noun", "cntlist.rev")]
        return LexicalSimilarity(read_wordnet(*files), forms=noun_forms)
    except (OSError, ValueError) as error:
        raise BadOptions([f"FCA_READING: source=wordnet:{folder}: {error}"]) from None


@cache
def _conceptnet(path: Path, language: str) -> Omega:
    """Read line by line: of the whole download only what is of the language is kept."""
    from fcacrawler.semrank.conceptnet import read_conceptnet
    from fcacrawler.weblogs.lines import lines_of

    omega = read_conceptnet((line for line in lines_of(path, ("utf-8", "latin-1")) if isinstance(line, str)), language)
    if not omega.clicks:
        problem = (
            f"no assertion of two concepts of the language {language!r}; its lines are URI, relation, start, end, JSON"
        )
        raise BadOptions([f"FCA_READING: source=conceptnet:{path}: {problem}"])
    return omega
