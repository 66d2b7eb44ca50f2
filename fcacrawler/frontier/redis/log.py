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
    ``learned`` how many pages that were, ``marked`` how many marks have been heard."""

    def __init__(self) -> None:
        self.heard = self.known = b"0-0"
        self.learned = self.marked = 0
        self._pages: deque[bytes] = deque()
        self._marks: list[bytes] = []

    def __len__(self) -> int:
        """How many pages and marks there are to learn from."""
        return len(self._pages) + len(self._marks)

    def hear(self, answer: Sequence[Any]) -> None:
        """What learn.lua has answered."""
        self.heard, marks, *pages = answer
        self._pages.extend(pages)
        self._marks.extend(marks)
        self.marked += len(marks)
        if not self._pages:
            self.known = self.heard

    def observed(self) -> Iterator[SeenPage | Sequence[Mark]]:
        """All that there is to learn from; marks first."""
        if self._marks:
            lines, self._marks = self._marks, []
            yield [mark for mark in map(load_line, lines) if mark is not None]
        while self._pages:
            self.learned += 1
            try:
                yield load_page(self._pages.popleft())
            except BadRecord as e:
                logger.error("a page in Redis is left out: %s", e)
        self.known = self.heard


def load_line(line: bytes) -> Mark | None:
    """A mark as it stands in Redis; None for what is none, which is told."""
    try:
        return load_mark(line.decode("utf-8", "replace"))
    except BadRecord as e:
        logger.error("a mark in Redis is left out: %s", e)
        return None
