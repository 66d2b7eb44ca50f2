"""All concepts of a context, each once, by Close-by-One on bit sets.

Kuznetsov, S. O. (1993): A fast algorithm for computing all intersections of objects from an arbitrary semilattice.
Two additions: the closure of an extent can only hold keywords of any *one* of its URLs, so a URL's few keywords are
tested, not all; and a concept hands down to its children only the keywords that still occur in its extent.
"""

from __future__ import annotations

from collections.abc import Sequence

from fcacrawler.semrank.masks import Masks, extents


def close_by_one(rows: Sequence[Sequence[int]], width: int, limit: int | None = None) -> list[Masks] | None:
    """The concepts of the context in which URL i has the keywords ``rows[i]``, all below ``width``; the top first.

    None if there are more than ``limit``. An empty context has one concept, of no URL and all keywords.

    >>> [(f"{x:02b}", f"{y:02b}") for x, y in close_by_one([(0, 1), (1,)], 2)]
    [('11', '10'), ('01', '11')]
    """
    columns = extents(rows, width)
    marks = [tuple((1 << a, columns[a]) for a in row) for row in rows]  # of each URL: a keyword's bit and extent
    everything, everyone = (1 << width) - 1, (1 << len(rows)) - 1

    def closure(extent: int) -> int:
        intent = 0
        for bit, column in marks[(extent & -extent).bit_length() - 1]:
            if extent & column == extent:
                intent |= bit
        return intent

    top = closure(everyone) if rows else everything
    found: list[Masks] = []
    stack = [(everyone, top, [(1 << a, c) for a, c in enumerate(columns) if c and not top >> a & 1])]
    while stack:
        extent, intent, candidates = stack.pop()
        found.append((extent, intent))
        if limit is not None and len(found) > limit:
            return None
        children = [(bit, part) for bit, c in candidates if (part := extent & c) and not intent & bit]
        for k, (bit, part) in enumerate(children):
            closed = closure(part)
            if not (closed ^ intent) & (bit - 1):  # canonical: it adds no keyword below the one that led here
                stack.append((part, closed, children[k + 1 :]))
    if not any(y == everything for _, y in found):
        found.append((0, everything))
    return found if limit is None or len(found) <= limit else None
