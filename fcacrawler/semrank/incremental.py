"""The concepts of a context that changes: URLs come and go, and only the concepts that they touch are looked at.

Norris, E. M. (1978): An algorithm for computing the maximal rectangles in a binary relation. The concepts that a URL
touches are those whose intent lies within its keywords, and closures of such intents stay within them: Close-by-One
over the URL's own few keywords finds them all. So the cost is that of the concepts touched, not of the lattice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from heapq import heappop, heappush
from itertools import count

from fcacrawler.semrank.masks import Masks, bits


class ChangingContext:
    """A formal context and its concepts, kept up to date.

    Numbers of URLs and keywords that have left are given to those that come, so that bit sets stay as short as the
    context is small. A concept without URLs is not kept: whether there is one depends on what keywords there are.

    >>> context = ChangingContext()
    >>> context.add("U1", ["internet", "spider"]); context.add("U2", ["spider", "ontology"])
    >>> sorted(map(sorted, (intent for _, intent in context.concepts())))
    [['internet', 'spider'], ['ontology', 'spider'], ['spider']]
    >>> context.remove("U1")
    >>> list(context.concepts()) == [({"U2"}, {"ontology", "spider"})]
    True
    """

    def __init__(self, given: Mapping[str, Iterable[str]] | None = None) -> None:
        self._concepts: dict[int, int] = {}  # intent: extent
        self._columns: dict[int, int] = {}  # keyword: its URLs
        self._rows: dict[int, tuple[int, ...]] = {}  # URL: its keywords, ascending
        self._everyone = 0
        self._urls = Numbers()
        self._keywords = Numbers()
        self.change(given or {})

    def __len__(self) -> int:
        """How many concepts there are, those without URLs not counted."""
        return len(self._concepts)

    def __contains__(self, url: str) -> bool:
        return url in self._urls.of

    def change(self, added: Mapping[str, Iterable[str]], removed: Iterable[str] = ()) -> None:
        """A batch: some URLs leave, others come."""
        for url in removed:
            self.remove(url)
        for url, keywords in added.items():
            self.add(url, keywords)

    def add(self, url: str, keywords: Iterable[str]) -> None:
        """A URL comes. One that is there already is refused: remove it first."""
        if url in self:
            raise ValueError(f"{url!r} is in the context already")
        u = self._urls.number(url)
        row = tuple(sorted(self._keywords.number(k) for k in dict.fromkeys(keywords)))
        self._rows[u] = row
        self._everyone |= 1 << u
        for a in row:
            self._columns[a] = self._columns.get(a, 0) | 1 << u
        self._concepts.update((intent, extent) for extent, intent in self._within(row))

    def remove(self, url: str) -> None:
        """A URL leaves. ``KeyError`` if it is not there."""
        u = self._urls.of[url]
        row, bit = self._rows[u], 1 << u
        touched = self._within(row)
        self._everyone ^= bit
        for a in row:
            self._columns[a] ^= bit
        for extent, intent in touched:
            left = extent ^ bit
            if left and self._closure(left) == intent:
                self._concepts[intent] = left
            else:
                del self._concepts[intent]
        for a in row:
            if not self._columns[a]:
                del self._columns[a]
                self._keywords.free(a)
        del self._rows[u]
        self._urls.free(u)

    def concepts(self) -> Iterable[tuple[frozenset[str], frozenset[str]]]:
        """Every concept that has a URL, as names of URLs and of keywords."""
        for intent, extent in self._concepts.items():
            yield self._urls.names(extent), self._keywords.names(intent)

    def _within(self, row: tuple[int, ...]) -> list[Masks]:
        """The concepts whose intents lie within a row, with at least one URL: Close-by-One over its keywords alone."""
        columns = [(1 << a, self._columns[a]) for a in row]
        everyone = self._everyone
        top = sum(bit for bit, column in columns if column == everyone)
        found, stack = [], [(everyone, top, 0)]
        while stack:
            extent, intent, start = stack.pop()
            found.append((extent, intent))
            for k in range(start, len(columns)):
                bit, column = columns[k]
                if not intent & bit and (part := extent & column):
                    closed = 0
                    for b, c in columns:
                        if part & c == part:
                            closed |= b
                    if not (closed ^ intent) & (bit - 1):
                        stack.append((part, closed, k + 1))
        return found

    def _closure(self, extent: int) -> int:
        """The keywords that all URLs of an extent share: some of those of any one of them."""
        return sum(1 << a for a in self._rows[(extent & -extent).bit_length() - 1] if not extent & ~self._columns[a])


class Numbers:
    """Names by number; the least number that is free is given first."""

    def __init__(self) -> None:
        self.of: dict[str, int] = {}
        self._name: dict[int, str] = {}
        self._free: list[int] = []
        self._next = count()

    def number(self, name: str) -> int:
        if name not in self.of:
            n = heappop(self._free) if self._free else next(self._next)
            self.of[name], self._name[n] = n, name
        return self.of[name]

    def free(self, number: int) -> None:
        del self.of[self._name.pop(number)]
        heappush(self._free, number)

    def names(self, mask: int) -> frozenset[str]:
        return frozenset(self._name[n] for n in bits(mask))
