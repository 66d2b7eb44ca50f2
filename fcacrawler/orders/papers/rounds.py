"""The papers' crawl: download, rank, expand, in rounds. *Du & Hai 2013, §3.5 and §4*; *Du & Li 2007*."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from fcacrawler.ontology.words import Reader
from fcacrawler.ontology.words import Reading as Part
from fcacrawler.orders import Given
from fcacrawler.orders.papers.reading import reading_of
from fcacrawler.orders.papers.sources import source_of
from fcacrawler.orders.plain import PlainOrder
from fcacrawler.page import terms
from fcacrawler.semrank.rank import Ranking, semrank
from fcacrawler.values.clicks import Clicks
from fcacrawler.values.links import Candidate
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.verdicts import Explanation

KEYWORDS = 10  # of a page, in the formal contexts
EXPANDED = 10  # pages that are expanded when none is above γ, the best


class Rounds(PlainOrder):
    """All links of the base pages are downloaded; SemRank ranks the pages found, against the base; those above γ are
    expanded next and are the next base (BL ← CL).

    Pages at or below γ wait, and so do their links. When no page is above γ the ten best that wait are expanded, since
    the crawl would stop. A link stands where the best page stands that links to it: (1 + SemRank) / 2 if that page has
    been expanded, SemRank / 2 if it waits, 0 if it is not ranked yet. Links of the latter two leave only when a round
    cannot be finished, because a page of it did not come in.
    """

    thorough = True

    def __init__(self, given: Given, order: str) -> None:
        self.epoch = 0
        self.over = False
        reading = reading_of(order, given.reading)
        self._options, self._rounds = reading.semrank, reading.rounds
        self._gamma = given.gamma
        self._source = source_of(self._rounds.source, given, self._options)
        self._nouns = Reader(terms) if self._rounds.nouns else None
        self._clicked: dict[str, list[str]] = {}
        self.clicked(given.clicks)
        self._keywords: dict[str, list[str]] = {}
        self._links: dict[str, list[str]] = {}
        self._ranks: dict[str, float] = {}
        self._expanded: set[str] = set()
        self._waiting: list[str] = []  # ranked and not expanded
        self._base: list[str] = []
        self._current: list[str] = []
        self._pending: set[str] = set()  # to be downloaded in this round
        self._against: list[str] = []  # the base that the latest page is held against

    def clicked(self, clicks: Clicks) -> None:
        for a, b, _ in clicks.straight():
            self._clicked.setdefault(a, []).append(b)

    def learn(self, page: SeenPage, relevance: float) -> None:
        self._source.observe(page)
        self._keywords[page.url] = self._keywords_of(page)
        self._links[page.url] = [link.url for link in page.links]
        self._against = self._base
        if page.depth == 0:
            self._ranks[page.url] = 1.0
            self._base.append(page.url)
            self._expand([page.url])
            return
        if page.url not in self._pending and self._current:  # the rest of the round will not come in
            self._finish()
            self._against = self._base
        self._pending.discard(page.url)
        self._current.append(page.url)
        if not self._pending:
            self._finish()

    def _keywords_of(self, page: SeenPage) -> list[str]:
        """The best; a phrase is a noun by its last word."""
        words = [word for word, _ in page.keywords]
        if self._nouns is not None:
            tokens = self._nouns.tokens(f"{page.title}\n{page.text}", page.language)
            nouns = {token.surface for token in tokens if token.reading is Part.NOUN}
            words = [word for word in words if word.split(" ")[-1] in nouns]
        return words[:KEYWORDS]

    def _expand(self, pages: Iterable[str]) -> None:
        self._expanded.update(pages)
        self._pending |= {url for page in pages for url in self._links[page] if url not in self._links}

    def _finish(self) -> None:
        """Rank what the round has brought, and choose what is expanded in the next."""
        found = [*self._waiting, *self._current] if self._rounds.again else self._current
        self._ranks.update(self._rank(self._base, found))
        self._waiting += self._current
        self._current = []
        self._pending = set()
        while self._waiting and not self._pending:  # pages whose links are all known expand to nothing
            self._waiting.sort(key=lambda url: -self._ranks[url])
            above = sum(self._ranks[url] > self._gamma for url in self._waiting)
            self._base, self._waiting = self._waiting[: above or EXPANDED], self._waiting[above or EXPANDED :]
            self._expand(self._base)
        self.epoch += 1
        self.over = self.epoch == self._rounds.iterations

    def _rank(self, against: Sequence[str], found: Sequence[str]) -> Ranking:
        base, current = ({url: self._keywords[url] for url in urls} for urls in (against, found))
        both = base.keys() | current.keys()
        links = [(a, b) for a in (*base, *current) for b in self._links[a] if b in both]
        clicks = [(a, b) for a in (*base, *current) for b in self._clicked.get(a, ()) if b in both]
        return semrank(base, current, links, clicks, self._source.now(), self._options)

    def score(self, candidate: Candidate) -> float:
        return max((self._stand(e.parent) for e in candidate.evidence), default=0.0)

    def _stand(self, page: str) -> float:
        return ((page in self._expanded) + self._ranks.get(page, 0.0)) / 2

    def explain_page(self, page: SeenPage) -> Explanation:
        """Its SemRank against the base of its round, as far as the page alone tells it: what the rest of the round
        brings may make wider concepts of it."""
        why = self._rank([url for url in self._against if url != page.url], [page.url]).explain(page.url)
        return replace(why, features={"semrank": round(why.rank, 4)})
