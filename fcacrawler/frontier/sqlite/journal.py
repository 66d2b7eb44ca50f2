"""What is to reach a crawl's file with the next commit. Commits are grouped: a kill takes the last group, which is
fetched again.

Why so: decision 055.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import inf
from time import monotonic

from fcacrawler.frontier import Entry
from fcacrawler.frontier.sqlite.log import HOT
from fcacrawler.frontier.sqlite.pages import Pages
from fcacrawler.frontier.sqlite.store import Store
from fcacrawler.frontier.sqlite.urls import Change, Growth, Urls
from fcacrawler.values.errors import BadStore
from fcacrawler.values.links import Candidate

SECONDS = 0.5  # what changes is committed after so long …
PAGES = 4  # … or after so many pages


class Journal:
    """Changes and pages, in memory until ``flush``, safe after ``commit``."""

    def __init__(self, db: Store, urls: Urls, pages: Pages) -> None:
        self._db = db
        self._urls = urls
        self._changes: dict[bytes, Change] = {}
        self._growths: list[Growth] = []
        self._pages = pages
        self._due = inf

    def __contains__(self, key: bytes) -> bool:
        return key in self._changes

    @property
    def due(self) -> bool:
        return len(self._pages) >= PAGES or monotonic() > self._due

    def note(self, entry: Entry, state: int) -> None:
        self.note_all([entry], state)

    def note_all(self, entries: Sequence[Entry], state: int) -> None:
        self._changes.update([(entry.candidate.key, (entry, state)) for entry in entries])
        if self._due == inf and entries:
            self._due = monotonic() + SECONDS

    def grow(self, entry: Entry, found: Candidate) -> None:
        """One in memory is like this now that it has been found again."""
        self._growths.append((entry, found))
        self.note(entry, HOT)

    def begin(self) -> None:
        """Raises BadStore where the file has failed before: what was lost then is neither in it nor to be had again, so
        nothing that stands on it may follow."""
        if self._db.failure:
            raise BadStore(self._db.failure)
        if not self._db.in_transaction:
            self._db.execute("BEGIN IMMEDIATE")

    def flush(self) -> None:
        """All that has changed is in the transaction."""
        self.begin()
        self._urls.write(self._changes.values(), self._growths)
        self._changes.clear()
        self._growths.clear()
        self._pages.write()

    def settle(self) -> None:
        """All that has changed is in the transaction, and some of what has left memory in its place."""
        self.flush()
        self._urls.settle()

    def settle_all(self) -> None:
        """All that has left memory is in its place: see ``Urls``."""
        self.flush()
        self._urls.settle_all()

    def commit(self, counts: Mapping[str, int]) -> None:
        """What has happened so far survives a kill."""
        self.flush()
        self._db.execute("INSERT OR REPLACE INTO facts VALUES ('counts', ?)", (json.dumps(counts),))
        self._db.execute("COMMIT")
        self._due = inf
