"""Whose turn it is, where a user wants many hosts rather than much of one. Pure.

Why so: decision 158.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

LOOKED_AT = 1000  # hosts, those with the best links, are held against one another


class Turns:
    """A host's turn is so many pages. Who has had fewer turns comes first; among those the best link."""

    def __init__(self, pages: int, taken: Mapping[str, int]) -> None:
        """``pages`` a turn, 0 for none; ``taken``: responses so far by host."""
        self._pages = pages
        self._taken = Counter(taken)  # what is under way too

    def __bool__(self) -> bool:
        """Are there any?"""
        return self._pages > 0

    def had(self, host: str) -> int:
        return self._taken[host] // self._pages

    def left(self, host: str) -> None:
        """A link of the host is under way."""
        self._taken[host] += 1

    def landed(self, host: str, responded: bool) -> None:
        """It is no longer."""
        self._taken[host] -= not responded

    def look(self) -> Look:
        return Look(self)


class Look:
    """One look at the hosts that have links, the one with the best link first."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._seen: dict[str, bool] = {}  # hosts that had a turn, or are busy, and whether they are free

    def over(self, free: Callable[[str], bool], awake: Callable[[str], bool]) -> Callable[[str], bool]:
        """Says of host after host whether to look no further: it is free and had no turn, or enough have been seen."""

        def enough(host: str) -> bool:
            if awake(host):
                self._seen[host] = free(host)
            return self.suits(host) or len(self._seen) >= LOOKED_AT

        return enough

    def suits(self, host: str) -> bool:
        """Whether its turn comes before all others, whoever they are."""
        return self._seen.get(host, False) and not self._turns.had(host)

    def next(self) -> str | None:
        """The host whose turn it is; None if all whose turn it is are busy, so that the others wait."""
        fewest = min(map(self._turns.had, self._seen), default=0)
        return next((host for host, free in self._seen.items() if free and self._turns.had(host) == fewest), None)
