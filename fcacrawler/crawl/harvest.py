"""The harvest of a crawl: how many of the pages that it has read were relevant, and when."""

from __future__ import annotations

from collections import deque
from itertools import pairwise

STRETCHES = 24  # of the curve
LATELY = 100  # pages
POINTS = 2400  # that the curve is made of at most; then every other one is kept


class Harvest:
    """Counts pages, those of earlier runs too, and remembers at ever so many of them how many were relevant."""

    def __init__(self) -> None:
        self.pages = self.relevant = 0
        self.barren = 0  # pages since the last relevant one
        self._latest: deque[bool] = deque(maxlen=LATELY)
        self._every = 1  # pages between two points
        self._points = [0]

    def add(self, relevant: bool) -> None:
        self.pages += 1
        self.relevant += relevant
        self.barren = 0 if relevant else self.barren + 1
        self._latest.append(relevant)
        if self.pages % self._every == 0:
            self._points.append(self.relevant)
        if len(self._points) > POINTS:
            self._points = self._points[::2]
            self._every *= 2

    def lately(self) -> float:
        """The harvest rate of the last pages; 0 before the first."""
        return sum(self._latest) / len(self._latest) if self._latest else 0.0

    def rates(self) -> list[float]:
        """Harvest rates of equal stretches of the crawl, of which the last may be shorter.

        >>> harvest = Harvest()
        >>> for n in range(96):
        ...     harvest.add(n < 32 or n == 95)
        >>> harvest.rates()[6:10], harvest.rates()[-1]
        ([1.0, 1.0, 0.0, 0.0], 0.25)
        """
        points = [(n * self._every, relevant) for n, relevant in enumerate(self._points)]
        step = max(1, -(-(len(points) - 1) // STRETCHES))
        marks = [*points[::step], (self.pages, self.relevant)]
        return [(r1 - r0) / (p1 - p0) for (p0, r0), (p1, r1) in pairwise(marks) if p1 > p0]
