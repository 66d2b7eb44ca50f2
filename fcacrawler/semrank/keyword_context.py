"""The crawl's formal context: which page has which keyword. The papers' inverted index, bounded."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable

PAGES = 5_000  # the latest; some 10 MB
KEYWORDS = 10  # of a page, its best


class KeywordContext:
    """Objects are pages, attributes keywords; keeps the latest pages."""

    def __init__(self, pages: int = PAGES) -> None:
        self._limit = pages
        self.intents: OrderedDict[str, frozenset[str]] = OrderedDict()  # page → its keywords
        self.extents: dict[str, dict[str, None]] = {}  # keyword → its pages, in order of arrival

    def add(self, url: str, keywords: Iterable[str]) -> None:
        """The page has these keywords, best first; what it had before is forgotten."""
        self.remove(url)
        kept = dict.fromkeys(list(keywords)[:KEYWORDS])
        self.intents[url] = frozenset(kept)
        for keyword in kept:
            self.extents.setdefault(keyword, {})[url] = None
        if len(self.intents) > self._limit:
            self.remove(next(iter(self.intents)))

    def remove(self, url: str) -> None:
        for keyword in self.intents.pop(url, ()):
            pages = self.extents[keyword]
            del pages[url]
            if not pages:
                del self.extents[keyword]

    def top_concepts(self, relevant: Callable[[str], bool], n: int = 6) -> list[tuple[tuple[str, ...], int]]:
        """The concepts of single keywords that speak for the topic most: whole intent, and how many relevant pages.

        Ordered by relevant pages × share of relevant ones among all that have the keyword, so that what every page of
        a site has (its name, its menu) comes late.

        >>> context = KeywordContext()
        >>> context.add("u1", ["race", "car"]); context.add("u2", ["race", "car", "site"]); context.add("u3", ["site"])
        >>> context.top_concepts(lambda url: url != "u3", 2)
        [(('car', 'race'), 2), (('site',), 1)]
        """
        inside = {k: sum(map(relevant, pages)) for k, pages in self.extents.items()}
        score = {k: inside[k] ** 2 / len(self.extents[k]) for k in inside}
        found: dict[tuple[str, ...], int] = {}
        for keyword in sorted(score, key=lambda k: (-score[k], k)):
            if len(found) == n or not inside[keyword]:
                break
            intent = frozenset.intersection(*(self.intents[u] for u in self.extents[keyword]))
            found.setdefault(tuple(sorted(intent)), inside[keyword])
        return list(found.items())
