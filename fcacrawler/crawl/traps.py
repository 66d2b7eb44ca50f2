"""Traps: links without an end, told by how their URLs are made and by what others of their kind have led to.

Most of what is endless on the web repeats itself, and the crawl follows no links of a duplicate. The rest is bounded
here, whatever it ranks: calendars and pages that go on and on, links that become longer with each step, and kinds of
links that lead to copies only (sessions, mirrors, pages that are missing but do not say so) or to nothing at all. All
of it depends on the pages observed, on what was missing, and on their order alone; what was missing is not known any
more when the crawl goes on.

Why so: decisions 093 and 320.
"""

from __future__ import annotations

from collections import Counter

from fcacrawler.page.identity.kinds import kind, shape

# What a link can be left out for; as they are counted and shown
PATH = "trap: path"
NUMBERS = "trap: numbers"
COPY = "trap: copies"
MISSING = "trap: missing"

CHAIN = 50  # steps from a page to the next one, with a URL that differs in nothing but numbers
COPIES = 20  # duplicates in a row, of one kind of URL, before the others of that kind are left
MISSED = 20  # likewise, where nothing was
GONE = (404, 410)  # statuses that say so
SEGMENTS = 40  # of a path
SHALLOW = 8  # segments that may be anything
REPEATS = 3  # how often one of them may occur in a longer path
REMEMBERED = 50_000


class Traps:
    """What the pages observed last tell; of bounded size.

    >>> traps = Traps()
    >>> traps.rule("http://a.test/x/y/x/y/x/y/x/y/x", "http://a.test/x/"), traps.rule("http://a.test/x", "http://a.test/")
    ('trap: path', None)
    """

    def __init__(self) -> None:
        self._chains: dict[str, int] = {}  # URL → steps of the chain that led to it
        self._copies: dict[str, int] = {}  # kind → duplicates since the last page that was none, while they are few
        self._left: dict[str, int] = {}  # … and when they are enough
        self._missed: dict[str, int] = {}  # kind, or host without a page → where nothing was, while it is little
        self._void: dict[str, int] = {}  # … and when it is enough
        self._hosts: dict[str, int] = {}  # that have had one

    def observe(self, url: str, parent: str, duplicate: bool) -> None:
        """A page has been read that was found on another one ("" if on none)."""
        if shape(url) == shape(parent):
            _keep(self._chains, url, self._chains.get(parent, 0) + 1)
        name = kind(url)
        _keep(self._hosts, host(url), 1)
        for place in (name, host(url)):
            self._missed.pop(place, None)
            self._void.pop(place, None)
        copies = self._copies.pop(name, 0) + self._left.pop(name, 0) + 1
        if duplicate:
            _keep(self._copies if copies < COPIES else self._left, name, copies)

    def missing(self, url: str) -> None:
        """There is nothing at this URL, for good: 404 or 410."""
        for place in (kind(url), host(url)):
            if place not in self._hosts:
                missed = self._missed.pop(place, 0) + self._void.pop(place, 0) + 1
                _keep(self._missed if missed < MISSED else self._void, place, missed)

    def rule(self, url: str, parent: str) -> str | None:
        """The rule against following a link on a page; None if there is none."""
        if url.count("/") > SHALLOW + 2 and _is_long(url):
            return PATH
        if self._chains.get(parent, 0) >= CHAIN and shape(url) == shape(parent):
            return NUMBERS
        if self._left and kind(url) in self._left:
            return COPY
        return MISSING if self._void and not self._void.keys().isdisjoint((kind(url), host(url))) else None


def host(url: str) -> str:
    """
    >>> host("http://a.test:8080/x")
    'http://a.test:8080'
    """
    return "/".join(url.split("/", 3)[:3])


def _is_long(url: str) -> bool:
    segments = url.partition("?")[0].split("/")[3:]
    return len(segments) > SEGMENTS or max(Counter(filter(None, segments)).values(), default=0) > REPEATS


def _keep(table: dict[str, int], name: str, value: int) -> None:
    table[name] = value
    if len(table) > REMEMBERED:
        del table[next(iter(table))]
