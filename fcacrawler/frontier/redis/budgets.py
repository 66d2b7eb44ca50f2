"""Budgets of hosts and sites that all workers share: they are counted in Redis, whose scripts hold leases back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from fcacrawler.frontier.latest import Latest

TOLD = 50_000  # hosts; twice as many at most


class Shared:
    """What a worker tells and hears of them. ``site_of``: None where sites have no budget."""

    def __init__(self, site_of: Callable[[str], str] | None) -> None:
        self._site_of = site_of
        self._told = Latest(TOLD)
        self._left_out: Counter[str] = Counter()

    def sites(self, hosts: Iterable[str]) -> dict[str, str]:
        """By host, where Redis has not been told: only Python has the list of public suffixes. A host that is not told
        of is its own site."""
        news: dict[str, str] = {}
        if self._site_of is not None:
            for host in dict.fromkeys(hosts):
                if host.encode() not in self._told:
                    self._told.add(host.encode())
                    if (site := self._site_of(host)) != host:
                        news[host] = site
        return news

    def hear(self, answer: Sequence[bytes | int]) -> None:
        """Rules, and how many links were left out by each."""
        for rule, links in zip(answer[::2], answer[1::2], strict=True):
            assert isinstance(rule, bytes)
            self._left_out[rule.decode()] += int(links)

    def left_out(self) -> Mapping[str, int]:
        """Since this was last asked."""
        told, self._left_out = self._left_out, Counter()
        return told
