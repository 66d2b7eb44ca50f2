"""How many responses may still come from each host and each site. Exact: what is under way is counted until it has
landed. Many workers are counted in Redis; each counts what it fetches itself here too, which is never more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from fcacrawler.crawl.rules import HOST_BUDGET, RuleOptions, site_of

Place = tuple[str, str]  # the rule, and the host or site


class Budgets:
    """Counts by host and by site, as far as there are budgets for them."""

    def __init__(self, options: RuleOptions, taken: Mapping[str, int]) -> None:
        """``taken``: responses so far by host."""
        self._limits = options.budgets
        self._taken: Counter[Place] = Counter()
        self._flights: Counter[Place] = Counter()
        for host, responses in taken.items():
            self._taken.update(dict.fromkeys(self._places(host), responses))

    def used_up(self, host: str) -> str | None:
        """The rule by which nothing more is to come from a host; None if something may."""
        if not self._limits:
            return None
        return next((p[0] for p in self._places(host) if self._taken[p] >= self._limits[p[0]]), None)

    def full(self, host: str) -> bool:
        """Nothing may leave for the host as long as what is under way may use up the rest."""
        return any(self._taken[p] + self._flights[p] >= self._limits[p[0]] for p in self._places(host))

    def may(self, free: Callable[[str], bool]) -> Callable[[str], bool]:
        """Which of the free hosts a link may leave for; of those whose budget is used up any may, to be dropped."""
        if not self._limits:
            return free
        return lambda host: self.used_up(host) is not None or (free(host) and not self.full(host))

    def left(self, host: str) -> None:
        """A link of the host is under way."""
        self._flights.update(self._places(host))

    def landed(self, host: str, responded: bool) -> None:
        """It is no longer."""
        self._flights.subtract(self._places(host))
        self._flights += Counter()  # without those that are at nought
        if responded:
            self._taken.update(self._places(host))

    def _places(self, host: str) -> list[Place]:
        return [(rule, host if rule == HOST_BUDGET else site_of(host)) for rule in self._limits]
