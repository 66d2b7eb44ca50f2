"""What is to reach a crawl's file with the next commit. Commits are grouped: a kill takes the last group, which is
fetched again.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from math import inf
from time import monotonic

from fcacrawler.frontier import Entry
from fcacrawler.frontier.pages import Pages
from fcacrawler.frontier.urls import HOT, LEASED, Change, Urls

SECONDS = 0.5  # what changes is committed after so long …
PAGES = 4  # … or after so many pages
LEFT = 10_000  # so many links leave memory between one slice that settles and the next


class Journal:
    """Changes and pages, in memory until ``flush``, safe after ``commit``."""

    def __init__(self, db: sqlite3.Connection, urls: Urls, pages: Pages) -> None:
        self._db = db
        self._urls = urls
        self._changes: dict[bytes, Change] = {}
        self._pages = pages
        self._due = inf
        self._left = 0  # changes since ``settle`` of links that have left memory

    def __contains__(self, key: bytes) -> bool:
        return key in self._changes

    @property
    def due(self) -> bool:
        return len(self._pages) >= PAGES or monotonic() > self._due

    def note(self, entry: Entry, state: int, whole: bool = False) -> None:
        """``whole``: more than rank and state is new."""
        key = entry.candidate.key
        before = self._changes.get(key)
        self._changes[key] = entry, state, whole or (before is not None and before[2])
        self._left += state not in (HOT, LEASED)
        if self._due == inf:
            self._due = monotonic() + SECONDS

    def begin(self) -> None:
        if not self._db.in_transaction:
            self._db.execute("BEGIN IMMEDIATE")

    def flush(self) -> None:
        """All that has changed is in the transaction."""
        self.begin()
        self._urls.write(self._changes.values())
        self._changes.clear()
        self._pages.write()

    def settle_all(self, hot: bool = False) -> None:
        """All that has changed is in its place, or all but what is in memory: see ``Urls``."""
        self.flush()
        self._urls.settle_all(hot)
        self._left = 0

    def commit(self, counts: Mapping[str, int]) -> None:
        """What has happened so far survives a kill."""
        self.flush()
        if self._left > LEFT:
            self._urls.settle()
            self._left = 0
        self._db.execute("INSERT OR REPLACE INTO facts VALUES ('counts', ?)", (json.dumps(counts),))
        self._db.execute("COMMIT")
        self._due = inf
