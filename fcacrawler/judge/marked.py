"""What pages say that a user has called good, as far as that was news.

Why so: decision 310.
"""

from __future__ import annotations

from array import array
from collections import deque

from fcacrawler.judge.profile import Vector
from fcacrawler.values.pages import SeenPage

KEPT = 1000  # latest pages whose words are known without their page
MOST = 100  # marks that count, the latest


class Marked:
    """Pages called good, each with the weight 1 - r, r its relevance before; 1 if nothing was thought of it yet.

    So marks on what was believed anyway do not narrow the topic to that.
    """

    def __init__(self) -> None:
        self._latest: deque[tuple[tuple[str, ...], array[float]]] = deque(maxlen=KEPT)
        self._pages = 0
        self._good: dict[str, tuple[Vector, float]] = {}

    def add(self, terms: Vector) -> None:
        """A page has come."""
        self._pages += 1
        self._latest.append(_exact(terms))

    def hold(self, n: int, url: str, good: bool | None, page: SeenPage | None, was: float) -> None:
        """The n-th page is called so, or nothing any more (None). Without the page it must be one of the latest."""
        if not good:
            self._good.pop(url, None)
        elif url not in self._good:
            at = n - self._pages + len(self._latest)
            known = _exact(page.terms) if page else self._latest[at] if 0 <= at < len(self._latest) else None
            if known:
                self._good[url] = dict(zip(*known, strict=True)), 1 - was
            if len(self._good) > MOST:
                del self._good[next(iter(self._good))]

    @property
    def says(self) -> list[tuple[Vector, float]]:
        return list(self._good.values())


def _exact(terms: Vector) -> tuple[tuple[str, ...], array[float]]:
    """As exact as what is kept, whether the page is at hand or not."""
    return tuple(terms), array("f", terms.values())
