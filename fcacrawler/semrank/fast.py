"""SemRank of all current URLs, compiled: the same as ``plain``, with cheaper bounds first."""

from __future__ import annotations

import numpy as np

from fcacrawler.semrank.arrays import Concepts, Floats, Ragged
from fcacrawler.semrank.compiled import lists
from fcacrawler.semrank.compiled_rank import Reading, Side, Tied, Work, best_partners, bounds, raise_ranks, ties_of
from fcacrawler.semrank.parameters import SemRankOptions
from fcacrawler.semrank.plain import Best
from fcacrawler.semrank.ties import Ties


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
    partners = best_partners(B.Y, ics)
    work = _work(int(max(base.intents.sizes.max(), current.intents.sizes.max())))
    int_most, untied, most = bounds(C, tied, partners, read)
    for bound in (untied, most):  # concepts of great Sim_int settle most URLs, then those of great Sim the others
        order = np.argsort(-bound, kind="stable")
        found = best.rank, best.base, best.current
        raise_ranks(B, C, tied, read, ics, across, partners, order, bound, int_most, work, *found)
    return best


def _work(n: int) -> Work:
    """Room to match intents of up to n keywords."""
    floats, ints = np.zeros((3, n + 1)), np.zeros((2, n + 1), dtype=np.int64)
    return Work(np.zeros((n, n)), floats[0], floats[1], floats[2], ints[0], ints[1], np.zeros(n + 1, dtype=np.bool_))


def _lists(between: Ties, count: str) -> tuple[Ragged, Ragged]:
    """Base URLs by kind of tie and current URL, kind after kind: what leads to it, and what it leads to.

    ``pairs`` has all ties as one kind, in which a base URL may stand several times, and ``shared`` the URL itself; for
    neither it matters which way.
    """
    if count == "targets":
        return between.by_current(*between.forth), between.by_current(*between.back)
    any_way = np.concatenate([*between.forth, *between.back]) if count == "pairs" else between.shared
    return between.by_current(any_way), Ragged(np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64))
