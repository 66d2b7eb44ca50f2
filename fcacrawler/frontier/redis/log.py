"""The log of pages in Redis, as far as a worker has heard of it."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator, Sequence

from fcacrawler.frontier.records import load_page
from fcacrawler.values.errors import BadRecord
from fcacrawler.values.pages import SeenPage

logger = logging.getLogger(__name__)

READ = 100  # pages of others that are asked for at once


class Log:
    """``heard`` is the place up to which it has been heard, ``known`` the one up to which all has been learned from,
    ``learned`` how many pages that were."""

    def __init__(self) -> None:
        self.heard = self.known = b"0-0"
        self.learned = 0
        self._pages: deque[bytes] = deque()

    def __len__(self) -> int:
        """How many pages there are to learn from."""
        return len(self._pages)

    def hear(self, answer: Sequence[bytes]) -> None:
        """What learn.lua has answered."""
        self.heard, *pages = answer
        self._pages.extend(pages)
        if not self._pages:
            self.known = self.heard

    def pages(self) -> Iterator[SeenPage]:
        while self._pages:
            self.learned += 1
            try:
                yield load_page(self._pages.popleft())
            except BadRecord as e:
                logger.error("a page in Redis is left out: %s", e)
        self.known = self.heard
