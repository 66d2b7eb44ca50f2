"""The default order: graded SemRank. Two parts and one weight as in *Du & Hai 2013, Def. 18*, both parts graded.

rank = p(w·Ext + (1-w)·Int). Ext is what links from judged pages say, and users' clicks where they are known, Int what
the words at those links say; each is a weighted mean of ``features``. p makes a probability of it, learned from the
links that were picked: of the links at 0.45 about 45 % turn out relevant. A page that has been read ranks by the judge
alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fcacrawler.judge.languages import Sayings, said_by
from fcacrawler.lowlevel.numbers import UNKNOWN
from fcacrawler.orders import Given
from fcacrawler.orders.semrank.click_table import ClickTable
from fcacrawler.orders.semrank.concepts import Base, Shared
from fcacrawler.orders.semrank.copies import Copies, kind_of
from fcacrawler.orders.semrank.exploring import Exploring
from fcacrawler.orders.semrank.features import clicks, link_features
from fcacrawler.orders.semrank.folders import folders
from fcacrawler.orders.semrank.graded import DEFAULT, Graded
from fcacrawler.orders.semrank.groups import GroupTable
from fcacrawler.orders.semrank.known import Known
from fcacrawler.orders.semrank.learning import Calibration, WordOutcomes
from fcacrawler.orders.semrank.link_table import Batch, LinkTable
from fcacrawler.orders.semrank.neighbours import Neighbours, whole
from fcacrawler.orders.semrank.page_table import PageTable, copy_of
from fcacrawler.orders.semrank.parts import CLICKS, CONCEPTS, EXT, VECTORS, WORDS
from fcacrawler.page.text.short_texts import dense
from fcacrawler.values.clicks import Clicks
from fcacrawler.values.links import Candidate, Evidence
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.verdicts import Explanation, Judged
from fcacrawler.vectors import embed

Floats = NDArray[np.float64]


class Look(NamedTuple):
    """Candidates as they look now."""

    rows: Floats  # of features
    shared: Shared | None  # with the base's concepts, as soon as it has any


class SemRank:
    """Means, never sums, of what is known of the pages that link to a candidate: sums run into hubs."""

    gated = True
    thorough = False
    over = False

    def __init__(self, given: Given, graded: Graded = DEFAULT) -> None:
        self.epoch = 0
        self._graded = graded
        self._judge = given.judge
        self._profile = given.profile
        self._pages = PageTable(given.judge.linked)
        self._clicks: ClickTable | None = None
        self._words = WordOutcomes(graded.kept, graded.pull, graded.trust)
        self._links = LinkTable(given.profile, self._pages, given.vectors, given.languages)
        self._away = 1.0 if given.languages else graded.away  # where languages are wanted others rank lower anyway
        self._aim()
        self._folders, self._layout = GroupTable(graded.place), GroupTable(graded.place)
        self._exploring, self._copies, self._sayings = Exploring(), Copies(), Sayings()
        self._neighbours: Neighbours | None = None
        if given.vectors is not None:
            words = embed(given.vectors, [given.topic.words], given.profile.language)[0]
            self._neighbours = Neighbours(words, graded.near)
        self._probability = Calibration(graded.slope, graded.middle, graded.doubt, graded.firm)
        self._heard = 0  # pages, when the weights were last those of the moment
        self._due = self._renew = self._relearn = self._recalibrate = 0
        self._base = Base(given, graded.concepts)
        self._weigh()
        self._picked: list[int] = []  # numbers of the pages that were found by links …
        self._rows: list[Floats] = []  # … and their features when they were
        self._last: tuple[Look | None, float] = None, 0.0  # of the page that was just observed, and its relevance
        self.clicked(given.clicks)

    def _weigh(self) -> None:
        """Which features there are, and what share of a rank each has now."""
        weigh = self._graded.weights
        every = (*EXT, *WORDS, *CONCEPTS, *(VECTORS if self._neighbours else ()), *(CLICKS if self._clicks else ()))
        self._features = [name for name in every if weigh.get(name)]
        self._used = [every.index(name) for name in self._features]
        weights = np.array([self._graded.weight(name, self._heard) for name in self._features])
        ext = np.array([name in (*EXT, "extent", *CLICKS) for name in self._features])
        self._ext, self._int = _share(weights * ext), _share(weights * ~ext)
        self.w = float(weights[ext].sum() / weights.sum())
        self._both = self.w * self._ext + (1 - self.w) * self._int
        self._of_concepts = self._both * np.array([name in CONCEPTS for name in self._features])

    def _aim(self) -> None:
        """At the topic, which is another one."""
        self._vector = self._profile.vector
        self._topic = dense(self._vector)
        self._asked = dense({word: weight**2 for word, weight in self._profile.asked.items() if weight > 0})

    # -- what is learned ----------------------------------------------------------------------------------------

    def observe(self, page: SeenPage, judged: Judged) -> float:
        relevance = judged.guess
        self._last = None, judged.relevance
        if judged.again:
            return judged.relevance
        picked = self._links.read(Candidate(b"", page.url, "", page.depth, page.evidence))
        look = self._look(picked) if page.evidence else None
        n = self._pages.add(page, judged)
        stands = folders(page.url)
        self._folders.add([stands], n, relevance)
        self._exploring.add(stands[0], relevance, self._pages.base)
        self._copies.add(kind_of(page.url), False)
        self._sayings.add(said_by(page.url), page.language)
        if self._clicks:
            self._clicks.fetched(page.url, n)
        if look is not None:
            self._came(n, picked, look, relevance)
        if self._neighbours:
            called = page.evidence[0].anchor if page.evidence else page.title
            if page.depth == 0:
                self._neighbours.aim(self._links.vector(page.url, called))
            vector = picked.vectors[0] if page.evidence else whole(self._links.vector(page.url, called))
            self._neighbours.add(n, vector, relevance)
        if relevance > 0.5:
            self._base.add(n, page, self._links.lexicon)
        self._last = look, judged.relevance
        if judged.revised:
            self._due = self._renew = self._relearn = self._recalibrate = 0
        if page.depth == 0 or n >= self._due:
            self._learn(n)
        return judged.relevance

    def copied(self, page: SeenPage, original: str) -> None:
        if (n := self._pages.number.get(original)) == UNKNOWN or not page.evidence:
            return
        picked = self._links.read(Candidate(b"", page.url, "", page.depth, page.evidence))
        self._came(copy_of(n), picked, self._look(picked), self._graded.copy * float(self._pages.worth[n]))
        self._pages.copied(page, n)
        self._copies.add(kind_of(page.url), True)
        self._due -= 1
        if len(self._pages) >= self._due:
            self._learn(len(self._pages) - 1)

    def _came(self, n: int, picked: Batch, look: Look, worth: float) -> None:
        """A link has been followed, and this came of it."""
        self._picked.append(n)
        self._rows.append(look.rows[0])
        self._layout.add(picked.paths, n, worth)
        self._words.add(n, *picked.words())
        self._forget()

    def _forget(self) -> None:
        spare = len(self._picked) - self._graded.kept
        if spare > self._graded.kept // 4:
            del self._picked[:spare], self._rows[:spare]

    def _learn(self, n: int) -> None:
        """What is thought of the pages has changed: relevances often, what words have led to less often, p rarely."""
        self.epoch += 1
        self._heard = n + 1
        self._weigh()
        self._due = n + max(self._graded.every, n // 100)
        self._pages.refresh(self._judge.guesses())
        self._folders.refresh(self._pages.relevance)
        outcomes = self._pages.outcomes(self._graded.copy)
        self._layout.refresh(outcomes)
        if n >= self._renew:
            self._renew = n + n // 20
            self._base.refresh(self._pages.relevance, self._links.lexicon)
        self._links.renew()
        if self._vector is not self._profile.vector:
            self._aim()
            if self._neighbours and self._profile.trusts:
                self._neighbours.trust(self._profile.trusts, self._profile.firm)
        if len(self._picked) < self._graded.first:
            return
        if n >= self._relearn:
            self._relearn = n + max(3 * self._graded.every, n // 20)
            self._words.learn(outcomes, self._judge.speech())
        if n >= self._recalibrate:
            self._recalibrate = int(self._graded.growth * n)
            rows = np.array(self._rows)
            self._probability.learn(self._score(rows), rows, outcomes[self._picked])

    def clicked(self, clicks: Clicks) -> None:
        """Pages that users clicked in one walk speak for each other from now on. Of picks before the first clicks
        nothing is known."""
        if not len(clicks) or not self._graded.weights.get("clicks"):
            return
        if self._clicks is None:
            self._rows = [np.append(row, self._pages.base) for row in self._rows]
            self._probability.widen()
        self._clicks = ClickTable(self._clicks.clicks + clicks if self._clicks else clicks, self._pages)
        self._links.renew(self._clicks.number)
        self._weigh()
        self.epoch += 1

    def texts(self, page: SeenPage) -> Sequence[str]:
        if self._neighbours is None:
            return ()
        news = [link for link in page.links if link.url not in self._pages.number]
        return self._links.names([(page.url, page.title), *((link.url, link.anchor) for link in news)])

    # -- what is asked ------------------------------------------------------------------------------------------

    def rank(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        batch = self._links.batch(candidates)
        return list(self._settled(self._rank(self._look(batch).rows), batch).tolist()) if candidates else []

    def _settled(self, chances: Floats, batch: Batch) -> Floats:
        """Chances as ranks: less where copies or another language are to be expected, more where hardly anything of the
        host is known."""
        away = self._sayings.those(batch.says)
        ranks = chances * self._copies.news(batch.kinds) * np.where(away, self._away, 1.0)
        return self._exploring.raised(ranks, batch.hosts, away | (batch.depths == 0), self._pages.base)

    def _look(self, batch: Batch) -> Look:
        names, told = len(batch.names), len(EXT) + len(WORDS)
        shared, meant = told + len(CONCEPTS), told + len(CONCEPTS) + (len(VECTORS) if self._neighbours else 0)
        columns = np.empty((meant + 1 if self._clicks else meant, names))
        base = self._pages.base
        expected = self._words.mean if self._words.version else base
        known = Known(
            batch.known,
            self._pages.pages,
            self._folders.known,
            self._layout.known,
            self._topic,
            self._asked,
            self._words.worth,
            expected,
        )
        link_features(known, columns[:told])
        near = self._base.features(known.of, columns[told:shared])
        if self._neighbours:
            self._neighbours.features(batch.vectors, self._pages.worth, base, columns[shared:meant])
        if self._clicks:
            clicks(known.of, self._clicks.walked, known.pages, columns[meant])
        return Look(np.ascontiguousarray(columns[self._used].T), near)

    def _rank(self, rows: Floats) -> Floats:
        return self._probability(self._score(rows), rows)

    def _score(self, rows: Floats) -> Floats:
        return np.asarray((rows * self._both).sum(1))

    def features(self, candidate: Candidate) -> dict[str, float]:
        """Each in [0, 1], by name."""
        row = self._look(self._links.batch([candidate])).rows[0]
        return dict(zip(self._features, row.tolist(), strict=True))

    def nearest(self, candidate: Candidate, n: int) -> list[tuple[int, float]]:
        """The judged pages whose names mean most nearly what the candidate's means: number and cosine."""
        return self._neighbours.nearest(self._links.batch([candidate]).vectors[0], n) if self._neighbours else []

    def explain(self, candidate: Candidate) -> Explanation:
        batch = self._links.batch([candidate])
        look = self._look(batch)
        chances = self._rank(look.rows)
        rank, news = float(self._settled(chances, batch)[0]), float(self._copies.news(batch.kinds)[0])
        away = self._away if self._sayings.those(batch.says)[0] else 1.0
        told = {name: part for name, part in (("news", news), ("away", away)) if part < 1}
        if rank > float(chances[0]) * news * away:
            told["least"] = rank
        said = self._explain(candidate.evidence, look, rank)
        return replace(said, calibration={**said.calibration, **told})

    def explain_page(self, page: SeenPage) -> Explanation:
        """Why it was picked: its features as they were when it came, and what rank they would have given. Its own rank
        is what the judge thinks of it now that it has been read."""
        return self._explain(page.evidence, *self._last)

    def _explain(self, evidence: Sequence[Evidence], look: Look | None, rank: float) -> Explanation:
        if look is None:
            return Explanation(rank, w=self.w)
        row = look.rows[0]
        return Explanation(
            rank,
            ext=float(row @ self._ext),
            int_=float(row @ self._int),
            w=self.w,
            features=dict(zip(self._features, row.round(4).tolist(), strict=True)),
            calibration={"p": float(self._rank(row[None])[0]), **self._probability.parts(row)},
            **(look.shared.told(0, evidence, float(row @ self._of_concepts)) if look.shared else {}),
        )


def _share(weights: Floats) -> Floats:
    """
    >>> _share(np.array([3.0, 0.0, 1.0]))
    array([0.75, 0.  , 0.25])
    """
    total = weights.sum()
    return np.asarray(weights / total) if total else weights
