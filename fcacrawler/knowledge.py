"""The crawl's formal context: which page has which keyword. The papers' inverted index, bounded."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

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

    def top_concepts(self, n: int = 6) -> list[tuple[tuple[str, ...], int]]:
        """The concepts of single keywords that most pages share: the whole intent, and how many pages.

        >>> context = KeywordContext()
        >>> context.add("u1", ["race", "car"]); context.add("u2", ["race", "car", "rally"]); context.add("u3", ["golf"])
        >>> context.top_concepts(2)
        [(('car', 'race'), 2), (('golf',), 1)]
        """
        found: dict[tuple[str, ...], int] = {}
        for keyword in sorted(self.extents, key=lambda k: (-len(self.extents[k]), k)):
            pages = self.extents[keyword]
            intent = frozenset.intersection(*(self.intents[u] for u in pages))
            found.setdefault(tuple(sorted(intent)), len(pages))
            if len(found) == n:
                break
        return list(found.items())
