"""Keywords that stand for one another in the crawl's own links: one attribute of the map.

Why so: decision 233.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from fcacrawler.frontier.sqlite.pages import readable
from fcacrawler.frontier.sqlite.store import damage_told, read_store
from fcacrawler.page import normalise_query
from fcacrawler.values.errors import FcaError
from fcacrawler.values.omega import Pair
from fcacrawler.values.pages import SeenPage
from fcacrawler.weblogs import CrawlLog
from fcacrawler.weblogs.crawllog import CrawlLogOptions

SHOWN = 3  # keywords of a group that its name tells


def isa_in(folder: Path) -> list[Pair]:
    """Of the pages of a crawl's folder; nothing where these cannot be read."""
    try:
        with closing(read_store(folder)) as db, damage_told(db):
            return isa_of(readable(db))
    except FcaError:  # told with the items of the same folder
        return []


def isa_of(pages: Iterable[SeenPage]) -> list[Pair]:
    """ISA by what the pages link to one another by. *Du & Hai 2013, §3.3*, with links for clicks."""
    log = CrawlLog(normalise_query, CrawlLogOptions())
    for page in pages:
        log.observe(page)
    return list(log.omega().isa)


def merged(rows: Sequence[Sequence[str]], isa: Sequence[Pair]) -> list[tuple[str, ...]]:
    """The rows with every keyword under the name of its group.

    The keyword of most rows begins a group and takes those that stand in ISA with itself; of what is in no group then,
    the one of most rows begins the next. ISA is not transitive, so that a group is what has been seen to stand for its
    first. A phrase is not put with a word of its own: it says more.

    >>> isa = [("football", "soccer"), ("goal", "soccer"), ("goal", "own goal")]
    >>> merged([["football", "goal"], ["soccer", "own goal"], ["football"]], isa)
    [('football ~ soccer', 'goal'), ('football ~ soccer', 'own goal'), ('football ~ soccer',)]
    """
    times = Counter(k for row in rows for k in row)
    like: dict[str, list[str]] = {k: [] for k in times}
    for a, b in isa:
        if a in times and b in times and not {*a.split()} & {*b.split()}:
            like[a].append(b)
            like[b].append(a)
    group: dict[str, str] = {}
    for head in _commonest(times, times):
        if head not in group:
            group |= _named([head, *_commonest([k for k in like[head] if k not in group], times)])
    return [tuple(dict.fromkeys(group[k] for k in row)) for row in rows]


def _commonest(keywords: Mapping[str, int] | Sequence[str], times: Mapping[str, int]) -> list[str]:
    return sorted(keywords, key=lambda k: (-times[k], k))


def _named(keywords: Sequence[str]) -> dict[str, str]:
    return dict.fromkeys(keywords, " ~ ".join(keywords[:SHOWN]))
