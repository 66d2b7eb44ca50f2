"""Links that a compared crawl is offered: those of which the recording knows what they lead to.

Why so: decision 157.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from fcacrawler.frontier.memory import MemoryFrontier
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.values.links import Candidate


class Offered(MemoryFrontier):
    """A frontier in which unknown URLs do not wait, unless ``all_`` do; either way they are counted."""

    def __init__(self, options: FrontierOptions, all_: bool) -> None:
        super().__init__(options)
        self._all = all_
        self._unknown: set[str] = set()  # on pages so far
        self.found: set[bytes] = set()  # URLs that were offered or left out, seeds too
        self.unknown: set[bytes] = set()  # of these

    def on_page(self, unknown: Collection[str]) -> None:
        """Nobody knows where these URLs lead, which are on a page."""
        self._unknown.update(unknown)

    def add(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        self.found.update(c.key for c in candidates)
        self.unknown.update(c.key for c in candidates if c.url in self._unknown)
        return super().add([c for c in candidates if self._all or c.key not in self.unknown])
