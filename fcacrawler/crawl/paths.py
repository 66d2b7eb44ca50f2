"""By which pages a page was found, back to the seed."""

from __future__ import annotations

import sys

REMEMBERED = 10_000  # pages whose parents are kept in memory, and as many of before: some 4 MB
PATH = 100  # URLs of a path at most


class Paths:
    """Pages and their parents, of those observed last.

    >>> paths = Paths()
    >>> paths.remember("a", ""), paths.remember("b", "a"), paths.remember("c", "b")
    (None, None, None)
    >>> paths.to("c")
    ['a', 'b']
    """

    def __init__(self) -> None:
        self._parents: dict[str, str] = {}
        self._before: dict[str, str] = {}

    def remember(self, url: str, parent: str) -> None:
        """``parent``: "" for a seed."""
        self._parents[sys.intern(url)] = sys.intern(parent)  # of each URL one copy
        if len(self._parents) >= REMEMBERED:
            self._parents, self._before = {}, self._parents

    def to(self, url: str) -> list[str]:
        """URLs from the seed to the parent of a page, as far back as is remembered."""
        path: list[str] = []
        while (parent := self._parents.get(url) or self._before.get(url)) and parent not in path and len(path) < PATH:
            path.append(parent)
            url = parent
        return path[::-1]
