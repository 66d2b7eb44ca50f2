"""What can be asked for besides of what was found: by concept, host, language, time and relevance."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from fcacrawler.page.text.plain import plain
from fcacrawler.search.opened import Row
from fcacrawler.semrank.cover import sides

SHOWN, TIMES = 10, 6  # values of a facet, and moments
READ = 100  # of the best pages whose concepts are told
LEASTS = (0.9, 0.7, 0.5)  # relevance
Counted = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Facets:
    """Values, and how many pages of what was found have each."""

    concepts: tuple[tuple[tuple[str, ...], int], ...] = ()  # keywords; of the best pages
    hosts: Counted = ()
    languages: Counted = ()
    times: Counted = ()  # fetched then or later
    relevant: int = 0
    least: tuple[tuple[float, int], ...] = ()  # at least so relevant


NONE = Facets()


def facets(rows: Sequence[Row]) -> Facets:
    """``rows``: what was found, best first."""
    best = [row for row in rows[:READ] if row.keywords]
    relevances = sorted([row.relevance for row in rows])
    return Facets(
        concepts=tuple(sides(plain([(row.language, row.keywords.split("\n")) for row in best]), SHOWN)),
        hosts=_counted([row.host for row in rows]),
        languages=_counted([row.language for row in rows]),
        times=times([row.fetched for row in rows]),
        relevant=sum([row.relevant for row in rows]),
        least=tuple((least, len(relevances) - bisect_left(relevances, least)) for least in LEASTS),
    )


def times(fetched: Sequence[str]) -> Counted:
    """The latest days, hours or minutes, of these the longest of which there are two; with what came then or later.

    >>> times(["2026-05-01T09:30:00", "2026-05-01T11:10:00", "2026-05-01T11:59:00"])
    (('2026-05-01T11:00', 2), ('2026-05-01T09:00', 3))
    """
    kinds = (
        Counter([moment[:length] + rest for moment in fetched]) for length, rest in ((10, ""), (13, ":00"), (16, ""))
    )
    found = next((kind for kind in kinds if len(kind) > 1), Counter[str]())
    moments = sorted(found, reverse=True)[:TIMES]
    return tuple(zip(moments, accumulate(found[moment] for moment in moments), strict=True))


def _counted(names: Iterable[str]) -> Counted:
    return tuple(Counter(names).most_common(SHOWN))
