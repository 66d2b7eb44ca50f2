"""SemRank of all current URLs: bounds by arrays, cheap ones first, and what they leave open in compiled loops."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fcacrawler.semrank.kernels.arrays import Concepts, Floats, Ints, Ragged
from fcacrawler.semrank.kernels.rank import greatest_ties, like_best, raise_ranks, ties_of
from fcacrawler.semrank.kernels.structures import Reading, Side, Tied, Work, lists
from fcacrawler.semrank.parameters import SemRankOptions
from fcacrawler.semrank.ties import Ties


@dataclass(frozen=True, slots=True, eq=False)
class Best:
    """Of each current URL: its SemRank, and the places of the base and the current concept that made it (-1: none)."""

    rank: Floats
    base: Ints
    current: Ints


def rank_fast(base: Concepts, current: Concepts, between: Ties, ics: Floats, options: SemRankOptions) -> Best:
    """SemRank of every current URL. Concepts without extent or intent must have been left out."""
    best = Best(np.zeros(between.current), np.full(between.current, -1), np.full(between.current, -1))
    if not len(base) or not len(current):
        return best
    forth, back = _lists(between, options.sim_ext)
    holders = lists(base.extents.inverse(between.base))
    to, times = ties_of(holders, lists(forth), between.current, len(base), options.sim_ext == "targets")
    tied = Tied(to, times, lists(back), holders)
    read = Reading(
        options.w if options.w_rule == "fixed" else -1.0,
        options.sim_int == "larger",
        1.0 if options.sim_ext == "shared" else 4.0,
    )
    B, C = (Side(lists(side.extents), lists(side.intents)) for side in (base, current))
    ics, across = np.ascontiguousarray(ics), np.ascontiguousarray(ics.T)
    partners = like_best(B.Y, ics)
    work = _work(len(base), len(ics), int(max(base.intents.sizes.max(), current.intents.sizes.max())))
    int_most = _intension_bound(current, partners, read.larger)
    untied = similarity_bound(np.zeros(len(current)), int_most, options)
    most = similarity_bound(_extension_bound(current, greatest_ties(B, tied), read.factor), int_most, options)
    for bound in (untied, np.maximum(untied, most)):  # great Sim_int settles most URLs, great Sim the others
        order = np.argsort(-bound, kind="stable")
        found = best.rank, best.base, best.current
        raise_ranks(B, C, tied, read, ics, across, partners, order, bound, int_most, work, *found)
    return best


def similarity_bound(ext: Floats, int_: Floats, options: SemRankOptions) -> Floats:
    """Sim where Sim_int is at most ``int_``. With adaptive w, Sim is convex in Sim_int: one of the ends is its most."""
    if options.w_rule == "fixed":
        return options.w * ext + (1.0 - options.w) * int_
    sums = ext + int_
    with_int = np.divide(ext**2 + int_**2, sums, out=np.zeros_like(sums), where=sums > 0)
    return np.asarray(np.maximum(ext, with_int))


def _extension_bound(current: Concepts, ties: Floats, factor: float) -> Floats:
    """Sim_ext of each current concept with any base concept at most: the ties that each of its URLs may have."""
    sizes = current.extents.sizes
    column = np.repeat(np.minimum(sizes, ties.shape[1]) - 1, sizes)
    sums = np.add.reduceat(ties[current.extents.items, column], current.extents.starts[:-1])
    return np.asarray(np.minimum(1.0, sums / factor))


def _intension_bound(current: Concepts, partners: Floats, larger: bool) -> Floats:
    """Sim_int of each current concept with any base concept at most: each keyword with its best of all."""
    best = partners.max(axis=0)[current.intents.items]
    if larger:
        return np.asarray(np.minimum(1.0, np.add.reduceat(best, current.intents.starts[:-1]) / current.intents.sizes))
    return np.asarray(np.maximum.reduceat(best, current.intents.starts[:-1]))


def _work(concepts: int, keywords: int, n: int) -> Work:
    """Room to compare with so many base concepts and keywords, and to match intents of up to n keywords."""
    ext, most, like, u, v, least = (np.zeros(size) for size in (concepts, concepts, keywords, n + 1, n + 1, n + 1))
    row_of, way = np.zeros(n + 1, dtype=np.int64), np.zeros(n + 1, dtype=np.int64)
    return Work(ext, most, like, np.zeros((n, n)), u, v, least, row_of, way, np.zeros(n + 1, dtype=np.bool_))


def _lists(between: Ties, count: str) -> tuple[Ragged, Ragged]:
    """Base URLs by kind of tie, and in it by current URL: what leads to it, and what it leads to.

    ``pairs`` has all ties as one kind, in which a base URL may stand several times, and ``shared`` the URL itself; for
    neither it matters which way.
    """
    if count == "targets":
        return between.by_current(*between.forth), between.by_current(*between.back)
    any_way = np.concatenate([*between.forth, *between.back]) if count == "pairs" else between.shared
    return between.by_current(any_way), Ragged(np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.uint32))
