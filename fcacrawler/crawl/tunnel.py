"""How many links may still leave though they are not above γ: a budget that relevant pages earn. Pure.

Why so: decisions 156 and 385.
"""

from __future__ import annotations

EARNED = 10  # links that one more relevant page lets through
WORSE = 0.7  # of the best that waits: what ranks no higher than this part of it is not let through for it


class Tunnel:
    """At first ``most`` links, ten more for every relevant page, and never more than ``most`` in a row. So what lies
    below γ takes ``most`` + 10 · relevant pages of a run at most."""

    def __init__(self, most: int) -> None:
        self.most = self.left = most
        self.pages = 0  # let through and fetched
        self.relevant = 0  # of these
        self._under_way: set[bytes] = set()

    @property
    def shut(self) -> bool:
        return self.left <= 0

    @staticmethod
    def floor(best: float | None) -> float | None:
        """What a link must rank above, so that no idle host is asked for its least bad page while a far better link
        waits for its own; None: nothing."""
        return best * WORSE if best is not None and best > 0 else None

    def let_through(self, key: bytes) -> None:
        self.left -= 1
        self._under_way.add(key)

    def observed(self, key: bytes, relevant: bool) -> None:
        """A page has been visited, by whatever link."""
        if relevant:
            self.left = min(self.most, self.left + EARNED)
            self.relevant += key in self._under_way

    def landed(self, key: bytes, fetched: bool) -> None:
        """A link that waits again has cost nothing."""
        if key in self._under_way:
            self._under_way.remove(key)
            self.pages += fetched
            self.left += not fetched
