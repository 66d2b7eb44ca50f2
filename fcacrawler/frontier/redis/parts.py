"""All parts of a crawl in Redis that is cut into some, asked as one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import astuple, replace
from heapq import nlargest
from itertools import chain

from fcacrawler.frontier import Entry, Sizes
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.redis.cut import names_of, part_of
from fcacrawler.frontier.redis.frontier import RedisFrontier
from fcacrawler.frontier.redis.joining import Joining
from fcacrawler.frontier.redis.line import Line
from fcacrawler.frontier.redis.server import Server, closed_if_bad
from fcacrawler.frontier.unreached import Unreached
from fcacrawler.values.forgetting import Forgotten
from fcacrawler.values.marks import Mark


class Parts:
    """Each a ``RedisFrontier``, and what is common to them."""

    def __init__(
        self, url: str, name: str, options: FrontierOptions, crawl: Mapping[str, str], joining: Joining
    ) -> None:
        parts, self._site_of = options.parts, joining.site_of
        crawl = {**crawl, "parts": str(parts)}
        each = replace(options, frontier_size=-(-options.frontier_size // parts))
        alone = replace(joining, budget=-1 if joining.budget else 0, told="")
        self._common = Line(Server(url, f"fcacrawler:{{{name}}}:"))
        with closed_if_bad(self._common.server), ExitStack() as opened:
            about = self._common.server.claim(name, crawl, joining.told)
            self._parts: list[RedisFrontier] = []
            for part in names_of(name, parts, int(about.get("cut", 0))):
                made = RedisFrontier(url, part, each, crawl, alone)
                self._parts.append(made)
                opened.callback(made.close)
            opened.pop_all()
        self.forgotten = Forgotten(frozenset().union(*(part.forgotten.digests for part in self._parts)))

    def _part(self, host: str) -> int:
        return part_of(self._site_of(host) if self._site_of else host, len(self._parts))

    def mark(self, marks: Sequence[Mark]) -> None:
        for part in self._parts:
            part.mark(marks)

    def homes(self, more: Collection[str] = ()) -> Collection[str]:
        return {host for part in self._parts for host in part.homes(more)}

    def shut(self, host: str, why: str) -> None:
        self._parts[self._part(host)].shut(host, why)

    def unreached(self) -> Mapping[str, Unreached]:
        return {host: told for part in self._parts for host, told in part.unreached().items()}

    def knows(self, key: bytes) -> bool:
        return any(part.knows(key) for part in self._parts)

    def forget(self, key: bytes) -> None:
        for part in self._parts:
            part.forget(key)

    def top(self, n: int) -> list[Entry]:
        return nlargest(n, chain.from_iterable(part.top(n) for part in self._parts), key=lambda entry: entry.rank)

    def __iter__(self) -> Iterator[Entry]:
        return chain.from_iterable(self._parts)

    def dead(self) -> list[Entry]:
        return [entry for part in self._parts for entry in part.dead()]

    def sizes(self, floor: float) -> Sizes:
        return Sizes(*map(sum, zip(*(astuple(part.sizes(floor)) for part in self._parts), strict=True)))

    def left_out(self) -> Mapping[str, int]:
        told = [part.left_out() for part in self._parts]
        return {rule: sum(some.get(rule, 0) for some in told) for rule in {rule for some in told for rule in some}}
