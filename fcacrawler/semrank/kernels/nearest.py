"""Which concept of the base each of many candidates is nearest to: compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fcacrawler.lowlevel.compiled import compiled
from fcacrawler.semrank.kernels.arrays import Floats, Ints

NONE = -1


class Base(NamedTuple):
    """Concepts as they are looked up; lists of numbers lie end to end, as in ``Ragged``."""

    like_starts: Ints  # of a word: the base's keywords that it is like …
    like: Ints
    ics: Floats  # … and how much; 1.0 for itself
    holder_starts: Ints  # of a keyword: the concepts with it in their intent
    holders: Ints
    intents: Ints  # how many keywords a concept has …
    extents: Ints  # … and how many pages
    page_starts: Ints  # of a concept: its pages
    pages: Ints


class Near(NamedTuple):
    """Of each candidate."""

    concept: Ints  # the one that it shares most with; NONE
    shared: Floats  # Σ ics of its keywords, each with the most alike word at the links
    int_: Floats  # the greatest Sim_int with any concept
    ext: Floats  # the part of the linking pages that bear the concept


@compiled
def nearest(word_starts: Ints, words: Ints, link_starts: Ints, linking: Ints, base: Base, size: int) -> Near:
    """Of candidates with these words at their links, on these pages of the base (NONE: another page).

    The base has ``size`` pages. Of concepts that share as much the one that more pages bear is taken, then the first.
    """
    n, concepts = word_starts.size - 1, base.intents.size
    near = Near(np.full(n, NONE), np.zeros(n), np.zeros(n), np.zeros(n))
    best = np.zeros(base.holder_starts.size - 1)  # of a keyword: how like it the most alike word is
    sums, bears = np.zeros(concepts), np.zeros(size, np.bool_)
    keywords, touched = np.empty(best.size, np.int64), np.empty(concepts, np.int64)
    for i in range(n):
        kinds, some = 0, 0
        for w in words[word_starts[i] : word_starts[i + 1]]:
            for k in range(base.like_starts[w], base.like_starts[w + 1]):
                a = base.like[k]
                if best[a] == 0.0:
                    keywords[kinds] = a
                    kinds += 1
                best[a] = max(best[a], base.ics[k])
        for a in keywords[:kinds]:
            for c in base.holders[base.holder_starts[a] : base.holder_starts[a + 1]]:
                if sums[c] == 0.0:
                    touched[some] = c
                    some += 1
                sums[c] += best[a]
            best[a] = 0.0
        for c in touched[:some]:
            first = near.concept[i]
            more = sums[c] - near.shared[i]
            if first == NONE or more > 0 or (more == 0 and (base.extents[c], -c) > (base.extents[first], -first)):
                near.concept[i], near.shared[i] = c, sums[c]
            larger = max(word_starts[i + 1] - word_starts[i], base.intents[c])
            near.int_[i] = max(near.int_[i], min(1.0, sums[c] / larger))
            sums[c] = 0.0
        links = linking[link_starts[i] : link_starts[i + 1]]
        if near.concept[i] != NONE and links.size:
            pages = base.pages[base.page_starts[near.concept[i]] : base.page_starts[near.concept[i] + 1]]
            bears[pages] = True
            for page in links:
                near.ext[i] += page != NONE and bears[page]
            near.ext[i] /= links.size
            bears[pages] = False
    return near
