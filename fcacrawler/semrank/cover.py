"""The first pages of a harvest: relevant ones that between them show what there is.

Why so: decision 206.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from fcacrawler.semrank.kernels.arrays import Concepts, ragged
from fcacrawler.semrank.kernels.concepts import largest

KEYWORDS = 8  # of a page that are to be given, its best
SUPPORT = 3  # pages that a concept has at the least
LIMIT = 5000  # concepts; where there are more, those of more pages


def cover(ranks: Sequence[float], keywords: Sequence[Iterable[str]], n: int, first: Sequence[int] = ()) -> list[int]:
    """The places of at most ``n`` pages, to be shown in this order, after those that are shown ``first`` anyway.

    Each is the one of the greatest

        rank + Σ √|X| over its concepts that no page before it bears / the most that is left of any page

    X are the pages of a concept. Without concepts, and once all of them are shown, rank alone decides; of equals the
    earlier is taken.

    >>> cover([0.9, 0.8, 0.8, 0.7, 0.6, 0.6], [["car"], ["car"], ["car"], ["boat"], ["boat"], ["boat"]], 3)
    [0, 3, 1]
    """
    concepts, _ = _concepts(keywords)
    pages, left = concepts.extents.items, np.sqrt(concepts.extents.sizes)
    which = np.repeat(np.arange(len(concepts)), concepts.extents.sizes)  # concept of each of the pages
    rank, chosen = np.array(ranks, np.float64), list[int]()
    while len(chosen) < min(n, len(keywords)):
        news = np.bincount(pages, left[which], len(keywords))
        score = rank + news / max(news.max(), 1e-12)
        score[chosen] = -np.inf
        chosen.append(first[len(chosen)] if len(chosen) < len(first) else int(score.argmax()))
        left[which[pages == chosen[-1]]] = 0.0
    return chosen


def sides(keywords: Sequence[Iterable[str]], n: int) -> list[tuple[tuple[str, ...], int]]:
    """At most ``n`` concepts that between them hold most pages, each with how many it holds. Each is the one of most
    pages that none before it holds; of equals the one of more keywords. None holds more than half of all pages.

    >>> sides([["car", "race"], ["car", "race"], ["car", "race"], ["car"], *[["boat"]] * 4], 3)
    [(('car',), 4), (('boat',), 4)]
    """
    concepts, names = _concepts(keywords)
    pages, sizes = concepts.extents.items, concepts.extents.sizes
    which = np.repeat(np.arange(len(concepts)), sizes)
    small = sizes * 2 <= len(keywords)
    length = concepts.intents.sizes
    left, found = np.ones(len(keywords)), list[tuple[tuple[str, ...], int]]()
    while len(found) < n:
        news = np.where(small, np.bincount(which, left[pages], len(concepts)), 0.0)
        if not len(news) or news.max() < SUPPORT:
            break
        best = int(np.lexsort((-length, -news))[0])
        intent = concepts.intents[best]
        found.append((tuple(names[k] for k in intent.tolist()), int(sizes[best])))
        left[concepts.extents[best]] = 0.0
    return found


def _concepts(keywords: Sequence[Iterable[str]]) -> tuple[Concepts, list[str]]:
    kept = [list(dict.fromkeys(words)) for words in keywords]
    names = [k for k, pages in Counter(k for row in kept for k in row).items() if pages >= SUPPORT]
    number = {k: i for i, k in enumerate(names)}
    rows = ragged(sorted(number[k] for k in row if k in number) for row in kept)
    return largest(rows, len(number), SUPPORT, LIMIT), names
