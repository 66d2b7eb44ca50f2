"""The log of pages in Redis, as far as a worker has heard of it."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from fcacrawler.frontier.records import load_page
from fcacrawler.values.errors import BadRecord
from fcacrawler.values.marks import Mark, load_mark
from fcacrawler.values.pages import SeenPage

logger = logging.getLogger(__name__)

READ = 100  # pages of others that are asked for at once


class Log:
    """``heard`` is the place up to which it has been heard, ``known`` the one up to which all has been learned from,
    ``learned`` how many pages that were, ``marked`` how many marks have been heard, ``more`` whether there is more than
    was heard the last time. All workers hear marks at the same places among the pages."""

    def __init__(self) -> None:
        self.heard = self.known = b"0-0"
        self.learned = self.marked = 0
        self.more = False
        self._told: deque[bytes | list[bytes]] = deque()  # pages, and marks that were said between them

    def __len__(self) -> int:
        """How many there are to learn from: pages, and places with marks."""
        return len(self._told)

    def hear(self, answer: Sequence[Any]) -> None:
        """What learn.lua has answered."""
        self.heard, marks, more, *pages = answer
        self.more = bool(more)
        self._told.extend([marks] if marks else [])
        self._told.extend(pages)
        self.marked += len(marks)
        if not self._told:
            self.known = self.heard

    def observed(self) -> Iterator[SeenPage | Sequence[Mark]]:
        """All that there is to learn from."""
        while self._told:
            told = self._told.popleft()
            if isinstance(told, list):
                yield [mark for mark in map(load_line, told) if mark is not None]
                continue
            self.learned += 1
            try:
                yield load_page(told)
            except BadRecord as e:
                logger.error("a page in Redis is left out: %s", e)
        self.known = self.heard


def line_of(kept: bytes) -> bytes:
    """Of a mark, without the place in the log where it was said."""
    return kept.partition(b" ")[2]


def load_line(line: bytes) -> Mark | None:
    """A mark; None for what is none, which is told."""
    try:
        return load_mark(line.decode("utf-8", "replace"))
    except BadRecord as e:
        logger.error("a mark in Redis is left out: %s", e)
        return None
