"""How a worker joins a crawl in Redis."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Joining:
    """``budget``: responses of all workers, 0: no end, -1: what this part was granted; ``ahead``: leases fetched
    together at most; ``seeds``: seconds from the first lease on for which nothing else leaves while what ranks 1 is
    being fetched; ``site_of``: of a host, where sites have a budget; ``told``: what the crawl says of itself."""

    budget: int = 0
    ahead: int = 6
    seeds: float = 0
    site_of: Callable[[str], str] | None = None
    told: str = ""


PLAINLY = Joining()
