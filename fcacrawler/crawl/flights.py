"""Links that leave: which is next, which are under way, and why none will leave any more."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from fcacrawler.crawl.harvest import Harvest
from fcacrawler.crawl.options import CrawlOptions
from fcacrawler.crawl.rules import OFF_SITE
from fcacrawler.crawl.sieve import Sieve
from fcacrawler.crawl.tunnel import Tunnel
from fcacrawler.crawl.turns import Turns
from fcacrawler.crawl.verdicts import Verdicts
from fcacrawler.crawl.waiting import Waiting
from fcacrawler.frontier import Entry

NOTHING = -math.inf  # a floor that everything is above
ENOUGH = ("dried_up", "recall_reached")  # those for which each worker ends by itself
NOTHING_LEFT = ("exhausted", "not_reached", "nothing_above_gamma")  # reasons for which a crawl ends by itself


class Flights:
    """Leases the best link, until it has landed: its fetch is over, or it waits again."""

    def __init__(
        self,
        options: CrawlOptions,
        waiting: Waiting,
        sieve: Sieve,
        turns: Turns,
        harvest: Harvest,
        verdicts: Verdicts,
        hear: Callable[[], object],
    ) -> None:
        """``hear``: what other workers have observed meanwhile is learned."""
        self.options = options
        self.tunnel = Tunnel(options.tunnel)
        self._turns = turns
        self._waiting = waiting
        self._frontier, self._shared, self._gated = waiting.frontier, waiting.frontier.shared, waiting.order.gated
        self._order = waiting.order
        self._sieve = sieve
        self._harvest, self._verdicts = harvest, verdicts
        self._hear = hear
        self._hosts: dict[bytes, str] = {}  # of those under way
        self._visited: dict[bytes, str] = {}  # of those, the ones whose pages have been visited, with the URLs
        self._shut = False  # a host that could not be reached

    def led(self, key: bytes, found: bool) -> None:
        """A page has been read to which this link led, if it was one: relevant or not."""
        self._harvest.add(found)
        self.tunnel.observed(key, found)

    def retune(self, **options: Any) -> None:
        self.options = replace(self.options, **options)

    def next(self, free: Callable[[str], bool], awake: Callable[[str], bool]) -> Entry | None:
        """The best link whose host is free now; what waits for a host that is not ``awake`` holds nothing below γ
        back."""
        floor = self.options.gamma if self._gated else NOTHING
        entry = self._in_turn(free, awake, floor) if self._turns else self._lease(free, floor)
        if entry is None and self._gated:
            entry = self._let_through(free, awake)
        if entry is not None:
            self._hosts[entry.candidate.key] = entry.candidate.host
            self._sieve.budgets.left(entry.candidate.host)
            self._turns.left(entry.candidate.host)
        return entry

    def _in_turn(self, free: Callable[[str], bool], awake: Callable[[str], bool], floor: float) -> Entry | None:
        """The best link of the hosts whose turn it is."""
        look = self._turns.look()
        entry = self._lease(look.over(free, awake), floor)
        if entry is not None and not look.suits(entry.candidate.host):
            self._frontier.release(entry.candidate.key, counted=False)
            entry = None
        if entry is None and (turn := look.next()) is not None:
            entry = self._lease(lambda host: host == turn, floor)
        return entry

    def _let_through(self, free: Callable[[str], bool], awake: Callable[[str], bool]) -> Entry | None:
        """A link at or below γ: while none above it waits, as long as there is budget, and none that is far worse than
        one that waits for its host. (Redis cannot tell that one from those of hosts that are away.)"""
        best = None if self.tunnel.shut else self._frontier.best(awake)
        if self.tunnel.shut or (best is not None and best > self.options.gamma):
            return None
        floor = None if self._shared else self.tunnel.floor(best)
        entry = self._lease(free, NOTHING if floor is None else floor)
        if entry is not None and entry.rank <= self.options.gamma:
            self.tunnel.let_through(entry.candidate.key)
        return entry

    def _lease(self, free: Callable[[str], bool], floor: float) -> Entry | None:
        """The best link, by what is known now, that no rule is against: they may have changed since it was found."""
        may = self._sieve.budgets.may(free)
        while (entry := self._frontier.lease(may, floor)) or self._waiting.rank_outdated():
            if entry is not None:
                found = entry.candidate
                if self._shared and self._sieve.against(found.url, found.host, found.depth) == OFF_SITE:
                    self._hear()  # of a seed that has led another worker there
                if self._sieve.passes(found.url, found.host, found.depth, parent=found.parent):
                    break
                self._frontier.drop(found.key)
        if self._shared:
            self._sieve.dropped.update(self._shared.left_out())
        return entry

    def visited(self, key: bytes, url: str) -> None:
        """The page of a link, if that is under way, has been visited."""
        if key in self._hosts:
            self._visited[key] = url

    def to(self, url: str) -> bytes | None:
        """The link under way by which this page was visited."""
        return next((key for key, visited in self._visited.items() if visited == url), None)

    def finished(self, key: bytes, responded: bool) -> None:
        self._land(key, responded)
        self._waiting.done(key, responded)

    def released(self, key: bytes, counted: bool) -> None:
        self._land(key, responded=False)
        self._frontier.release(key, counted)

    def _land(self, key: bytes, responded: bool) -> None:
        self._visited.pop(key, None)
        self.tunnel.landed(key, responded)
        host = self._hosts.pop(key)
        self._sieve.budgets.landed(host, responded)
        self._turns.landed(host, responded)

    def shut(self, host: str, why: str) -> None:
        self._frontier.shut(host, why)
        self._shut = True

    @property
    def _elsewhere(self) -> int:
        """Links under way at other workers."""
        return self._shared.elsewhere if self._shared else 0

    def over(self) -> str | None:
        """Why nothing more will leave; None while there is something to do, or another worker may find something."""
        reason = self.spent() or self._nothing_left()
        if self._shared and reason is not None and reason not in ENOUGH:
            return reason if self._shared.quiet() else None
        return reason

    def spent(self) -> str | None:
        """Why nothing may leave, whatever waits."""
        under_way = len(self._hosts) + self._elsewhere
        if self.options.pages and self._frontier.fetched + under_way >= self.options.pages:
            return "budget"
        if self._gated and self.options.patience and self._harvest.barren >= self.options.patience:
            return "dried_up"
        found = self._verdicts.completeness
        if self.options.recall and found is not None and found.share >= self.options.recall and not self._waiting.due:
            return "recall_reached"
        return "rounds" if self._order.over else None

    def _nothing_left(self) -> str | None:
        best = self._frontier.best()
        if best is None:
            return "not_reached" if self._shut else "exhausted"
        if self._gated and self.tunnel.shut and best <= self.options.gamma:
            return "nothing_above_gamma"
        return None
