"""What one crawl of a comparison fetched, in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple


class Judged(NamedTuple):
    """What was thought of a page, and what is true."""

    came: float  # its semrank when it came
    end: float  # its semrank when the crawl was over
    about: bool  # labelled relevant, by whichever URL it was fetched


@dataclass(frozen=True, slots=True)
class Trace:
    """The fetches of one order on one topic from one set of seeds. Seeds are given, so they are not counted."""

    urls: tuple[str, ...]  # in the order of their fetches, seeds left out
    hits: tuple[bool, ...]  # labelled relevant
    relevant: int  # R: labelled pages that can be reached from the seeds, seeds left out
    budget: int  # how many fetches were allowed
    cpu: tuple[float, ...] = ()  # CPU seconds of the crawl's own work up to each fetch
    judged: tuple[Judged, ...] = ()  # the pages among the fetches that no user has marked, in the same order
    hosts: tuple[str, ...] = ()  # of the relevant pages that were found, in the same order
    reach: tuple[int, ...] = ()  # how many of the R stand on each of their hosts
    links: int = 0  # URLs that were found, seeds left out
    unknown: int = 0  # of these, what nobody knows of: the recording does not have it

    def found(self) -> Sequence[int]:
        """Relevant pages after 1, 2, 3 … fetches.

        >>> Trace(("a", "b", "c"), (True, False, True), 4, 3).found()
        [1, 1, 2]
        """
        return list(accumulate(map(int, self.hits)))
