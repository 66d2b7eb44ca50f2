"""What judged pages that mean nearly the same have turned out to be."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Floats = NDArray[np.float64]
SHARP = 12.0  # exp(12 (cosine - 1)): 0.3 at 0.9, 0.03 at 0.7
DOUBT = 0.002  # weight of the base rate: as much as one page at a cosine of 0.48
GRID = 2048  # steps of a number: sums of products of whole numbers are exact, so BLAS may add them in any order


class Near:
    """The vectors of the topic, of its seeds, and of a bounded base of judged pages: two rings, of the latest relevant
    and of the latest others."""

    def __init__(self, query: Array, room: int) -> None:
        self._query = query
        self._seeds: Array = np.zeros_like(query)
        self._base: Array = np.zeros((2 * room, len(query)), np.float32)
        self._page = np.zeros(2 * room, np.int64)
        self._used = 0
        self._rings: tuple[deque[int], deque[int]] = (deque(), deque())
        self._room = room

    def add(self, page: int, vector: Array, relevance: float, seed: bool) -> None:
        if seed:
            self._seeds = self._seeds + vector
        ring = self._rings[relevance >= 0.5]
        if len(ring) < self._room:
            at, self._used = self._used, self._used + 1
        else:
            at = ring.popleft()
        ring.append(at)
        self._base[at] = _whole(vector)
        self._page[at] = page

    def cosines(self, rows: Array) -> tuple[Floats, Floats]:
        """With the query and with the mean of the seeds, 0 at the least."""
        seeds = self._seeds / max(float(np.linalg.norm(self._seeds)), 1e-9)
        found = _products(rows, _whole(np.stack([self._query, seeds])))
        return np.clip(found[:, 0], 0.0, 1.0), np.clip(found[:, 1], 0.0, 1.0)

    def relevance(self, rows: Array, relevance: Floats, base: float) -> Floats:
        """(Σ k·rel + doubt·base) / (Σ k + doubt) over the base pages, k = exp(12 (cosine - 1))."""
        kernel = np.exp(SHARP * (_products(rows, self._base[: self._used]) - 1))
        total = (kernel * relevance[self._page[: self._used]]).sum(1)
        return np.asarray((total + DOUBT * base) / (kernel.sum(1) + DOUBT))

    def nearest(self, row: Array, n: int) -> list[tuple[int, float]]:
        """The base pages that mean most nearly the same: number and cosine, the nearest first."""
        found = _products(row[None], self._base[: self._used])[0]
        return [(int(self._page[i]), float(found[i])) for i in np.argsort(-found, kind="stable")[:n]]


def _whole(vectors: Array) -> Array:
    return np.rint(vectors * GRID)


def _products(rows: Array, whole: Array) -> Floats:
    """Cosines of rows with vectors in whole numbers."""
    return np.asarray(_whole(rows) @ whole.T, np.float64) / GRID**2
