"""One crawl: what is known, what waits, and which link leaves next. No Scrapy, no network, no clock.

    visit: page ─► judge, order (learn) ─► its links ─► frontier (ranked) ─► next: link

A page has one way in, ``visit``: from our spiders and foreign ones, and in a comparison. What an earlier run or another
worker has visited is learned from again by ``recall``.

Why so: decision 141.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from fcacrawler.crawl.harvest import Harvest
from fcacrawler.crawl.options import CrawlOptions
from fcacrawler.crawl.paths import Paths
from fcacrawler.crawl.rules import DUPLICATE, OFF_SITE, Rules
from fcacrawler.crawl.sieve import KeysOf, Sieve
from fcacrawler.crawl.tunnel import Tunnel
from fcacrawler.frontier import Entry, Frontier, Sizes, anywhere
from fcacrawler.frontier.unreached import Unreached
from fcacrawler.orders import Judge, Order
from fcacrawler.values.links import Candidate, Link
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.verdicts import Explanation, Verdict

NOTHING = -math.inf  # a floor that everything is above
NOTHING_LEFT = ("exhausted", "not_reached", "nothing_above_gamma")  # reasons for which a crawl ends by itself


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
        self.options = options
        self.frontier = frontier
        self.judge = judge
        self.order = order
        self._keys_of = keys_of
        self._duplicate_of = duplicate_of
        self.store, self.shared = frontier.store, frontier.shared
        self._observed = self.store or self.shared  # where the pages are that are learned from
        rules = rules or Rules()
        taken = self.store.taken() if self.store and rules.options.budgets else {}
        self.sieve = Sieve(rules, taken, keys_of)
        self.harvest = Harvest()
        self.paths = Paths()
        self._again: set[bytes] = set()  # fetched by an earlier run, and to be fetched once more
        self.tunnel = Tunnel(options.tunnel)
        self._flights: dict[bytes, str] = {}  # leased and not yet finished, with their hosts
        self._visited: dict[bytes, str] = {}  # of those, the ones whose pages have been visited, with the URLs
        self._epoch = order.epoch
        self._shut = False  # a host that could not be reached
        self._sizes = Sizes(0, 0, 0, 0, 0)  # of the frontier, when it was last asked
        self._unreached: Mapping[str, Unreached] = {}  # likewise
        self._closed = False
        self._tell: Callable[[SeenPage, Verdict], None] = lambda page, verdict: None

    # -- what comes in ------------------------------------------------------------------------------------------

    def add(self, candidates: Sequence[Candidate]) -> None:
        """Links to be fetched: links of a page, requests of a foreign spider. Those against a rule are left out."""
        self._rank(self.frontier.add([c for c in candidates if self.sieve.passes(c.url, c.host, c.depth)]))

    def _rank(self, waiting: Sequence[Candidate]) -> bool:
        """Whether there is anything to be ranked."""
        waiting = [c for c in waiting if c.key not in self._again] if self._again else waiting
        if waiting:
            ranks = self.order.rank(waiting)
            self.frontier.update([(c.key, r) for c, r in zip(waiting, ranks, strict=True)], self.order.epoch)
        return bool(waiting)

    def _rank_outdated(self) -> bool:
        return self.shared is not None and self._rank(self.shared.outdated())

    def seed(self, candidates: Sequence[Candidate]) -> bool:
        """Start here. Seeds rank 1: they leave first. Whether any of them waits now."""
        self.at_home_on([c.host for c in candidates])
        waiting = self.frontier.add(candidates)
        self.frontier.update([(c.key, 1.0) for c in waiting], self.order.epoch)
        return bool(waiting)

    def at_home_on(self, hosts: Collection[str]) -> None:
        """Seeds are on these hosts, or led there: links to them are not off-site. Later runs and other workers hear of
        it, and this one of theirs."""
        self.sieve.at_home_on(hosts, self._observed.homes if self._observed else frozenset)

    def block(self, host: str) -> None:
        """Nothing more is fetched from the host, nor from those below it."""
        self.sieve.block(host)

    def retune(self, **options: Any) -> None:
        """Another γ, another budget, while the crawl runs."""
        self.options = replace(self.options, **options)

    def again(self, ranks: Sequence[tuple[bytes, float]]) -> int:
        """Pages that an earlier run has fetched are fetched once more, with these ranks whatever links say; how many
        there are."""
        self._again = set(self.store.again(ranks)) if self.store else set()
        self.harvest.barren = 0
        return len(self._again)

    def revisits(self, key: bytes) -> bool:
        return key in self._again

    def visit(
        self, page: SeenPage, key: bytes = b"", follow: bool = True, unseen: Mapping[str, int] | None = None
    ) -> Verdict:
        """A page has been read: learn from it and let its links wait. From a duplicate there is nothing to learn, and
        its links are its original's. ``key`` is that of the leased link by which it was fetched, if it was by one;
        ``unseen`` are its links that reading has left out, by rule."""
        verdict = self._learn(page, key)
        if self._observed:
            self._observed.record(key, page)
        if key in self._flights:
            self._visited[key] = page.url
        if verdict.duplicate_of is None:
            if follow:
                self._follow(page.links, page.url, page.depth + 1)
            self._refresh()
        elif follow and page.links:
            self.sieve.dropped[DUPLICATE] += len(page.links)
        self.sieve.dropped.update(unseen or {})
        return verdict

    def keep(self, url: str, item: str) -> None:
        """The item, as JSON, of a page that was visited by a link that is still under way: kept with the page, where
        pages are."""
        key = next((k for k, visited in self._visited.items() if visited == url), None)
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
        self._epoch = self.order.epoch  # what waits was ranked with this knowledge
        return recalled

    def _hear(self) -> int:
        heard = 0
        for page in self._observed.observed() if self._observed else ():
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

    def share(self) -> None:
        """Learn what other workers have observed meanwhile, and rank anew what has an outdated rank."""
        if self.shared and self._hear():
            self._refresh()
        self._rank_outdated()

    def _learn(self, page: SeenPage, key: bytes = b"") -> Verdict:
        self.paths.remember(page.url, page.parent)
        original = self._duplicate_of(page)
        self.sieve.traps.observe(page.url, page.parent, original is not None)
        if original is not None:
            self._count(False, key)  # a copy is no find
            rank = self.judge.relevance(original) or 0.0
            explanation = Explanation(rank, judge=self.judge.parts(original))
            return Verdict(rank, rank > self.options.gamma, explanation, original)
        rank = self.order.observe(page, self.judge.observe(page))
        explanation = replace(self.order.explain_page(page), rank=rank, judge=self.judge.parts(page.url))
        self._count(rank > self.options.gamma, key)
        return Verdict(rank, rank > self.options.gamma, explanation)

    def _count(self, found: bool, key: bytes) -> None:
        self.harvest.add(found)
        self.tunnel.observed(key, found)

    def listed(self, urls: Sequence[str], source: str, depth: int) -> None:
        """URLs that a site lists by itself, in a sitemap: links that say nothing."""
        self._follow([Link(url, "", "", n) for n, url in enumerate(urls)], source, depth)

    def _follow(self, links: Sequence[Link], parent: str, depth: int) -> None:
        self._rank(self.frontier.add(list(self.sieve.links(links, parent, depth))))

    def _refresh(self) -> None:
        """Rank the best that wait again if the order has learned since they were ranked."""
        epoch = self.order.epoch
        if epoch == self._epoch:
            return
        self._epoch = epoch
        at_hand = self.shared.at_hand if self.shared else self.frontier.top
        best = self.frontier if self.order.thorough else at_hand(self.options.rerank)
        self._rank([e.candidate for e in best if e.candidate.depth])

    # -- what goes out ------------------------------------------------------------------------------------------

    def next(self, free: Callable[[str], bool], awake: Callable[[str], bool] = anywhere) -> Entry | None:
        """The best link whose host is free now; None if there is none, for now or for good (see ``over``). What waits
        for a host that is not ``awake``, as it is to be left alone for long, holds nothing below γ back."""
        if self._spent() is not None:
            return None
        self.share()
        gated = self.order.gated
        entry = self._lease(free, self.options.gamma if gated else NOTHING)
        if entry is None and gated:
            entry = self._let_through(free, awake)
        if entry is not None:
            self._flights[entry.candidate.key] = entry.candidate.host
            self.sieve.budgets.left(entry.candidate.host)
        return entry

    def _let_through(self, free: Callable[[str], bool], awake: Callable[[str], bool]) -> Entry | None:
        """A link at or below γ: while none above it waits, as long as there is budget, and none that is far worse than
        one that waits for its host. (Redis cannot tell that one from those of hosts that are away.)"""
        best = None if self.tunnel.shut else self.frontier.best(awake)
        if self.tunnel.shut or (best is not None and best > self.options.gamma):
            return None
        floor = None if self.shared else self.tunnel.floor(best)
        entry = self._lease(free, NOTHING if floor is None else floor)
        if entry is not None and entry.rank <= self.options.gamma:
            self.tunnel.let_through(entry.candidate.key)
        return entry

    def _lease(self, free: Callable[[str], bool], floor: float) -> Entry | None:
        """The best link, by what is known now, that no rule is against: they may have changed since it was found."""
        may = self.sieve.budgets.may(free)
        while (entry := self.frontier.lease(may, floor)) or self._rank_outdated():
            if entry is not None:
                found = entry.candidate
                if self.shared and self.sieve.against(found.url, found.host, found.depth) == OFF_SITE:
                    self._hear()  # of a seed that has led another worker there
                if self.sieve.passes(found.url, found.host, found.depth, parent=found.parent):
                    break
                self.frontier.drop(found.key)
        if self.shared:
            self.sieve.dropped.update(self.shared.left_out())
        return entry

    def _runs(self, hosts: Callable[[str], bool] = anywhere) -> bool:
        best = self.frontier.best(hosts)
        return best is not None and best > self.options.gamma

    def finished(self, key: bytes, responded: bool = True) -> None:
        """The link's fetch is over: there was a response (counted against the budget), or there will be none."""
        self._land(key, responded)
        self.frontier.done(key, responded)
        self._again.discard(key)

    def released(self, key: bytes, counted: bool = True) -> None:
        """The link was not fetched after all and waits again; ``counted``: as an attempt."""
        self._land(key, responded=False)
        self.frontier.release(key, counted)

    def _land(self, key: bytes, responded: bool) -> None:
        self._visited.pop(key, None)
        self.tunnel.landed(key, responded)
        self.sieve.budgets.landed(self._flights.pop(key), responded)

    @property
    def _elsewhere(self) -> int:
        """Links under way at other workers."""
        return self.shared.elsewhere if self.shared else 0

    def shut(self, host: str, why: str) -> None:
        """The host could not be reached: nothing more of it leaves in this run."""
        self.frontier.shut(host, why)
        self._shut = True

    @property
    def fetched(self) -> int:
        """Responses so far, of all runs and workers."""
        return self.frontier.fetched

    def over(self) -> str | None:
        """Why nothing more will leave once what is in flight here has landed; None while there is something to do, or
        another worker may yet find something."""
        reason = self._spent() or self._nothing_left()
        return None if self._elsewhere and reason != "dried_up" else reason

    def _spent(self) -> str | None:
        flights = len(self._flights) + self._elsewhere
        if self.options.pages and self.fetched + flights >= self.options.pages:
            return "budget"
        if self.order.gated and self.options.patience and self.harvest.barren >= self.options.patience:
            return "dried_up"
        return None

    def _nothing_left(self) -> str | None:
        if self.frontier.best() is None:
            return "not_reached" if self._shut else "exhausted"
        if self.order.gated and self.tunnel.shut and not self._runs():
            return "nothing_above_gamma"
        return None

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
