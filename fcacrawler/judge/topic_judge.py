"""How relevant a fetched page is to the topic: its text against what this web says anyway, its title, its company."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from fcacrawler.judge.contrast import Contrast, top
from fcacrawler.judge.learned import Learned
from fcacrawler.judge.page_links import PageLinks
from fcacrawler.judge.profile import Profile
from fcacrawler.judge.trust import Trust
from fcacrawler.lowlevel.columns import Column, add_to, count
from fcacrawler.lowlevel.numbers import UNKNOWN
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.verdicts import Judged, rounded
from fcacrawler.vectors import Vectors, embed

TITLE = (0.3, 0.2)  # weights of the title's cosines with the query and with the seeds' titles, beside the text's of 1
LINKED = 0.7  # weight of the neighbours' mean beside the page's own evidence
CENTRE, WIDTH = 0.6, 0.12  # of the logistic, in units of what the best reach
TAUGHT, DOUBT = 0.5, 20.0  # share of what is learned in the log odds, and how many pages it takes for half of that
SUREST = 5.0  # log odds beyond which nothing is believed
TINY = 1e-6
REMEMBERED = 20_000  # series
MOST = 65_535  # parts of one that are counted
PARTS: Mapping[str, str] = MappingProxyType(
    {
        "text": "what its words say, against what pages of this crawl say anyway",
        "query": "how near its title is to the topic's words",
        "seeds": "how near its title is to the titles of the seeds that are believed",
        "company": "what the fetched pages say that it is linked with, either way",
        "reach": "what the best fifth of the pages come to: the scale of the four above",
        "learned": "log odds by what all that it shows was worth on other pages: text, title, URL, anchors, counts",
        "taught": "share of these in the log odds, half at the most; the rest is what the five above say",
        "part": "which page it is of its series, as page 2, 3 … of a list: the k-th counts 1/k",
    }
)
_DIGITS = re.compile("[0-9]+")

Floats = NDArray[np.float64]


class TopicJudge:
    """rel = σ(o + s·(l - o)), o = (j - 0.6h) / 0.12h, j = c + 0.7·(Σ c of neighbours + 2·mean c) / (neighbours + 2).

    c = text / top(text) + 0.3·query / top(query) + 0.2·seeds / top(seeds): what the page's words say (``Contrast``)
    and, where there are vectors, cosines of its title with the topic's words and with the seeds' titles. h is top(j);
    top is the mean of the best fifth of what was fetched, since cosines of another topic have another scale.
    Neighbours are the fetched pages that are linked with the page, either way. All pages are judged anew when there
    are 5 (later 2 %) more of them. Of a series (a list's page 2, 3, 4 …) the k-th page counts 1/k.

    l is what a page's views say by what σ(o) was of other pages (``Learned``), s = ½·m / (m + 20) after m of them.
    """

    def __init__(self, profile: Profile, vectors: Vectors | None = None) -> None:
        self.profile = profile
        self._vectors = vectors
        self._query = embed(vectors, [profile.topic.words], profile.language)[0] if vectors else np.zeros(0)
        self._titles, self._length = np.zeros_like(self._query), TINY  # sum of the trusted seeds' titles, its length
        self._scales = np.array([1.0, *TITLE]) if vectors else np.ones(1)
        self.linked = PageLinks()
        self._seeds: dict[int, SeenPage] = {}
        self._contrast = Contrast()
        self._cosines = Column(np.float64, len(self._scales))  # the text's, and the title's
        self._own = Column(np.float64)  # c
        self._odds = Column(np.float64)  # of that and of company alone
        self._learned = Learned()
        self._relevance = Column(np.float64)
        self._series: OrderedDict[int, int] = OrderedDict()  # hash of a title and of a URL without digits → pages
        self._parts = Column(np.uint16)  # which page of its series each is
        self._mean = self._high = TINY
        self._latest: tuple[int, list[int]] = (UNKNOWN, [])  # the page that came last, and its neighbours
        self._trust = Trust(profile, self._contrast)
        self._revise = False
        self._due = 0

    def observe(self, page: SeenPage) -> Judged:
        n = self.linked.number.get(page.url)
        if n != UNKNOWN:
            return Judged(self._anew(n, page), n, again=True)
        n, neighbours, links = self.linked.add(page)
        self._latest = n, neighbours
        if page.depth == 0:
            self.profile.learn(page)
            self._seeds[n] = page
            self._trust.learn(page)
            self._aim()
        self._cosines.extend([[self._contrast.add(page.terms), *self._look(page)]])
        self._parts.extend([self._part(page)])
        self._revise |= self._trust.add(page)
        self._learned.add(page)
        if n >= self._due or page.depth == 0:
            self._judge_all()
        else:
            self._relevance.extend([self._judge(n, neighbours)])
        return Judged(float(self._relevance.values[n]), n, links)

    def _aim(self) -> None:
        """The profile has changed."""
        if self._vectors:
            titles = np.array([embed(self._vectors, [s.title], s.language)[0] for s in self.profile.seeds_read])
            self._titles = np.asarray(np.array(self.profile.trusts) @ titles)
            self._length = max(float(np.linalg.norm(self._titles)), TINY)
        self._contrast.aim(self.profile.vector)

    def texts(self, page: SeenPage) -> Sequence[str]:
        return [page.title] if self._vectors else []

    def relevance(self, url: str) -> float | None:
        n = self.linked.number.get(url)
        return None if n == UNKNOWN else float(self._relevance.values[n])

    def parts(self, url: str) -> dict[str, float]:
        """Of rel = σ((1 - taught)·((text + query + seeds + company) / reach - 0.6) / 0.12 + taught·learned) / part,
        with log odds of 5 at the most; see ``PARTS``."""
        n = self.linked.number.get(url)
        if n == UNKNOWN:
            return {}
        neighbours = self._latest[1] if self._latest[0] == n else self.linked.neighbours(n)
        own = (self._cosines.values[n] * self._scales).tolist()
        company = sum(self._own.values[neighbours].tolist()) + 2 * self._mean
        return rounded(
            dict(zip(("text", "query", "seeds"), own, strict=False))
            | {"company": LINKED * company / (len(neighbours) + 2), "reach": self._high}
            | {"learned": float(self._taught(slice(n, n + 1))[0]), "taught": self._share}
            | {"part": float(self._parts.values[n])}
        )

    def relevances(self) -> Floats:
        return np.asarray(self._relevance.values)

    def speech(self) -> Floats:
        return self._contrast.speech(self._relevance.values)

    def _part(self, page: SeenPage) -> int:
        """1, 2, 3 … for pages of one title whose URLs differ in digits only: page 2, 3 … of a list, without end."""
        if not page.title:
            return 1
        series = hash((page.title, _DIGITS.sub("", page.url)))
        self._series[series] = part = min(self._series.pop(series, 0) + 1, MOST)
        if len(self._series) > REMEMBERED:
            self._series.popitem(last=False)
        return part

    def _look(self, page: SeenPage) -> list[float]:
        """The title's cosines, each in [0, 1]; none without vectors."""
        if not self._vectors:
            return []
        title = embed(self._vectors, [page.title], page.language)[0]
        near = float(title @ self._titles) / self._length
        return [max(0.0, float(title @ self._query)), max(0.0, near)]

    def _anew(self, n: int, page: SeenPage) -> float:
        """A page that has been fetched once more, as it is now."""
        self._cosines.values[n] = [self._contrast.again(n, page.terms), *self._look(page)]
        self._learned.again(n, page)
        self._relevance.values[n] = relevance = self._judge(n, self.linked.neighbours(n))
        return relevance

    def _judge(self, n: int, neighbours: list[int]) -> float:
        """The page by the scales of the last time when all were judged."""
        own = float(np.dot(self._cosines.values[n], self._scales))
        if n == len(self._own.values):
            self._own.extend([own])
            self._odds.extend([0.0])
        self._own.values[n] = own
        company = sum(self._own.values[neighbours].tolist())
        j = own + LINKED * (company + 2 * self._mean) / (len(neighbours) + 2)
        self._odds.values[n] = (j / self._high - CENTRE) / WIDTH
        return float(self._chances(slice(n, n + 1))[0])

    @property
    def _share(self) -> float:
        """Of what is learned."""
        return TAUGHT * self._learned.pages / (self._learned.pages + DOUBT)

    def _taught(self, those: slice) -> Floats:
        return np.clip(self._learned.odds(those), -SUREST, SUREST)

    def _chances(self, those: slice) -> Floats:
        """Of pages: σ of both log odds, mixed; of a series' k-th page 1/k of it."""
        odds = np.clip(self._odds.values[those], -SUREST, SUREST)
        odds = odds + self._share * (self._taught(those) - odds)
        return np.asarray(1 / self._parts.values[those].astype(np.float64) / (1 + np.exp(-odds)))

    def _judge_all(self) -> None:
        if len(self._cosines.values) <= len(self._seeds) + 1:  # the profile changes with every seed
            for n, page in self._seeds.items():
                self._cosines.values[n, 1:] = self._look(page)
        if self._revise and self.profile.seeds_read:
            self._trust.revise()
            self._aim()
        self._revise = False
        self._contrast.judge(self._cosines.values[:, 0])
        cosines = self._cosines.values
        weights = [1.0, TITLE[0], TITLE[1] * self.profile.firm]
        self._scales = np.array(weights)[: cosines.shape[1]] / [top(column) for column in cosines.T]
        c = cosines @ self._scales
        self._own.set(c)
        self._mean = float(c.mean())
        parents, children = self.linked.parents, self.linked.children
        company, degree = np.full(len(c), 2 * self._mean), np.full(len(c), 2.0)
        for here, there in (parents, children), (children, parents):
            add_to(company, here, there, c)
            count(degree, here)
        j = c + LINKED * company / degree
        self._high = top(j)
        self._odds.set((j / self._high - CENTRE) / WIDTH)
        self._learned.learn(
            1 / self._parts.values.astype(np.float64) / (1 + np.exp(-np.clip(self._odds.values, -30, 30)))
        )
        self._relevance.set(self._chances(slice(None)))
        self._due = len(c) + max(5, len(c) // 50)
