"""What users clicked in one walk, as pairs of pages: plain frozen data that ``weblogs`` makes and orders read.

*Du & Hai 2013, Def. 6* asks how often users went from the pages of one concept to those of another. A walk is what a
user clicked for one query, in order. No walk is kept, so nobody can be followed: only pairs of pages that lie near each
other in walks, with how many users show them.

Why so: decision 200.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
NEAR = 8  # clicks from one page of a pair to the other, at most


@dataclass(frozen=True, slots=True, eq=False)
class Clicks:
    """Pairs of pages.

    >>> clicks = clicks_of([("http://a/", "http://b/", "http://c/"), ("http://c/", "http://b/")])
    >>> clicks.urls, clicks.pairs.tolist(), clicks.counts.tolist()
    (('http://a/', 'http://b/', 'http://c/'), [[0, 1], [0, 2], [1, 2]], [[1, 1, 0], [1, 0, 0], [2, 1, 1]])
    >>> list(clicks.straight())
    [('http://a/', 'http://b/', 1), ('http://b/', 'http://c/', 1), ('http://c/', 'http://b/', 1)]
    """

    urls: tuple[str, ...]  # of the pages, in order
    pairs: Ints  # two columns: their places in ``urls``, the smaller first; in order
    counts: Ints  # users who show a pair; clicks on the second straight after the first; the other way round

    @classmethod
    def of(cls, first: Sequence[str], second: Sequence[str], counts: Ints) -> Clicks:
        """From columns; the first of a pair is the smaller URL, and a pair that comes twice is counted together."""
        urls = tuple(sorted({*first, *second}))
        number = {url: n for n, url in enumerate(urls)}
        pairs = np.array([(number[a], number[b]) for a, b in zip(first, second, strict=True)], np.int64).reshape(-1, 2)
        return _counted(urls, pairs, counts)

    def __len__(self) -> int:
        return len(self.pairs)

    def __add__(self, more: Clicks) -> Clicks:
        """Of both: users are taken for different ones."""
        urls = tuple(sorted({*self.urls, *more.urls}))
        number = {url: n for n, url in enumerate(urls)}
        both = [np.array([number[url] for url in c.urls], np.int64)[c.pairs] for c in (self, more)]
        return _counted(urls, np.concatenate(both), np.concatenate([self.counts, more.counts]))

    def straight(self) -> Iterator[tuple[str, str, int]]:
        """How often which page was clicked straight after which other."""
        for (a, b), (there, back) in zip(self.pairs.tolist(), self.counts[:, 1:].tolist(), strict=True):
            if there:
                yield self.urls[a], self.urls[b], there
            if back:
                yield self.urls[b], self.urls[a], back

    def permuted(self, seed: int) -> Clicks:
        """The same with the URLs dealt out anew: what clicks are worth that say nothing."""
        dealt = random.Random(seed).sample(range(len(self.urls)), len(self.urls))
        pairs = np.array(dealt, np.int64)[self.pairs]
        turned = pairs[:, :1] > pairs[:, 1:]
        return _counted(self.urls, np.sort(pairs, axis=1), np.where(turned, self.counts[:, [0, 2, 1]], self.counts))


def clicks_of(walks: Iterable[Sequence[str]]) -> Clicks:
    """Those of whole walks, each of another user."""
    shown: Counter[tuple[str, str]] = Counter()
    straight: Counter[tuple[str, str]] = Counter()
    for walk in walks:
        shown.update({
            (min(a, b), max(a, b)) for n, a in enumerate(walk) for b in islice(walk, n + 1, n + 1 + NEAR) if a != b
        })  # fmt: skip
        straight.update(pairwise(walk))
    counts = np.array([(n, straight[a, b], straight[b, a]) for (a, b), n in shown.items()], np.int64).reshape(-1, 3)
    return Clicks.of([a for a, _ in shown], [b for _, b in shown], counts)


def _counted(urls: tuple[str, ...], pairs: Ints, counts: Ints) -> Clicks:
    """Each pair once."""
    keys, which = np.unique(pairs[:, 0] * max(len(urls), 1) + pairs[:, 1], return_inverse=True)
    sums = np.zeros((len(keys), 3), np.int64)
    np.add.at(sums, which, counts)
    return Clicks(urls, np.column_stack(np.divmod(keys, max(len(urls), 1))), sums)


NO_CLICKS = clicks_of(())
