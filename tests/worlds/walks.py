"""Two walks through a world, as plain as can be: breadth first, and with labels and links known."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from functools import cache
from html import unescape
from urllib.parse import urljoin

from fcacrawler.worlds import World

_LINK = re.compile(rb'<a href="([^"#]+)"([^>]*)>')


class Walk:
    """Answers from a world and their links, each looked at once. Links not to be followed are left out."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.pages = frozenset(world.urls())
        self.links = cache(self._links)

    def _links(self, url: str) -> tuple[str, ...]:
        answer = self.world.answer(url)
        if answer is None:
            return ()
        if 300 <= answer.status < 400:
            return (urljoin(url, dict(answer.headers)["Location"]),)
        base = re.search(rb'<base href="([^"]+)"', answer.body)
        home = base.group(1).decode() if base else url
        found = (m for m in _LINK.finditer(answer.body) if b"nofollow" not in m.group(2))
        absolute = (urljoin(home, unescape(m.group(1).decode())) for m in found)
        return tuple(dict.fromkeys(link for link in absolute if link.startswith("http")))

    def breadth_first(self, seeds: Iterable[str], relevant: frozenset[str], budget: int) -> float:
        """The part of the relevant pages that is found; seeds count, and so does every answer, redirects too."""
        known, waiting, found = set(seeds), deque(seeds), 0
        for _ in range(budget):
            if not waiting:
                break
            url = waiting.popleft()
            found += url in relevant
            for link in self.links(url):
                if link not in known:
                    known.add(link)
                    waiting.append(link)
        return found / len(relevant)

    def perfect(self, seeds: Iterable[str], relevant: frozenset[str], budget: int) -> float:
        """The same for a walk that takes relevant pages first, and else what is nearest to one."""
        known, wanted, good, rest = set(seeds), set(relevant), deque(seeds), dict[str, None]()
        for _ in range(budget):
            if not good and (way := self._towards(rest, wanted)):
                del rest[way]
                good.append(way)
            if not good:
                break
            url = good.popleft()
            wanted.discard(url)
            for link in self.links(url):
                if link not in known:
                    known.add(link)
                    if link in relevant:
                        good.append(link)
                    else:
                        rest[link] = None
        return 1 - len(wanted) / len(relevant)

    def _towards(self, starts: Iterable[str], wanted: set[str]) -> str | None:
        """The start from which a wanted page is nearest."""
        first = {url: url for url in starts if url in self.pages}
        waiting = deque(first)
        while waiting:
            url = waiting.popleft()
            for link in self.links(url):
                if link in wanted:
                    return first[url]
                if link in self.pages and link not in first:
                    first[link] = first[url]
                    waiting.append(link)
        return None
