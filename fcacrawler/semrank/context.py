"""Formal contexts: which URL has which keyword. In numbers for the work, as a ``concepts.Context`` for the eye."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concepts import Context


@dataclass(frozen=True, slots=True)
class Table:
    """A formal context (URLs, W, Q) in canonical order: the same context, given in any order, is the same table.

    *Du & Hai 2013, Def. 1*. ``rows[i]`` are the places in ``keywords`` of what URL i has, ascending.
    """

    urls: tuple[str, ...]
    keywords: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]


def table(given: Mapping[str, Iterable[str]], max_keywords: int = 128) -> Table:
    """The context of URLs with their keywords.

    A URL keeps its first ``max_keywords`` keywords (they come best first; a set has no first, it is taken by name). A
    keyword given twice counts once. Without URLs, or with URLs that have no keyword, the table is empty or has empty
    rows: it has concepts, none of them with both an extent and an intent.

    >>> table({"U2": ["spider"], "U1": {"spider", "internet"}})
    Table(urls=('U1', 'U2'), keywords=('internet', 'spider'), rows=((0, 1), (1,)))
    """
    urls = tuple(sorted(given))
    kept = [_first(given[u], max_keywords) for u in urls]
    keywords = tuple(sorted(set(chain.from_iterable(kept))))
    place = {k: i for i, k in enumerate(keywords)}
    return Table(urls, keywords, tuple(tuple(sorted(map(place.__getitem__, row))) for row in kept))


def _first(keywords: Iterable[str], n: int) -> list[str]:
    if isinstance(keywords, str):
        raise ValueError(f"the keywords of a URL are one string, {keywords[:50]!r}; give a list of strings")
    return list(dict.fromkeys(sorted(keywords) if isinstance(keywords, set | frozenset) else keywords))[:n]


def formal_context(t: Table) -> Context:
    """The table as the ``concepts`` package has it: to look at, to draw, to export.

    Refused as ``ValueError``, as Def. 1 does: no URL, no keyword; and a name that is both a URL and a keyword.
    """
    from concepts import Context  # not for who only ranks

    if not t.urls or not t.keywords:
        raise ValueError("a formal context needs at least one URL and one keyword")
    width = range(len(t.keywords))
    return Context(t.urls, t.keywords, [tuple(a in row for a in width) for row in map(frozenset, t.rows)])


def table_of(context: Context) -> Table:
    """A ``concepts.Context`` as a table, in its own order of URLs and keywords."""
    rows = tuple(tuple(i for i, has in enumerate(row) if has) for row in context.bools)
    return Table(tuple(context.objects), tuple(context.properties), rows)
