"""Links in a random order: the floor that every informed order has to beat."""

from __future__ import annotations

from hashlib import blake2b

from fcacrawler.orders import Given
from fcacrawler.orders.plain import PlainOrder
from fcacrawler.values.links import Candidate


class RandomOrder(PlainOrder):
    """A number drawn for each URL: the same for the same seed, whenever the URL is found."""

    def __init__(self, given: Given) -> None:
        self._salt = given.seed.to_bytes(8, "big", signed=True)

    def score(self, candidate: Candidate) -> float:
        digest = blake2b(candidate.url.encode(), digest_size=8, key=self._salt).digest()
        return int.from_bytes(digest, "big") / 2**64
