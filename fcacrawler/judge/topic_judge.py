"""How relevant a fetched page is to the topic: its text against what this web says anyway, its title, its company."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from fcacrawler.judge import company
from fcacrawler.judge.contrast import Contrast, top
from fcacrawler.judge.correction import correction
from fcacrawler.judge.learned import Learned
from fcacrawler.judge.page_links import PageLinks
from fcacrawler.judge.prevalence import excess, lowered
from fcacrawler.judge.profile import Profile
from fcacrawler.judge.series import Series
from fcacrawler.judge.trust import Trust
from fcacrawler.judge.views import NAMES
from fcacrawler.lowlevel.columns import Column
from fcacrawler.lowlevel.numbers import UNKNOWN
from fcacrawler.page.text.short_texts import weighted
from fcacrawler.values.marks import Mark
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.verdicts import Judged
from fcacrawler.vectors import Vectors, embed

TITLE = (0.3, 0.2)  # weights of the title's cosines with the query and with the seeds' titles, beside the text's of 1
FEET = (0.02, 0.15, 0.0)  # what the best texts and titles come to at least where a topic's words are there
FOOT = 1.0  # and what all evidence comes to then
CENTRE, WIDTH = 0.6, 0.12  # of the logistic, in units of what the best reach
TAUGHT, DOUBT = 0.5, 20.0  # share of what is learned in the log odds, and how many pages it takes for half of that
SUREST = 5.0  # log odds beyond which nothing is believed
TINY = 1e-6
ALL = slice(None)  # pages

Floats = NDArray[np.float64]


class TopicJudge:
    """rel = σ(o + s·(l - o)), o = (j - 0.6h) / 0.12h, j = c + w·(Σ c of neighbours + 2·mean c) / (neighbours + 2).

    c = text / top(text) + 0.3·query / top(query) + 0.2·seeds / top(seeds): what the page's words say (``Contrast``)
    and, where there are vectors, cosines of its title with the topic's words and with the seeds' titles. h is top(j);
    top is the mean of the best fifth of what was fetched, since cosines of another topic have another scale; where a
    web does not have the topic, top(text) counts 0.02, top(query) 0.15 and h 1 (decision 188).
    Neighbours are the fetched pages that are linked with the page, either way; w is by ``company``. All pages are
    judged anew when there are 5 (later 2 %) more of them. Of a series (a list's page 2, 3 …) the k-th page counts 1/k.

    l is what a page's views say by what σ(o) was of other pages (``Learned``), s = ½·m / (m + 20) after m of them. What
    a user says of a page (1 or 0) is its relevance. l is learned from it, and then once more from what is thought by
    that; and u·z + v·o + w is added to the log odds, z the answer that l is made of in units of its spread
    (``correction``).
    """

    def __init__(self, profile: Profile, vectors: Vectors | None = None) -> None:
        self.profile = profile
        self._vectors = vectors
        self._query = embed(vectors, [profile.topic.words], profile.language)[0] if vectors else np.zeros(0)
        self._titles, self._length = np.zeros_like(self._query), TINY  # sum of the trusted seeds' titles, its length
        self._called = Column(np.float64, len(self._query))  # vectors of seeds' titles
        self._scales = np.array([1.0, *TITLE]) if vectors else np.ones(1)
        self.linked = PageLinks()
        self._seeds: dict[int, SeenPage] = {}
        self._contrast = Contrast()
        self._cosines = Column(np.float64, len(self._scales))  # the text's, and the title's
        self._own = Column(np.float64)  # c
        self._company = Column(np.float64)  # w·(Σ c of neighbours + 2·mean c) / (neighbours + 2)
        self._odds = Column(np.float64)  # of that and of company alone
        self._learned = Learned()
        self._guesses = Column(np.float64)
        self._series = Series()
        self._parts = Column(np.uint16)  # which page of its series each is
        self._mean = self._high = TINY
        self._linked = self._doubt = 0.0  # w, and what comes off the log odds
        self.marks: dict[str, bool] = {}
        self._marked: dict[int, float] = {}  # those of observed pages, by number: 1 or 0
        self._trust = Trust(profile, self._contrast, self.marks)
        self._correction, self._due = np.zeros(3), 0  # u, v, w; the page with which all are judged anew
        self._moved: dict[int, Floats] = {}  # the part of each mark in u, v, w, by page
        self._revise = self._revised = self._said_since = False

    def observe(self, page: SeenPage) -> Judged:
        n, neighbours, links, parents, again = self.linked.add(page)
        if again:
            self._anew(n, page)
            return Judged(self._told(n), float(self._guesses.values[n]), n, again=True)
        revised, self._revised = self._revised, False
        if page.depth == 0:
            self.profile.learn(page)
            self._seeds[n] = page
            if self._vectors:
                self._called.extend(embed(self._vectors, [page.title], page.language))
            self._trust.learn(page)
        alone = page.depth == 0 and self._trust.few
        if alone:
            self._trust.revise()
            self._aim()
        text = weighted(page.terms)
        cosines, part = [self._contrast.add(*text), *self._look(page)], self._series.part(page)
        self._revise |= self._trust.add(page)
        self._cosines.extend([cosines])
        self._parts.extend([part])
        for column in (self._own, self._company, self._odds, self._guesses):
            column.extend([0.0])
        self._learned.add(page, text)
        if page.url in self.marks:
            self._hold(n, page.url, page, 0.0)
        if n >= self._due or alone:
            self._judge_all()
        else:
            self._guesses.values[n] = self._judge(n, neighbours)
        return Judged(self._told(n), float(self._guesses.values[n]), n, links, parents, revised=revised)

    def mark(self, said: Sequence[tuple[Mark, SeenPage | None]]) -> None:
        known = False
        for mark, page in said:
            self.marks.pop(mark.url, None)
            if mark.good is not None:
                self.marks[mark.url] = mark.good
            self._revise |= self._trust.hangs_on(mark.url)
            if (n := self.linked.number.get(mark.url)) != UNKNOWN:
                self._hold(n, mark.url, page, float(self._guesses.values[n]))
                known = True
        if known and (self._revise or not self._learned.pages or self._learned.due()):
            self._revise = self._revised = True
            self._judge_all()
        elif known:
            self._correct()
            self._think()

    def _hold(self, n: int, url: str, page: SeenPage | None, was: float) -> None:
        """A page of this relevance has been observed and marked, or its mark has been taken back."""
        self._said_since, good = True, self.marks.get(url)
        self._learned.mark(n, good, page)
        if n not in self._seeds:
            self._trust.marked.hold(n, url, good, page, was)
        if good is None:
            self._marked.pop(n, None)
        else:
            self._marked[n] = float(good)

    def _aim(self) -> None:
        """The profile has changed."""
        if self._vectors:
            self._titles = np.asarray(np.array(self.profile.trusts) @ self._called.values)
            self._length = max(float(np.linalg.norm(self._titles)), TINY)
        self._contrast.aim(self.profile.vector, self.profile.known)

    @property
    def doubted(self) -> Mapping[str, str]:
        return self._trust.doubted

    def texts(self, page: SeenPage) -> Sequence[str]:
        return [page.title] if self._vectors else []

    def relevance(self, url: str) -> float | None:
        n = self.linked.number.get(url)
        return None if n == UNKNOWN else self._told(n)

    def parts(self, url: str) -> dict[str, float]:
        """Of rel = σ((1 - taught)·((text + query + seeds + company) / reach - 0.6) / 0.12 + taught·learned + said -
        doubt) / part, the first two with log odds of 5 at the most, if there is no mark; see ``parts``."""
        n = self.linked.number.get(url)
        if n == UNKNOWN:
            return {}
        names, (row,) = self.accounts(slice(n, n + 1))
        return dict(zip(names, row.tolist(), strict=True)) | ({"mark": self._marked[n]} if n in self._marked else {})

    def accounts(self, those: slice = ALL) -> tuple[Sequence[str], Floats]:
        own = self._cosines.values[those] * self._scales
        ones = np.ones(len(own))
        learned = np.column_stack([self._taught(those), self._learned.shares(those), self._share * ones])
        company, parts = self._company.values[those], self._parts.values[those]
        rows = np.column_stack([own, company, self._high * ones, learned, self._doubt * ones, parts])
        names = [*("text", "query", "seeds")[: own.shape[1]], "company", "reach", "learned"]
        names += [*(f"by {name}" for name in NAMES), "by any", "taught", "doubt", "part"]
        return (["said", *names], np.column_stack([self._said(those), rows])) if self._marked else (names, rows)

    def relevances(self) -> Floats:
        told = self._lowered(ALL)
        told[list(self._marked)] = list(self._marked.values())
        return told

    def guesses(self) -> Floats:
        return np.asarray(self._guesses.values)

    def _told(self, n: int) -> float:
        """What users are told of a page."""
        return self._marked.get(n, float(self._lowered(slice(n, n + 1))[0]))

    def _lowered(self, those: slice) -> Floats:
        """With log odds that are lower by the doubt."""
        parts = self._parts.values[those]
        return np.asarray(lowered(np.minimum(self._guesses.values[those] * parts, 1.0), self._doubt) / parts)

    def speech(self) -> Floats:
        return self._contrast.speech(self._guesses.values)

    def _look(self, page: SeenPage) -> list[float]:
        """The title's cosines, each in [0, 1]; none without vectors."""
        if not self._vectors:
            return []
        title = embed(self._vectors, [page.title], page.language)[0]
        near = float(title @ self._titles) / self._length
        return [max(0.0, float(title @ self._query)), max(0.0, near)]

    def _anew(self, n: int, page: SeenPage) -> None:
        """A page that has been fetched once more, as it is now."""
        self._cosines.values[n] = [self._contrast.again(n, *weighted(page.terms)), *self._look(page)]
        self._learned.again(n, page)
        self._guesses.values[n] = self._judge(n, self.linked.neighbours(n))

    def _judge(self, n: int, neighbours: list[int]) -> float:
        """The page by the scales of the last time when all were judged."""
        self._own.values[n] = own = float(np.dot(self._cosines.values[n], self._scales))
        self._company.values[n] = self._linked * company.mean(self._own.values[neighbours].tolist(), self._mean)
        self._odds.values[n] = ((own + self._company.values[n]) / self._high - CENTRE) / WIDTH
        return self._marked.get(n, float(self._chances(slice(n, n + 1))[0]))

    @property
    def _share(self) -> float:  # of what is learned
        return TAUGHT * self._learned.pages / (self._learned.pages + DOUBT)

    def _taught(self, those: slice) -> Floats:
        return np.clip(self._learned.odds(self._learned.answers(those)), -SUREST, SUREST)

    def _said(self, those: slice) -> Floats:
        return self._views(self._learned.answers(those), self._odds.values[those]) @ self._correction

    def moved(self, n: int) -> Mapping[int, float]:
        """What each mark, by its page, adds to the log odds of the n-th page: see ``correction``."""
        (view,) = self._views(self._learned.answers(slice(n, n + 1)), self._odds.values[n : n + 1])
        return {m: float(part @ view) for m, part in self._moved.items()}

    def _views(self, answers: Floats, odds: Floats) -> Floats:
        """What log odds are corrected by, a row a page."""
        return np.stack([self._learned.scaled(answers), np.clip(odds, -SUREST, SUREST), np.ones(len(odds))], 1)

    def _chances(self, those: slice) -> Floats:
        """Of pages: σ of both log odds, mixed; of a series' k-th page 1/k of it."""
        odds = self._mixed(self._odds.values[those], self._taught(those))
        if self._marked:
            odds = odds + self._said(those)
        return np.asarray(1 / self._parts.values[those].astype(np.float64) / (1 + np.exp(-odds)))

    def _mixed(self, odds: Floats, taught: Floats) -> Floats:
        odds = np.clip(odds, -SUREST, SUREST)
        return np.asarray(odds + self._share * (taught - odds))

    def _correct(self) -> None:
        """By the marks of pages that were learned from."""
        learned, odds = self._learned, self._odds.values
        at, said, apart = learned.marked()
        rest = np.setdiff1d(np.arange(len(odds) - learned.pages, len(odds)), at)
        those, answers = np.append(at, rest).astype(int), np.append(apart, learned.answers(rest))
        mixed = self._mixed(odds[those], np.clip(learned.odds(answers), -SUREST, SUREST))
        least = np.array([0.0, self._share - 1, -np.inf])  # nothing that speaks for a page is held against it
        self._correction, parts = correction(self._views(answers, odds[those]), mixed, said, least)
        self._moved = dict(zip(at, parts, strict=True))

    def _think(self) -> None:
        """Of all pages, by what is known."""
        self._guesses.set(self._chances(ALL))
        if self._marked:
            self._guesses.values[list(self._marked)] = list(self._marked.values())
        chances = np.minimum(self._guesses.values * self._parts.values, 1.0)
        self._doubt = excess(chances, self._trust.most(float(chances.sum())))

    def _judge_all(self) -> None:
        if len(self._cosines.values) <= len(self._seeds) + 1:  # the profile changes with every seed
            for n, page in self._seeds.items():
                self._cosines.values[n, 1:] = self._look(page)
        taught = self._learned.due()
        if (self._revise or (taught and self._said_since)) and self.profile.seeds_read:
            self._trust.revise()
            self._aim()
        self._revise = self._said_since = False
        self._contrast.judge(self._cosines.values[:, 0])
        cosines = self._cosines.values
        self._scales = np.array([1.0, TITLE[0], TITLE[1] * self.profile.firm])[: cosines.shape[1]] / [
            max(top(column), foot) for column, foot in zip(cosines.T, FEET, strict=False)
        ]
        c = cosines @ self._scales
        self._own.set(c)
        self._mean = float(c.mean())
        self._linked = company.weight(c, self.linked)
        self._company.set(self._linked * company.means(c, self.linked))
        j = c + self._company.values
        self._high = max(top(j), FOOT)
        self._odds.set((j / self._high - CENTRE) / WIDTH)
        chances = 1 / self._parts.values.astype(np.float64) / (1 + np.exp(-np.clip(self._odds.values, -30, 30)))
        if taught:
            self._learned.learn(chances)
            if self._marked:
                self._correct()
                self._learned.learn(self._chances(ALL))
                self._correct()
        self._think()
        self._due = len(c) + max(5, len(c) // 50)
