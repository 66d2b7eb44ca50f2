"""The default order: graded SemRank. Two parts and one weight as in *Du & Hai 2013, Def. 18*, both parts graded.

rank = p(w·Ext + (1-w)·Int). Ext is what links from judged pages say, Int what the words at those links say; each is a
weighted mean of ``features``. p makes a probability of it, learned from the links that were picked: of the links at
0.45 about 45 % turn out relevant. A page that has been read ranks by the judge alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from fcacrawler.lowlevel.numbers import UNKNOWN
from fcacrawler.orders import Given
from fcacrawler.orders.semrank.concepts import BaseConcepts
from fcacrawler.orders.semrank.credit import Credit
from fcacrawler.orders.semrank.features import EXT, VECTORS, WORDS, Known, link_features
from fcacrawler.orders.semrank.folders import FolderTable
from fcacrawler.orders.semrank.learning import Calibration, WordOutcomes
from fcacrawler.orders.semrank.link_table import Batch, LinkTable
from fcacrawler.orders.semrank.neighbours import Neighbours, whole
from fcacrawler.orders.semrank.page_table import PageTable
from fcacrawler.page.text.short_texts import dense
from fcacrawler.values.links import Candidate
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.verdicts import Explanation, Judged, rounded
from fcacrawler.vectors import embed

Floats = NDArray[np.float64]


WEIGHTS: Mapping[str, float] = MappingProxyType(
    {"meanrel": 1.0, "thr": 0.5, "child": 0.5, "loc": 0.7, "place": 0.5, "votes": 0.1}
    | {"anchor": 0.5, "context": 0.2, "url": 1.0, "outcome": 1.5}
    | {"near": 1.5, "seeds": 0.7, "query": 0.7}
)


@dataclass(frozen=True, slots=True)
class Graded:
    """All that can be turned. A feature of weight 0 is left out."""

    weights: Mapping[str, float] = field(default_factory=lambda: WEIGHTS)
    every: int = 5  # pages between two epochs; 1 % of the pages when that is more
    first: int = 15  # picks before anything is learned from them
    growth: float = 1.25  # picks between two calibrations: so many times as many
    kept: int = 1024  # picks that are learned from
    near: int = 256  # judged pages of either kind that a name is compared with
    place: float = 3.0  # how many pages of a folder what is known of the folder around it is worth
    pull: float = 1.0  # of the word learner's ridge
    trust: float = 0.6  # in how relevant pages speak, before links' words have led anywhere
    slope: float = 10.0  # p before anything is learned: σ(slope·(score - middle))
    middle: float = 0.45
    doubt: float = 5.0  # how many picks that is worth
    firm: float = 15.0  # how many picks the weights are worth
    concepts: int = 512  # relevant pages that explain a rank


DEFAULT = Graded()


class SemRank:
    """Means, never sums, of what is known of the pages that link to a candidate: sums run into hubs."""

    gated = True
    thorough = False

    def __init__(self, given: Given, graded: Graded = DEFAULT) -> None:
        self.epoch = 0
        self._graded = graded
        self._judge = given.judge
        self._profile = given.profile
        self._pages = PageTable(given.judge.linked)
        self._words = WordOutcomes(graded.kept, graded.pull, graded.trust)
        self._links = LinkTable(given.profile, self._pages, given.vectors)
        self._vector = given.profile.vector
        self._topic = dense(self._vector)
        self._folders = FolderTable(graded.place)
        self._credit = Credit()
        self._neighbours: Neighbours | None = None
        if given.vectors is not None:
            words = embed(given.vectors, [given.topic.words], given.profile.language)[0]
            self._neighbours = Neighbours(words, graded.near)
        self._probability = Calibration(graded.slope, graded.middle, graded.doubt, graded.firm)
        self._concepts = BaseConcepts(graded.concepts)
        every = (*EXT, *WORDS, *(VECTORS if given.vectors else ()))
        self._features = [name for name in every if graded.weights.get(name)]
        self._used = [every.index(name) for name in self._features]
        weights = np.array([graded.weights[name] for name in self._features])
        ext = np.array([name in EXT for name in self._features])
        self._ext, self._int = _share(weights * ext), _share(weights * ~ext)
        self.w = float(weights[ext].sum() / weights.sum())
        self._both = self.w * self._ext + (1 - self.w) * self._int
        self._picked: list[int] = []  # numbers of the pages that were found by links …
        self._rows: list[Floats] = []  # … and their features when they were
        self._last: tuple[str, Floats | None] = ("", None)
        self._due = self._relearn = self._recalibrate = 0

    # -- what is learned ----------------------------------------------------------------------------------------

    def observe(self, page: SeenPage, judged: Judged) -> float:
        relevance = judged.relevance
        if judged.again:
            return relevance
        picked = self._links.read(Candidate(b"", page.url, "", page.depth, page.evidence))
        row = self._look(picked)[0] if page.evidence else None
        n = self._pages.add(page, judged)
        self._folders.add(page.url, relevance)
        self._credit.add(self._pages.number.get(page.evidence[0].parent) if page.evidence else UNKNOWN, relevance)
        if row is not None:
            self._picked.append(n)
            self._rows.append(row)
            self._words.add(n, *picked.words())
            self._forget()
        if self._neighbours:
            called = page.evidence[0].anchor if page.evidence else page.title
            if page.depth == 0:
                self._neighbours.aim(self._links.vector(page.url, called))
            vector = picked.vectors[0] if page.evidence else whole(self._links.vector(page.url, called))
            self._neighbours.add(n, vector, relevance)
        if relevance > 0.5:
            self._concepts.add(page.url, (k for k, _ in page.keywords))
        self._last = (page.url, row)
        if page.depth == 0 or n >= self._due:
            self._learn(n)
        return relevance

    def _forget(self) -> None:
        spare = len(self._picked) - self._graded.kept
        if spare > self._graded.kept // 4:
            del self._picked[:spare], self._rows[:spare]

    def _learn(self, n: int) -> None:
        """What is thought of the pages has changed: relevances often, what words have led to less often, p rarely."""
        self.epoch += 1
        self._due = n + max(self._graded.every, n // 100)
        self._pages.refresh(self._judge.relevances())
        self._folders.refresh(self._pages.relevance)
        self._credit.refresh(self._pages.relevance)
        self._links.renew()
        if self._vector is not self._profile.vector:
            self._vector, self._topic = self._profile.vector, dense(self._profile.vector)
            if self._neighbours and self._profile.trusts:
                self._neighbours.trust(self._profile.trusts, self._profile.firm)
        if len(self._picked) < self._graded.first:
            return
        if n >= self._relearn:
            self._relearn = n + max(3 * self._graded.every, n // 20)
            self._words.learn(self._credit.worth, self._judge.speech())
        if n >= self._recalibrate:
            self._recalibrate = int(self._graded.growth * n)
            rows = np.array(self._rows)
            self._probability.learn(self._score(rows), rows, self._credit.worth[self._picked])

    def texts(self, page: SeenPage) -> Sequence[str]:
        if self._neighbours is None:
            return ()
        news = [link for link in page.links if link.url not in self._pages.number]
        return self._links.names([(page.url, page.title), *((link.url, link.anchor) for link in news)])

    # -- what is asked ------------------------------------------------------------------------------------------

    def rank(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        if not candidates:
            return []
        ranks: list[float] = self._rank(self._look(self._links.batch(candidates))).tolist()
        return ranks

    def _look(self, batch: Batch) -> Floats:
        """A row of features for each."""
        names, told = len(batch.names), len(EXT) + len(WORDS)
        columns = np.empty((told + len(VECTORS) if self._neighbours else told, names))
        base = self._pages.base
        expected = self._words.mean if self._words.version else base
        known = Known(batch.known, self._pages.pages, self._folders.known, self._topic, self._words.worth, expected)
        link_features(known, columns[:told])
        if self._neighbours:
            self._neighbours.features(batch.vectors, self._credit.worth, base, columns[told:])
        return np.ascontiguousarray(columns[self._used].T)

    def _rank(self, rows: Floats) -> Floats:
        return self._probability(self._score(rows), rows)

    def _score(self, rows: Floats) -> Floats:
        return np.asarray((rows * self._both).sum(1))

    def features(self, candidate: Candidate) -> dict[str, float]:
        """Each in [0, 1], by name."""
        row = self._look(self._links.batch([candidate]))[0]
        return dict(zip(self._features, row.tolist(), strict=True))

    def nearest(self, candidate: Candidate, n: int) -> list[tuple[int, float]]:
        """The judged pages whose names mean most nearly what the candidate's means: number and cosine."""
        return self._neighbours.nearest(self._links.batch([candidate]).vectors[0], n) if self._neighbours else []

    def explain(self, candidate: Candidate) -> Explanation:
        row = self._look(self._links.batch([candidate]))[0]
        texts = " ".join([*(e.anchor for e in candidate.evidence), self._profile.url_words(candidate.url)])
        said = self._concepts.said(texts.lower().split())
        return self._explain(candidate.url, row, float(self._rank(row[None])[0]), said)

    def explain_page(self, page: SeenPage) -> Explanation:
        """Why it was picked: its features as they were when it came, and what rank they would have given. Its own rank
        is what the judge thinks of it now that it has been read."""
        url, row = self._last
        rank = self._judge.relevance(page.url) or 0.0
        return self._explain(page.url, row if url == page.url else None, rank, [k for k, _ in page.keywords])

    def _explain(self, url: str, row: Floats | None, rank: float, keywords: Sequence[str]) -> Explanation:
        base, current, shared = self._concepts.explain(url, keywords)
        matched = tuple((k, k, 1.0) for k in shared)
        if row is None:
            return Explanation(rank, w=self.w, base_concept=base, current_concept=current, matched=matched)
        return Explanation(
            rank,
            ext=float(row @ self._ext),
            int_=float(row @ self._int),
            w=self.w,
            base_concept=base,
            current_concept=current,
            matched=matched,
            features=dict(zip(self._features, row.round(4).tolist(), strict=True)),
            calibration=rounded({"p": float(self._rank(row[None])[0]), **self._probability.parts(row)}),
        )


def _share(weights: Floats) -> Floats:
    """
    >>> _share(np.array([3.0, 0.0, 1.0]))
    array([0.75, 0.  , 0.25])
    """
    total = weights.sum()
    return np.asarray(weights / total) if total else weights
