"""What waits, ranked by what is known now: the frontier, and the order that ranks what is in it."""

from __future__ import annotations

from collections.abc import Sequence

from fcacrawler.frontier import Frontier
from fcacrawler.orders import Order
from fcacrawler.values.links import Candidate


class Waiting:
    """Links are ranked when they are found, when they are found again, and the best of them when the order has
    learned."""

    def __init__(self, frontier: Frontier, order: Order) -> None:
        self.frontier = frontier
        self.order = order
        self._again: set[bytes] = set()  # fetched by an earlier run, and to be fetched once more
        self._epoch = order.epoch

    def add(self, candidates: Sequence[Candidate]) -> None:
        self._rank(self.frontier.add(candidates))

    def _rank(self, waiting: Sequence[Candidate]) -> bool:
        """Whether there is anything to be ranked."""
        waiting = [c for c in waiting if c.key not in self._again] if self._again else waiting
        if waiting:
            ranks = self.order.rank(waiting)
            self.frontier.update([(c.key, r) for c, r in zip(waiting, ranks, strict=True)], self.order.epoch)
        return bool(waiting)

    def seed(self, candidates: Sequence[Candidate]) -> bool:
        """Seeds rank 1: they leave first. Whether any of them waits now."""
        waiting = self.frontier.add(candidates)
        self.frontier.update([(c.key, 1.0) for c in waiting], self.order.epoch)
        return bool(waiting)

    def again(self, ranks: Sequence[tuple[bytes, float]]) -> int:
        """Links that are done wait once more, with these ranks whatever links say; how many there are."""
        self._again = set(self.frontier.store.again(ranks)) if self.frontier.store else set()
        return len(self._again)

    @property
    def due(self) -> bool:
        """Whether there are links that wait, or are under way, once more."""
        return bool(self._again)

    def is_again(self, key: bytes) -> bool:
        """Whether the link is one that waits, or is under way, once more."""
        return key in self._again

    def done(self, key: bytes, responded: bool) -> None:
        self.frontier.done(key, responded)
        self._again.discard(key)

    def rank_outdated(self) -> bool:
        """Rank anew what other workers have found too, or have ranked knowing less; whether there was any."""
        shared = self.frontier.shared
        return shared is not None and self._rank(shared.outdated())

    def recalled(self) -> None:
        """What waits was ranked with what the order knows now."""
        self._epoch = self.order.epoch

    def refresh(self, most: int) -> None:
        """Rank the best that wait again, so many at most, if the order has learned since they were ranked."""
        if self.order.epoch == self._epoch:
            return
        self._epoch = self.order.epoch
        at_hand = self.frontier.shared.at_hand if self.frontier.shared else self.frontier.top
        best = self.frontier if self.order.thorough else at_hand(most)
        self._rank([e.candidate for e in best if e.candidate.depth])
