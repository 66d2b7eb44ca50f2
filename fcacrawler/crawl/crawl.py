"""One crawl: what is known, what waits, and which link leaves next. No Scrapy, no network, no clock.

    visit: page ─► judge, order (learn) ─► its links ─► frontier (ranked) ─► next: link

A page has one way in, ``visit``: from our spiders and foreign ones, and in a comparison. What an earlier run or another
worker has visited is learned from again by ``recall``.

Why so: decision 141.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from fcacrawler.crawl.flights import Flights
from fcacrawler.crawl.harvest import Harvest
from fcacrawler.crawl.options import CrawlOptions
from fcacrawler.crawl.paths import Paths
from fcacrawler.crawl.rules import DUPLICATE, Rules
from fcacrawler.crawl.sieve import KeysOf, Sieve
from fcacrawler.crawl.turns import Turns
from fcacrawler.crawl.verdicts import Thought, Verdicts
from fcacrawler.crawl.waiting import Waiting
from fcacrawler.frontier import Entry, Frontier, Sizes, anywhere
from fcacrawler.frontier.unreached import Unreached
from fcacrawler.orders import Judge, Order
from fcacrawler.values.clicks import Clicks
from fcacrawler.values.links import Candidate, Link
from fcacrawler.values.marks import Mark
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.verdicts import Explanation, Verdict


class Crawl:
    """A crawl's one state: a frontier, a judge, an order, and how far it has got."""

    def __init__(
        self,
        options: CrawlOptions,
        frontier: Frontier,
        judge: Judge,
        order: Order,
        keys_of: KeysOf,
        duplicate_of: Callable[[SeenPage], str | None] = lambda page: None,
        rules: Rules | None = None,
    ) -> None:
        """``keys_of`` answers canonical URLs' keys and hosts; ``duplicate_of`` remembers a page and answers the URL of
        an earlier one with the same content; ``rules`` say which links are not followed."""
        self.frontier = frontier
        self.judge = judge
        self.order = order
        self._keys_of = keys_of
        self._duplicate_of = duplicate_of
        self.store, self.shared = frontier.store, frontier.shared
        self._observed = self.store or self.shared  # where the pages are that are learned from
        rules = rules or Rules()
        counted = rules.options.budgets or options.host_turn
        taken = self.store.taken() if self.store and counted else {}
        self.sieve = Sieve(rules, taken, keys_of, judge.marks)
        self.harvest = Harvest()
        self.verdicts = Verdicts()
        self.paths = Paths()
        self._originals: dict[str, str] = {}  # of copies
        self.waiting = Waiting(frontier, order)
        turns = Turns(options.host_turn, taken)
        self.flights = Flights(options, self.waiting, self.sieve, turns, self.harvest, self.verdicts, self._hear)
        self._sizes = Sizes(0, 0, 0, 0, 0)  # of the frontier, when it was last asked
        self._unreached: Mapping[str, Unreached] = {}  # likewise
        self._closed = False
        self._tell: Callable[[SeenPage, Verdict], None] = lambda page, verdict: None

    @property
    def options(self) -> CrawlOptions:
        return self.flights.options

    # -- what comes in ------------------------------------------------------------------------------------------

    def add(self, candidates: Sequence[Candidate]) -> None:
        """Links to be fetched: links of a page, requests of a foreign spider. Those against a rule are left out."""
        self.waiting.add([c for c in candidates if self.sieve.passes(c.url, c.host, c.depth)])

    def seed(self, candidates: Sequence[Candidate]) -> bool:
        """Start here. Seeds rank 1: they leave first. Whether any of them waits now."""
        self.at_home_on([c.host for c in candidates])
        return self.waiting.seed(candidates)

    def at_home_on(self, hosts: Collection[str]) -> None:
        """Seeds are on these hosts, or led there: links to them are not off-site. Later runs and other workers hear of
        it, and this one of theirs."""
        self.sieve.at_home_on(hosts, self._observed.homes if self._observed else frozenset)

    def block(self, host: str) -> None:
        """Nothing more is fetched from the host, nor from those below it."""
        self.sieve.block(host)

    def retune(self, **options: Any) -> None:
        """Another γ, another budget, while the crawl runs."""
        self.flights.retune(**options)

    def mark(self, marks: Sequence[Mark]) -> None:
        """Users say so of pages: it is kept, other workers hear of it, and it is learned."""
        if self._observed:
            self._observed.mark(marks)
            self._hear()
        else:
            self._told(marks)

    def _told(self, marks: Sequence[Mark]) -> None:
        """What is said of a copy is said of its original. A page that is marked good and has not been read is fetched
        next, as an example of the topic; one marked bad is not fetched."""
        marks = [replace(mark, url=self._originals.get(mark.url, mark.url)) for mark in marks]
        self.judge.mark([(mark, self._page(mark.url)) for mark in marks])
        wanted = [u for u, good in {m.url: m.good for m in marks}.items() if good and self.judge.relevance(u) is None]
        if wanted:
            self.seed(
                [Candidate(key, url, host, 0) for url, (key, host) in zip(wanted, self._keys_of(wanted), strict=True)]
            )

    def _page(self, url: str) -> SeenPage | None:
        """A page that has been read, if the store has it."""
        known = self.judge.relevance(url) is not None
        return self.store.page(self._keys_of([url])[0][0]) if self.store and known else None

    def clicked(self, clicks: Clicks) -> None:
        """Users have clicked: the order learns of it, and the best that wait are ranked again."""
        self.order.clicked(clicks)
        self.waiting.refresh(self.options.rerank)

    def again(self, ranks: Sequence[tuple[bytes, float]]) -> int:
        """Pages that an earlier run has fetched are fetched once more, with these ranks whatever links say; how many
        there are."""
        self.harvest.barren = 0
        return self.waiting.again(ranks)

    def revisits(self, key: bytes) -> bool:
        return self.waiting.is_again(key)

    def visit(
        self, page: SeenPage, key: bytes = b"", follow: bool = True, unseen: Mapping[str, int] | None = None
    ) -> Verdict:
        """A page has been read: learn from it and let its links wait. From a duplicate there is nothing to learn, and
        its links are its original's. ``key`` is that of the leased link by which it was fetched, if it was by one;
        ``unseen`` are its links that reading has left out, by rule."""
        verdict = self._learn(page, key)
        if self.shared:
            self.shared.record(key, page, verdict.relevant and verdict.duplicate_of is None)
        elif self.store:
            self.store.record(key, page)
        self.flights.visited(key, page.url)
        if follow and verdict.duplicate_of is None:
            self._follow(page.links, page.url, page.depth + 1)
        elif follow and page.links:
            self.sieve.dropped[DUPLICATE] += len(page.links)
        self.waiting.refresh(self.options.rerank)
        self.sieve.dropped.update(unseen or {})
        return verdict

    def keep(self, url: str, item: str) -> None:
        """The item, as JSON, of a page that was visited by a link that is still under way: kept with the page, where
        pages are."""
        key = self.flights.to(url)
        if self.store and key is not None:
            self.store.keep(key, item)

    def texts(self, page: SeenPage) -> list[str]:
        """The texts whose vectors ``visit`` will ask for."""
        return [*self.judge.texts(page), *self.order.texts(page)]

    def recall(self, tell: Callable[[SeenPage, Verdict], None] = lambda page, verdict: None) -> int:
        """Learn what an earlier run of this crawl learned, or other workers did, in the same order; how many pages that
        were. ``tell`` hears of each of them, and of those that other workers observe from now on."""
        self._tell = tell
        recalled = self._hear()
        self.waiting.recalled()
        return recalled

    def _hear(self) -> int:
        heard = 0
        for page in self._observed.observed() if self._observed else ():
            if not isinstance(page, SeenPage):
                self._told(page)
                continue
            verdict = self._learn(page)
            if self.shared and verdict.duplicate_of is None:
                self.shared.heard(self.sieve.heard(page.links, page.url, page.depth + 1))
            self._tell(page, verdict)
            heard += 1
            if not page.depth:
                self.at_home_on([host for _, host in self._keys_of([page.url])])
        return heard

    def sync(self) -> None:
        """To be called about once a second."""
        self.frontier.sync()
        self.share()
        if self.store:
            self._hear()

    def share(self) -> None:
        """Learn what other workers have observed meanwhile, and rank anew what has an outdated rank."""
        if self.shared and self._hear():
            self.waiting.refresh(self.options.rerank)
        self.waiting.rank_outdated()

    def _learn(self, page: SeenPage, key: bytes = b"") -> Verdict:
        original, parent = self._duplicate_of(page), page.parent
        self.paths.remember(page.url, parent)
        self.sieve.traps.observe(page.url, parent, original is not None)
        if original is not None:
            self.flights.led(key, False)  # a copy is no find
            self._originals[page.url] = original
            self.order.copied(page, original)
            if page.url in self.judge.marks and original not in self.judge.marks:
                self._told([Mark(page.url, self.judge.marks[page.url])])
            rank = self.judge.relevance(original) or 0.0
            explanation = Explanation(rank, judge=self.judge.parts(original))
            return Verdict(rank, rank > self.options.gamma, explanation, original, self._mark_of(original))
        judged = self.judge.observe(page)
        ((page_key, _),), gamma = self._keys_of([page.url]), self.options.gamma
        self.verdicts.judged(page_key, judged)
        rank = self.order.observe(page, judged)
        explanation = replace(self.order.explain_page(page), rank=rank, judge=self.judge.parts(page.url))
        self.verdicts.add(judged, rank, rank > gamma)
        if self.verdicts.due:
            self.verdicts.look(self.judge.relevances(), gamma)
        self.flights.led(key, rank > gamma)
        return Verdict(rank, rank > gamma, explanation, mark=self._mark_of(page.url))

    def _mark_of(self, url: str) -> str | None:
        good = self.judge.marks.get(url)
        return None if good is None else Mark(url, good).word

    def thought(self) -> Thought:
        """What is thought now of the pages visited, but for copies: of those what is of their originals."""
        return self.verdicts.now(self.judge.relevances(), self.options.gamma)

    def listed(self, urls: Sequence[str], source: str, depth: int) -> None:
        """URLs that a site lists by itself, in a sitemap: links that say nothing."""
        self._follow([Link(url, "", "", n) for n, url in enumerate(urls)], source, depth)

    def _follow(self, links: Sequence[Link], parent: str, depth: int) -> None:
        self.waiting.add(list(self.sieve.links(links, parent, depth)))

    # -- what goes out ------------------------------------------------------------------------------------------

    def next(self, free: Callable[[str], bool], awake: Callable[[str], bool] = anywhere) -> Entry | None:
        """The best link whose host is free now; None if there is none, for now or for good (see ``over``). What waits
        for a host that is not ``awake``, as it is to be left alone for long, holds nothing below γ back."""
        if self.flights.spent() is not None:
            return None
        self.share()
        return self.flights.next(free, awake)

    def finished(self, key: bytes, responded: bool = True) -> None:
        """The link's fetch is over: there was a response (counted against the budget), or there will be none."""
        self.flights.finished(key, responded)

    def missing(self, url: str) -> None:
        """A fetched link leads nowhere: links of its kind that all do so are left."""
        self.sieve.traps.missing(url)

    def released(self, key: bytes, counted: bool = True) -> None:
        """The link was not fetched after all and waits again; ``counted``: as an attempt."""
        self.flights.released(key, counted)

    def shut(self, host: str, why: str) -> None:
        """The host could not be reached: nothing more of it leaves in this run."""
        self.flights.shut(host, why)

    @property
    def fetched(self) -> int:
        """Responses so far, of all runs and workers."""
        return self.frontier.fetched

    def over(self) -> str | None:
        """Why nothing more will leave once what is in flight here has landed; None while there is something to do, or
        another worker may yet find something."""
        return self.flights.over()

    def sizes(self) -> Sizes:
        """When the crawl is closed: those of before."""
        if not self._closed:
            self._sizes = self.frontier.sizes(self.options.gamma)
        return self._sizes

    def unreached(self) -> Mapping[str, Unreached]:
        """Hosts that could not be reached, with what waits there. When the crawl is closed: those of before."""
        if not self._closed:
            self._unreached = self.frontier.unreached()
        return self._unreached

    def close(self) -> None:
        try:
            self.sizes()
            self.unreached()
        finally:
            self._closed = True
            self.frontier.close()
