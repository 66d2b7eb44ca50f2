"""What judged pages that mean nearly the same have turned out to be."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Whole = NDArray[np.int16]  # of GRID: exact, and in half the room
Floats = NDArray[np.float64]
SHARP, ONE = np.float32(12), np.float32(1)  # exp(12 (cosine - 1)): 0.3 at 0.9, 0.03 at 0.7
DOUBT = 0.002  # weight of the base rate: as much as one page at a cosine of 0.48
GRID = 2048  # steps of a number: sums of products of whole numbers are exact, so BLAS may add them in any order


class Neighbours:
    """The vectors of the topic, of its seeds, and of a bounded base of judged pages: two rings, of the latest relevant
    and of the latest others."""

    def __init__(self, query: Array, room: int) -> None:
        self._rows: Array = np.zeros((2 * room + 2, len(query)), np.float32)  # the query, the mean seed, the base
        self._rows[0] = whole(query)
        self._seeds: list[Array] = []
        self._page = np.zeros(2 * room, np.int64)
        self._used = 0
        self._rings: tuple[deque[int], deque[int]] = (deque(), deque())
        self._room = room

    def aim(self, seed: Array) -> None:
        """The name of one more seed means this; what it says is to be told by ``trust``."""
        self._seeds.append(seed)

    def trust(self, trusts: Sequence[float], firm: float) -> None:
        """So much each of the seeds speaks for the topic, and all of them together."""
        mean = np.asarray(trusts, np.float32) @ np.array(self._seeds)
        self._rows[1] = whole(firm * mean / max(float(np.linalg.norm(mean)), 1e-9))

    def add(self, page: int, vector: Whole, relevance: float) -> None:
        ring = self._rings[relevance >= 0.5]
        if len(ring) < self._room:
            at, self._used = self._used, self._used + 1
        else:
            at = ring.popleft()
        ring.append(at)
        self._rows[at + 2] = vector
        self._page[at] = page

    def cosines(self, vectors: Whole) -> Array:
        """With the query, with the mean of the seeds, and with each page of the base."""
        found = vectors.astype(np.float32) @ self._rows[: self._used + 2].T
        found /= GRID**2
        return found

    def features(self, vectors: Whole, worth: Floats, base: float, columns: Floats) -> None:
        """``near``: mean worth of the judged pages whose names mean nearly the same; ``seeds``: cosine of the name's
        vector with the mean of the seeds'; ``query``: with that of the topic's words. ``worth`` of pages: their
        relevance, or what they have led to."""
        cosines = self.cosines(vectors)
        columns[0] = self.relevance(cosines, worth, base)
        np.minimum(np.maximum(cosines[:, 1::-1].T, 0.0), 1.0, out=columns[1:])

    def relevance(self, cosines: Array, relevance: Floats, base: float) -> Floats:
        """(Σ k·rel + doubt·base) / (Σ k + doubt) over the base pages, k = exp(12 (cosine - 1))."""
        kernel = SHARP * (cosines[:, 2:] - ONE)
        np.exp(kernel, out=kernel)
        weight = kernel.sum(1)
        kernel *= relevance[self._page[: self._used]].astype(np.float32)
        return np.asarray((kernel.sum(1) + DOUBT * base) / (weight + DOUBT), np.float64)

    def nearest(self, vector: Whole, n: int) -> list[tuple[int, float]]:
        """The base pages that mean most nearly the same: number and cosine, the nearest first."""
        found = self.cosines(vector[None])[0, 2:]
        return [(int(self._page[i]), float(found[i])) for i in np.argsort(-found, kind="stable")[:n]]


def whole(vectors: Array) -> Whole:
    return np.rint(vectors * GRID).astype(np.int16)
