"""One crawl: what is known, what waits, and which link leaves next. No Scrapy, no network, no clock.

    page ─► judge, order (learn) ─► its links ─► frontier (ranked) ─► next link

The scheduler drives it with the real web, ``evaluation`` with a recorded one: the same object, the same order.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from fcacrawler.crawl.budgets import Budgets
from fcacrawler.crawl.paths import Paths
from fcacrawler.crawl.rules import DUPLICATE, OFF_SITE, Rules
from fcacrawler.crawl.traps import Traps
from fcacrawler.frontier import Entry, Frontier, Sizes, anywhere
from fcacrawler.frontier.unreached import Unreached
from fcacrawler.orders import Judge, Order
from fcacrawler.values.links import Candidate, Evidence, Link
from fcacrawler.values.options import at_least, between, option
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.verdicts import Explanation, Verdict

NOTHING = -math.inf  # a floor that everything is above


@dataclass(frozen=True, slots=True)
class CrawlOptions:
    """When a link runs, and when a crawl ends."""

    gamma: float = option(0.45, "threshold γ: links ranked above it run, the rest waits", between(0, 1), "gamma")
    pages: int = option(0, "responses to download, exactly; 0 means no limit", at_least(0), "pages")
    tunnel: int = option(
        100,
        "waiting links let through in a row while nothing is above γ and nothing relevant is found",
        at_least(0),
    )
    patience: int = option(
        1000,
        "the crawl has dried up after so many pages in a row without a relevant one; 0: never",
        at_least(0),
    )
    rerank: int = option(
        200, "how many of the best that wait are ranked again whenever the order has learned", at_least(1)
    )


class Crawl:
    """A crawl's one state: a frontier, a judge, an order, and how far it has got."""

    def __init__(
        self,
        options: CrawlOptions,
        frontier: Frontier,
        judge: Judge,
        order: Order,
        key_of: Callable[[str], tuple[bytes, str]],
        duplicate_of: Callable[[SeenPage], str | None] = lambda page: None,
        rules: Rules | None = None,
    ) -> None:
        """``key_of`` answers a canonical URL's key and host; ``duplicate_of`` remembers a page and answers the URL of
        an earlier one with the same content; ``rules`` say which links are not followed."""
        self.options = options
        self.frontier = frontier
        self.judge = judge
        self.order = order
        self.key_of = key_of
        self.duplicate_of = duplicate_of
        self.rules = rules or Rules()
        self.traps = Traps()
        self.store, self.shared = frontier.store, frontier.shared
        self._observed = self.store or self.shared  # where the pages are that are learned from
        taken = self.store.taken() if self.store and self.rules.options.budgets else {}
        self.budgets = Budgets(self.rules.options, taken)
        self.relevant = 0
        self.dropped: Counter[str] = Counter()  # links left out, by rule
        self.recent: deque[bool] = deque(maxlen=100)  # relevance of the last pages
        self.paths = Paths()
        self._homes: set[str] = set()  # hosts of seeds, where it is to stay on them
        self._again: set[bytes] = set()  # fetched by an earlier run, and to be fetched once more
        self._tunnelled = 0  # waiting links let through since the last relevant page
        self._flights: dict[bytes, str] = {}  # leased and not yet finished, with their hosts
        self._barren = 0  # pages since the last relevant one
        self._epoch = order.epoch
        self._shut = False  # a host that could not be reached
        self._sizes = Sizes(0, 0, 0, 0, 0)  # of the frontier, when it was last asked
        self._unreached: Mapping[str, Unreached] = {}  # likewise
        self._closed = False
        self.awake: Callable[[str], bool] = anywhere  # hosts that have not asked for a pause
        self._tell: Callable[[SeenPage], None] = lambda page: None

    # -- what comes in ------------------------------------------------------------------------------------------

    def add(self, candidates: Sequence[Candidate]) -> None:
        """Links to be fetched: links of a page, requests of a foreign spider. Those against a rule are left out."""
        self._rank(self.frontier.add([c for c in candidates if self.follows(c.url, c.host, c.depth)]))

    def follows(self, url: str, host: str, depth: int, nofollow: bool = False, parent: str = "") -> bool:
        """Whether no rule is against a link on a page; if one is, that is counted."""
        rule = self.rule_against(url, host, depth, nofollow, parent)
        if rule is not None:
            self.dropped[rule] += 1
        return rule is None

    def rule_against(self, url: str, host: str, depth: int, nofollow: bool = False, parent: str = "") -> str | None:
        """The rule by which a link on a page would not be followed now."""
        rule = self.rules.against(url, host, depth, nofollow) or self.budgets.used_up(host)
        if rule is None and depth and self.rules.options.traps:
            rule = self.traps.rule(url, parent)
        return rule

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
        if self.rules.options.stay != "any" and not self._homes.issuperset(hosts):
            self._homes.update(hosts, self._observed.homes(hosts) if self._observed else ())
            self.rules = self.rules.at_home_on(self._homes)

    def again(self, ranks: Sequence[tuple[bytes, float]]) -> int:
        """Pages that an earlier run has fetched are fetched once more, with these ranks whatever links say; how many
        there are."""
        self._again = set(self.store.again(ranks)) if self.store else set()
        self._barren = 0
        return len(self._again)

    def revisits(self, key: bytes) -> bool:
        return key in self._again

    def observe(self, page: SeenPage, key: bytes = b"", follow: bool = True) -> Verdict:
        """A page has been read: learn from it and let its links wait. From a duplicate there is nothing to learn, and
        its links are its original's. ``key`` is that of the leased link by which it was fetched, if it was by one."""
        verdict = self._learn(page)
        if self._observed:
            self._observed.record(key, page)
        if verdict.duplicate_of is None:
            if follow:
                self._follow(page.links, page.url, page.depth + 1)
            self._refresh()
        elif follow and page.links:
            self.dropped[DUPLICATE] += len(page.links)
        return verdict

    def texts(self, page: SeenPage) -> list[str]:
        """The texts whose vectors ``observe`` will ask for."""
        return [*self.judge.texts(page), *self.order.texts(page)]

    def recall(self, tell: Callable[[SeenPage], None] = lambda page: None) -> int:
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
                links, depth = page.links, page.depth + 1
                self.shared.heard([_candidate(x, *self.key_of(x.url), page.url, depth, len(links)) for x in links])
            self._tell(page)
            heard += 1
            if not page.depth:
                self.at_home_on([self.key_of(page.url)[1]])
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

    def _learn(self, page: SeenPage) -> Verdict:
        self.paths.remember(page.url, page.parent)
        original = self.duplicate_of(page)
        self.traps.observe(page.url, page.parent, original is not None)
        if original is not None:
            return self._count(Verdict(0.0, False, Explanation(0.0), original))
        relevance = self.judge.observe(page)
        rank = self.order.observe(page, relevance)
        explanation = replace(self.order.explain_page(page), rank=rank)
        return self._count(Verdict(rank, rank > self.options.gamma, explanation))

    def _count(self, verdict: Verdict) -> Verdict:
        self.relevant += verdict.relevant
        self.recent.append(verdict.relevant)
        self._barren = 0 if verdict.relevant else self._barren + 1
        self._tunnelled = 0 if verdict.relevant else self._tunnelled
        return verdict

    def listed(self, urls: Sequence[str], source: str, depth: int) -> None:
        """URLs that a site lists by itself, in a sitemap: links that say nothing."""
        self._follow([Link(url, "", "", n) for n, url in enumerate(urls)], source, depth)

    def _follow(self, links: Sequence[Link], parent: str, depth: int) -> None:
        found = []
        for link in links:
            key, host = self.key_of(link.url)
            if self.follows(link.url, host, depth, link.nofollow, parent):
                found.append(_candidate(link, key, host, parent, depth, len(links)))
        self._rank(self.frontier.add(found))

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

    def next(self, free: Callable[[str], bool]) -> Entry | None:
        """The best link whose host is free now; None if there is none, for now or for good (see ``over``)."""
        if self._spent() is not None:
            return None
        self.share()
        gated = self.order.gated
        entry = self._lease(free, self.options.gamma if gated else NOTHING)
        tunnel = entry is None and gated and self._tunnelled < self.options.tunnel and not self._runs(self.awake)
        if tunnel:
            entry = self._lease(free, NOTHING)
        if entry is not None:
            self._flights[entry.candidate.key] = entry.candidate.host
            self.budgets.left(entry.candidate.host)
            self._tunnelled += tunnel
        return entry

    def _lease(self, free: Callable[[str], bool], floor: float) -> Entry | None:
        """The best link, by what is known now, that no rule is against: they may have changed since it was found."""
        may = self.budgets.may(free)
        while (entry := self.frontier.lease(may, floor)) or self._rank_outdated():
            if entry is not None:
                found = entry.candidate
                if self.shared and self.rule_against(found.url, found.host, found.depth) == OFF_SITE:
                    self._hear()  # of a seed that has led another worker there
                if self.follows(found.url, found.host, found.depth, parent=found.parent):
                    break
                self.frontier.drop(found.key)
        if self.shared:
            self.dropped.update(self.shared.left_out())
        return entry

    def _runs(self, hosts: Callable[[str], bool] = anywhere) -> bool:
        best = self.frontier.best(hosts)
        return best is not None and best > self.options.gamma

    def finished(self, key: bytes, responded: bool = True) -> None:
        """The link's fetch is over: there was a response (counted against the budget), or there will be none."""
        self.budgets.landed(self._flights.pop(key), responded)
        self.frontier.done(key, responded)
        self._again.discard(key)

    def released(self, key: bytes, counted: bool = True) -> None:
        """The link was not fetched after all and waits again; ``counted``: as an attempt."""
        self.budgets.landed(self._flights.pop(key), responded=False)
        self.frontier.release(key, counted)

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
        if self.order.gated and self.options.patience and self._barren >= self.options.patience:
            return "dried_up"
        return None

    def _nothing_left(self) -> str | None:
        if self.frontier.best() is None:
            return "not_reached" if self._shut else "exhausted"
        if self.order.gated and self._tunnelled >= self.options.tunnel and not self._runs():
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


def _candidate(link: Link, key: bytes, host: str, parent: str, depth: int, siblings: int) -> Candidate:
    evidence = Evidence(parent, link.anchor, link.context, link.position, siblings)
    return Candidate(key, link.url, host, depth, (evidence,))
