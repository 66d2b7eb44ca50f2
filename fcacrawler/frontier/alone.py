"""What a frontier that has no other workers says of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf

from fcacrawler.frontier import Entry, Frontier
from fcacrawler.values.items import Candidate


class Alone:
    """Part of a ``Frontier``: see there."""

    shared = False
    elsewhere = 0

    def polite(self, delay: Callable[[str], float], at_once: int) -> None:
        """The one worker sees to it itself."""

    def wait(self) -> float:
        return inf

    def at_hand(self: Frontier, n: int) -> list[Entry]:
        return self.top(n)

    def heard(self, candidates: Sequence[Candidate]) -> None:
        """There is nobody to be heard."""

    def outdated(self) -> list[Candidate]:
        return []

    def left_out(self) -> Mapping[str, int]:
        """The crawl sees to that."""
        return {}

    def drop(self: Frontier, key: bytes) -> None:
        self.done(key, responded=False)
