"""All concepts of a context, each once, by Close-by-One, compiled, with extents as lists of URLs.

Kuznetsov, S. O. (1993): A fast algorithm for computing all intersections of objects from an arbitrary semilattice. A
concept's children are found in one sweep over its URLs: each URL is dealt to the list of every keyword it has (Uno, T.
et al. (2004), LCM ver. 2: "occurrence deliver"), and those lists are the children's extents.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from fcacrawler.lowlevel.compiled import compiled
from fcacrawler.semrank.context import Table
from fcacrawler.semrank.kernels.arrays import Concepts, Flags, Ints, Places, Ragged, from_masks, ragged
from fcacrawler.semrank.masks import own_concepts

N = TypeVar("N", Ints, Places)


def concepts_of(t: Table, limit: int) -> Concepts:
    """All concepts of a context; above ``limit`` of them each URL's and each keyword's own only (``own_concepts``)."""
    found = enumerate_concepts(t, limit)
    return from_masks(own_concepts(t.rows, len(t.keywords)), complete=False) if found is None else found


def enumerate_concepts(t: Table, limit: int) -> Concepts | None:
    """All concepts of a context, the top first; None if there are more than ``limit``."""
    width, rows = len(t.keywords), ragged(t.rows)
    found = iceberg(rows, width, 1, limit) if t.urls else Concepts(ragged([]), ragged([]))
    if not (found.intents.sizes == width).any():
        found = Concepts(_with(found.extents, range(0)), _with(found.intents, range(width)))
    return found if len(found) <= limit else None


def _with(of: Ragged, last: range) -> Ragged:
    return Ragged(np.append(of.starts, of.starts[-1] + len(last)), np.append(of.items, np.array(last, dtype=np.uint32)))


def iceberg(rows: Ragged, width: int, support: int, limit: int) -> Concepts:
    """The concepts with ``support`` URLs at least in their extent; hardly more than ``limit``."""
    shared = np.flatnonzero(np.bincount(rows.items, minlength=width) == len(rows))
    extents, urls = np.array([0, len(rows)]), np.arange(len(rows), dtype=np.uint32)
    intents, keywords = np.array([0, len(shared)]), shared.astype(np.uint32)
    least = np.zeros(1, dtype=np.int64)
    kinds, longest = min(width, len(rows.items)), int(rows.sizes.max(initial=0))
    done, total = 0, 1
    while done < total <= limit:
        more = 2 * total + kinds + 1024  # room for the children of one concept at least
        extents, urls = _longer(extents, more), _longer(urls, 2 * extents[total] + len(rows.items) + 4096)
        intents, keywords = _longer(intents, more), _longer(keywords, 2 * intents[total] + kinds * longest + 4096)
        least = _longer(least, more)
        done, total = _expand(
            rows.starts,
            rows.items,
            width,
            longest,
            extents,
            urls,
            intents,
            keywords,
            least,
            done,
            total,
            support,
            limit,
        )
    extents, intents = extents[: total + 1].copy(), intents[: total + 1].copy()
    return Concepts(Ragged(extents, urls[: extents[-1]].copy()), Ragged(intents, keywords[: intents[-1]].copy()))


def largest(rows: Ragged, width: int, support: int, limit: int) -> Concepts:
    """The concepts of an intent that ``support`` URLs have; if there are more than ``limit``, those that more have."""
    while len(found := iceberg(rows, width, support, limit)) > limit:
        support += 1 + support // 8
    return found.filled()


def _longer(array: N, size: int) -> N:
    out = np.zeros(size, dtype=array.dtype)
    out[: len(array)] = array
    return out


@compiled
def _closure(
    starts: Ints,
    items: Places,
    dealt: Places,
    begin: int,
    end: int,
    within: Ints,
    known: Flags,
    by: int,
    keywords: Places,
    at: int,
) -> int:
    """Write what ``dealt[begin:end]`` share to ``keywords`` from ``at`` on; answers where it ends, or -1.

    -1 if they share a keyword that their parent has not and that is below the one which led here: found there, then.
    """
    one = dealt[begin]  # the closure can only hold keywords of any one URL
    for p in range(starts[one], starts[one + 1]):
        within[items[p]] = 1
    for k in range(begin + 1, end):
        for p in range(starts[dealt[k]], starts[dealt[k] + 1]):
            within[items[p]] += 1
    for p in range(starts[one], starts[one + 1]):
        a = items[p]
        if within[a] == end - begin:
            if a < by and not known[a]:
                return -1
            keywords[at] = a
            at += 1
    return at


@compiled
def _expand(
    starts: Ints,
    items: Places,
    width: int,
    longest: int,
    extents: Ints,
    urls: Places,
    intents: Ints,
    keywords: Places,
    least: Ints,
    done: int,
    total: int,
    support: int,
    limit: int,
) -> tuple[int, int]:
    """Find the children of concepts from ``done`` on, until all have been, or there is no room, or the limit is met.

    Concepts are lists of lists, (``extents``, ``urls``) and (``intents``, ``keywords``), which are added to in place.
    ``least`` is each one's least keyword that may still be added. Answers how many are done, and how many there are.
    """
    known = np.zeros(width, np.bool_)  # is the keyword in the intent?
    count = np.zeros(width, np.int64)  # URLs of the extent that have the keyword
    first, last = np.zeros(width, np.int64), np.full(width, -1, np.int64)  # where its list is in ``dealt``
    dealt = np.zeros(items.size, np.uint32)
    occurs = np.zeros(width, np.uint32)  # keywords that may be added, in order of meeting
    within = np.zeros(width, np.int64)
    while done < total <= limit:
        for k in range(intents[done], intents[done + 1]):
            known[keywords[k]] = True
        kinds, filled, since = 0, 0, least[done]
        for k in range(extents[done], extents[done + 1]):
            for p in range(starts[urls[k]], starts[urls[k] + 1]):
                a = items[p]
                if a >= since and not known[a]:
                    if count[a] == 0:
                        occurs[kinds] = a
                        kinds += 1
                    count[a] += 1
                    filled += 1
        room = (
            total + kinds < least.size
            and extents[total] + filled <= urls.size
            and intents[total] + kinds * longest <= keywords.size
        )
        if not room:
            return done, total
        filled = 0
        for k in range(kinds):
            first[occurs[k]] = last[occurs[k]] = filled
            filled += count[occurs[k]]
        for k in range(extents[done], extents[done + 1]):
            for p in range(starts[urls[k]], starts[urls[k] + 1]):
                a = items[p]
                if last[a] >= 0:
                    dealt[last[a]] = urls[k]
                    last[a] += 1
        for k in range(kinds):
            a = occurs[k]
            if count[a] < support:
                continue
            end = _closure(starts, items, dealt, first[a], last[a], within, known, a, keywords, intents[total])
            if end >= 0:
                for q in range(count[a]):
                    urls[extents[total] + q] = dealt[first[a] + q]
                extents[total + 1], intents[total + 1] = extents[total] + count[a], end
                least[total] = a + 1
                total += 1
        for k in range(kinds):
            count[occurs[k]], last[occurs[k]] = 0, -1
        for k in range(intents[done], intents[done + 1]):
            known[keywords[k]] = False
        done += 1
    return done, total
