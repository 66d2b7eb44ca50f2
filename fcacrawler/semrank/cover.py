"""The first pages of a harvest: relevant ones that between them show what there is.

Why so: decision 206.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from fcacrawler.semrank.kernels.arrays import ragged
from fcacrawler.semrank.kernels.concepts import largest

KEYWORDS = 8  # of a page that are to be given, its best
SUPPORT = 3  # pages that a concept has at the least
LIMIT = 5000  # concepts; where there are more, those of more pages


def cover(ranks: Sequence[float], keywords: Sequence[Iterable[str]], n: int) -> list[int]:
    """The places of at most ``n`` pages, to be shown in this order.

    Each is the one of the greatest

        rank + Σ √|X| over its concepts that no page before it bears / the most that is left of any page

    X are the pages of a concept. Without concepts, and once all of them are shown, rank alone decides; of equals the
    earlier is taken.

    >>> cover([0.9, 0.8, 0.8, 0.7, 0.6, 0.6], [["car"], ["car"], ["car"], ["boat"], ["boat"], ["boat"]], 3)
    [0, 3, 1]
    """
    kept = [list(dict.fromkeys(words)) for words in keywords]
    number = {
        k: i
        for i, k in enumerate(k for k, pages in Counter(k for row in kept for k in row).items() if pages >= SUPPORT)
    }
    rows = ragged(sorted(number[k] for k in row if k in number) for row in kept)
    concepts = largest(rows, len(number), SUPPORT, LIMIT)
    pages, left = concepts.extents.items, np.sqrt(concepts.extents.sizes)
    which = np.repeat(np.arange(len(concepts)), concepts.extents.sizes)  # concept of each of the pages
    rank, chosen = np.array(ranks, np.float64), list[int]()
    while len(chosen) < min(n, len(kept)):
        news = np.bincount(pages, left[which], len(kept))
        score = rank + news / max(news.max(), 1e-12)
        score[chosen] = -1.0
        chosen.append(int(score.argmax()))
        left[which[pages == chosen[-1]]] = 0.0
    return chosen
