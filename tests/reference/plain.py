"""SemRank of all current URLs with numpy and scipy: the readable form of ``fast``.

Every pair of concepts has an upper bound that costs two sparse products; the assignment of a pair is only solved where
that bound is above what the URLs of the current concept have already.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from fcacrawler.semrank.intension import best_matching
from fcacrawler.semrank.kernels.arrays import Concepts, Floats, Ints, Ragged
from fcacrawler.semrank.kernels.fast_rank import Best, similarity_bound
from fcacrawler.semrank.parameters import SemRankOptions
from fcacrawler.semrank.similarity import adaptive_w, concept_similarity
from fcacrawler.semrank.ties import Ties

CELLS = 4_000_000  # pairs of concepts looked at in one go


def incidence(lists: Ragged, width: int) -> csr_array:
    """One row a list, with a 1 in the column of each of its numbers."""
    return csr_array((np.ones(len(lists.items)), lists.items, lists.starts), shape=(len(lists), width))


def rank_plain(base: Concepts, current: Concepts, between: Ties, ics: Floats, options: SemRankOptions) -> Best:
    """SemRank of every current URL. Concepts without extent or intent must have been left out."""
    best = Best(np.zeros(between.current), np.full(between.current, -1), np.full(between.current, -1))
    step = max(1, CELLS // max(1, len(base)))
    for first in range(0, len(current) if len(base) else 0, step):
        part = np.arange(first, min(first + step, len(current)))
        _rank_part(base, current, part, between, ics, options, best)
    return best


def _rank_part(
    base: Concepts, current: Concepts, part: Ints, between: Ties, ics: Floats, options: SemRankOptions, best: Best
) -> None:
    chosen = current.take(part)
    ext = extension_table(base, chosen, between, options.sim_ext)
    bound = similarity_bound(ext, intension_bound(base, chosen, ics, options.sim_int), options)
    for j in np.argsort(-bound.max(axis=0), kind="stable").tolist():
        urls, intent = chosen.extents[j], chosen.intents[j]
        reached = float(best.rank[urls].min())
        for i in np.argsort(-bound[:, j], kind="stable").tolist():
            if bound[i, j] <= reached:
                break
            sim = _similarity(ext[i, j], ics[np.ix_(base.intents[i], intent)], options)
            if sim > reached:
                reached = sim
                better = urls[best.rank[urls] < sim]
                best.rank[better], best.base[better], best.current[better] = sim, i, part[j]


def extension_table(base: Concepts, current: Concepts, between: Ties, count: str) -> Floats:
    """``extension_similarity`` of every pair of concepts."""
    X1, X2 = incidence(base.extents, between.base), incidence(current.extents, between.current)
    size = np.maximum(base.extents.sizes[:, None], current.extents.sizes[None, :])
    if count == "shared":
        return np.asarray((X1 @ between.matrix(between.shared) @ X2.T).todense() / size)
    if count == "pairs":
        total = X1 @ between.matrix(*between.forth, *between.back) @ X2.T
    else:
        reached = [_present(X1 @ between.matrix(forth)) @ X2.T for forth in between.forth]
        reached += [X1 @ _present(between.matrix(back) @ X2.T) for back in between.back]
        total = sum(reached, csr_array((len(base), len(current))))
    return np.asarray(np.minimum(1.0, total.todense() / (4 * size)))


def _present(counts: csr_array) -> csr_array:
    return (counts > 0).astype(np.float64)


def intension_bound(base: Concepts, current: Concepts, ics: Floats, divide_by: str) -> Floats:
    """What Sim_int of every pair of concepts is at most: each keyword of one side with its best of the other side."""
    Y1, Y2 = incidence(base.intents, ics.shape[0]), incidence(current.intents, ics.shape[1])
    sums = np.minimum(Y1 @ best_partners(current, ics.T).T, (Y2 @ best_partners(base, ics).T).T)
    fewer_or_more = np.minimum if divide_by == "smaller" else np.maximum
    n = fewer_or_more(base.intents.sizes[:, None], current.intents.sizes[None, :])
    return np.asarray(np.minimum(1.0, sums / n))


def best_partners(concepts: Concepts, ics: Floats) -> Floats:
    """Of each concept and each keyword of the other side: how like the keyword is to its best in the intent."""
    return np.asarray(np.maximum.reduceat(ics[concepts.intents.items], concepts.intents.starts[:-1], axis=0))


def _similarity(ext: float, ics: Floats, options: SemRankOptions) -> float:
    matched = sum(ics[i, j] for i, j in best_matching(ics))
    n = min(ics.shape) if options.sim_int == "smaller" else max(ics.shape)
    int_ = min(1.0, float(matched) / n)
    w = options.w if options.w_rule == "fixed" else adaptive_w(ext, int_)
    return concept_similarity(float(ext), int_, w)
