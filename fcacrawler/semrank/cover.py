"""The first pages of a harvest: relevant ones that between them show what there is.

Why so: decisions 206, 397.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from fcacrawler.semrank.kernels.arrays import Concepts, ragged
from fcacrawler.semrank.kernels.concepts import largest

KEYWORDS = 8  # of a page that are to be given, its best
SUPPORT = 3  # pages that a concept has at the least
LIMIT = 5000  # concepts; where there are more, those of more pages
SAMPLE = 500  # pages to which others are near or not

Floats = NDArray[np.float32]


def cover(
    ranks: Sequence[float], keywords: Sequence[Iterable[str]], n: int, first: Sequence[int] = (),
    vectors: Floats | None = None, sought: Sequence[bool] = (),
) -> list[int]:  # fmt: skip
    """The places of at most ``n`` pages, to be shown in this order, after those that are shown ``first`` anyway.

    Each is the one of the greatest

        rank + Σ √|X| over its concepts that no page before it bears / the most that is left of any page
             + Σ over pages p that are sought of max(0, near(it, p) - the most that any page before it is near to p)
               / the most so of any page

    X are the pages of a concept; near: the cosine of what two pages differ by from the mean of all, 0 at least, and of
    pages without a vector. Without ``vectors`` (a row a page) that part is 0; all are sought if none is said to be.
    Without concepts and vectors, and once all is shown, rank alone decides; of equals the earlier is taken.

    >>> cover([0.9, 0.8, 0.8, 0.7, 0.6, 0.6], [["car"], ["car"], ["car"], ["boat"], ["boat"], ["boat"]], 3)
    [0, 3, 1]
    """
    concepts, _ = _concepts(keywords)
    near = _near(vectors, sought) if vectors is not None else np.zeros((len(keywords), 0), np.float32)
    nearest = np.zeros(near.shape[1], np.float32)  # of the pages that are chosen, to each
    pages, left = concepts.extents.items, np.sqrt(concepts.extents.sizes)
    which = np.repeat(np.arange(len(concepts)), concepts.extents.sizes)  # concept of each of the pages
    rank, chosen = np.array(ranks, np.float64), list[int]()
    while len(chosen) < min(n, len(keywords)):
        news, nearer = np.bincount(pages, left[which], len(keywords)), np.maximum(near - nearest, 0).sum(1)
        score = rank + news / max(news.max(), 1e-12) + nearer / max(nearer.max(), 1e-12)
        score[chosen] = -np.inf
        chosen.append(first[len(chosen)] if len(chosen) < len(first) else int(score.argmax()))
        left[which[pages == chosen[-1]]] = 0.0
        nearest = np.maximum(nearest, near[chosen[-1]])
    return chosen


def _near(vectors: Floats, sought: Sequence[bool] = ()) -> Floats:
    """Of each page to those that are sought, or to so many of them, evenly spread.

    >>> _near(np.array([[1, 0], [0, 1], [0, 0], [1, 0]], np.float32)).round(3).tolist()
    [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 1.0]]
    """
    there = vectors.any(1, keepdims=True)
    apart = np.where(there, vectors - vectors.sum(0) / max(1, there.sum()), 0)
    apart /= np.maximum(np.linalg.norm(apart, axis=1, keepdims=True), 1e-6)
    to = apart[np.array(sought, np.bool_)] if any(sought) else apart
    found: Floats = np.maximum(apart @ to[:: 1 + len(to) // SAMPLE].T, 0)
    return found


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
