"""SemRank of all current URLs, compiled: the inside of ``fast``.

The best that any base keyword is like a current keyword bounds Sim_int of a current concept against all of BL at once;
ties are counted through lists (URL → base concepts that it is tied to). So most pairs are settled by one comparison. A
pair that is not has a bound of its own (each keyword with its best of the other side), and only if that is above what
its URLs have already is its assignment solved: at once if those best are all different, else by the Hungarian method
(Kuhn 1955, in the form of Jonker & Volgenant 1987).
"""

from __future__ import annotations

import numpy as np

from fcacrawler.lowlevel.compiled import compiled
from fcacrawler.semrank.kernels.arrays import Floats, Ints, Places
from fcacrawler.semrank.kernels.structures import Lists, Reading, Side, Tied, Work


@compiled
def ties_of(holders: Lists, forth: Lists, urls: int, concepts: int, distinct: bool) -> tuple[Lists, Ints]:
    """``Tied.to`` and ``Tied.times``. ``distinct``: a kind of tie counts once."""
    most = np.int64(0)
    for t in forth.items:
        most += holders.starts[t + 1] - holders.starts[t]
    starts, items, times = np.zeros(urls + 1, np.int64), np.zeros(most, np.uint32), np.zeros(most, np.int64)
    count, last = np.zeros(concepts, np.int64), np.full(concepts, -1, np.int64)
    end = 0
    for u in range(urls):
        for kind in range(u, forth.starts.size - 1, urls):
            for k in range(forth.starts[kind], forth.starts[kind + 1]):
                t = forth.items[k]
                for h in range(holders.starts[t], holders.starts[t + 1]):
                    i = holders.items[h]
                    if distinct and last[i] == kind:
                        continue
                    last[i] = kind
                    if count[i] == 0:
                        items[end] = i
                        end += 1
                    count[i] += 1
        for k in range(starts[u], end):
            times[k], count[items[k]] = count[items[k]], 0
        starts[u + 1] = end
    return Lists(starts, items[:end]), times[:end]


@compiled
def _sim(ext: float, int_: float, w: float) -> float:
    """``concept_similarity``."""
    if w >= 0.0:
        return w * ext + (1.0 - w) * int_
    return (ext * ext + int_ * int_) / (ext + int_) if ext + int_ > 0.0 else 0.0


@compiled
def _at_most(ext: float, int_: float, w: float) -> float:
    """Sim where Sim_int is at most ``int_``: adaptive w makes it convex in Sim_int, so one of the ends is its most."""
    return _sim(ext, int_, w) if w >= 0.0 else max(ext, _sim(ext, int_, w))


@compiled
def _int(total: float, size1: int, size2: int, read: Reading) -> float:
    return min(1.0, float(total / (max(size1, size2) if read.larger else min(size1, size2))))


@compiled
def like_best(Y: Lists, ics: Floats) -> Floats:
    """Of each base concept and each current keyword: how like the keyword is to its best in the intent."""
    out = np.zeros((Y.starts.size - 1, ics.shape[1]))
    for i in range(out.shape[0]):
        for k in range(Y.starts[i], Y.starts[i + 1]):
            for b in range(ics.shape[1]):
                out[i, b] = max(out[i, b], ics[Y.items[k], b])
    return out


@compiled
def _count_ties(urls: Places, tied: Tied, seen: Ints, count: Ints, touched: Places) -> int:
    """Count the ties of these URLs with every base concept; answers how many are ``touched``.

    ``seen[0]`` is the mark of the URLs and kind at hand, ``seen[t + 1]`` the last one of base URL t.
    """
    n = 0
    for u in urls:
        for k in range(tied.to.starts[u], tied.to.starts[u + 1]):
            i = tied.to.items[k]
            touched[n] = i
            n += count[i] == 0
            count[i] += tied.times[k]
    for first in range(0, tied.back.starts.size - 1, tied.to.starts.size - 1):
        seen[0] += 1
        for u in urls:
            for k in range(tied.back.starts[first + u], tied.back.starts[first + u + 1]):
                t = tied.back.items[k]
                if seen[t + 1] == seen[0]:
                    continue
                seen[t + 1] = seen[0]
                for h in range(tied.holders.starts[t], tied.holders.starts[t + 1]):
                    i = tied.holders.items[h]
                    touched[n] = i
                    n += count[i] == 0
                    count[i] += 1
    return n


@compiled
def greatest_ties(B: Side, tied: Tied) -> Floats:
    """Of each URL: what it adds at most to ties / max(|X1|, |X2|), for |X2| = 1, 2, 3, and 4 or more."""
    out, url = np.zeros((tied.to.starts.size - 1, 4)), np.zeros(1, np.uint32)
    seen, count = np.zeros(tied.holders.starts.size, np.int64), np.zeros(B.X.starts.size - 1, np.int64)
    touched = np.zeros(count.size + 1, np.uint32)
    for u in range(out.shape[0]):
        url[0] = u
        for k in range(_count_ties(url, tied, seen, count, touched)):
            i = touched[k]
            for size in range(1, 5):
                out[u, size - 1] = max(out[u, size - 1], count[i] / max(B.X.starts[i + 1] - B.X.starts[i], size))
            count[i] = 0
    return out


@compiled
def _matched(ics: Floats, B: Side, i: int, C: Side, j: int, work: Work) -> float:
    """The sum of the best one-to-one matching of two intents."""
    y1, y2 = B.Y.starts[i], C.Y.starts[j]
    n1, n2 = B.Y.starts[i + 1] - y1, C.Y.starts[j + 1] - y2
    rows, columns = min(n1, n2), max(n1, n2)
    total, different = 0.0, True
    for c in range(columns):
        work.used[c] = False
    for r in range(rows):
        best = 0
        for c in range(columns):
            a, b = (r, c) if n1 <= n2 else (c, r)
            work.ics[r, c] = ics[B.Y.items[y1 + a], C.Y.items[y2 + b]]
            if work.ics[r, c] > work.ics[r, best]:
                best = c
        different = different and not work.used[best]
        work.used[best] = True
        total += work.ics[r, best]
    return float(total) if different else _assigned(work, rows, columns)


@compiled
def _assigned(work: Work, rows: int, columns: int) -> float:
    """The Hungarian method: one augmenting path a row; rows and columns by number from 1, 0 is none."""
    u, v, least, row_of, way, used = work.u, work.v, work.least, work.row_of, work.way, work.used
    u[: rows + 1], v[: columns + 1], row_of[: columns + 1] = 0.0, 0.0, 0
    for r in range(1, rows + 1):
        row_of[0], c0 = r, 0
        for c in range(columns + 1):
            least[c], used[c] = np.inf, False
        while row_of[c0]:
            used[c0] = True
            r0, c1, delta = row_of[c0], 0, np.inf
            for c in range(1, columns + 1):
                if not used[c]:
                    slack = -work.ics[r0 - 1, c - 1] - u[r0] - v[c]
                    if slack < least[c]:
                        least[c], way[c] = slack, c0
                    if least[c] < delta:
                        delta, c1 = least[c], c
            for c in range(columns + 1):
                if used[c]:
                    u[row_of[c]] += delta
                    v[c] -= delta
                else:
                    least[c] -= delta
            c0 = c1
        while c0:
            row_of[c0] = row_of[way[c0]]
            c0 = way[c0]
    total = 0.0
    for c in range(1, columns + 1):
        if row_of[c]:
            total += work.ics[row_of[c] - 1, c - 1]
    return float(total)


@compiled
def _best_pair(
    B: Side,
    C: Side,
    j: int,
    chosen: Places,
    count: Ints,
    reached: float,
    int_most: float,
    read: Reading,
    ics: Floats,
    across: Floats,
    partners: Floats,
    work: Work,
) -> tuple[float, int]:
    """The best Sim of a current concept with the chosen base concepts, and whose; ``reached``, -1 if none is above.

    Takes the ties away from ``count``.
    """
    size, intent = C.X.starts[j + 1] - C.X.starts[j], C.Y.items[C.Y.starts[j] : C.Y.starts[j + 1]]
    ext, most, like, left = work.ext, work.most, work.like, False
    for k in range(chosen.size):
        i = chosen[k]
        ext[k] = min(1.0, count[i] / (read.factor * max(B.X.starts[i + 1] - B.X.starts[i], size)))
        most[k] = _at_most(ext[k], int_most, read.w)
        left = left or most[k] > reached
        count[i] = 0
    if left:
        like[:] = 0.0  # of each base keyword: how like it is to its best in this intent
        for b in intent:
            for a in range(like.size):
                like[a] = max(like[a], across[b, a])
        for k in range(chosen.size):
            if most[k] > reached:
                i, sum1, sum2 = chosen[k], 0.0, 0.0
                for y in range(B.Y.starts[i], B.Y.starts[i + 1]):
                    sum1 += like[B.Y.items[y]]
                for b in intent:
                    sum2 += partners[i, b]
                int_ = _int(min(sum1, sum2), B.Y.starts[i + 1] - B.Y.starts[i], intent.size, read)
                most[k] = _at_most(ext[k], int_, read.w)
    won = -1
    while left:
        best = 0
        for k in range(1, chosen.size):
            if most[k] > most[best]:
                best = k
        left = most[best] > reached
        if left:
            i = chosen[best]
            int_ = _int(_matched(ics, B, i, C, j, work), B.Y.starts[i + 1] - B.Y.starts[i], intent.size, read)
            sim = _sim(ext[best], int_, read.w)
            most[best] = -1.0
            if sim > reached:
                reached, won = sim, i
    return reached, won


@compiled
def raise_ranks(
    B: Side,
    C: Side,
    tied: Tied,
    read: Reading,
    ics: Floats,
    across: Floats,
    partners: Floats,
    order: Ints,
    most: Floats,
    int_most: Floats,
    work: Work,
    rank: Floats,
    rank_base: Ints,
    rank_current: Ints,
) -> None:
    """Raise ``rank`` to the best of the current concepts, taken in this order, and note the pairs that made it."""
    everyone = np.arange(B.X.starts.size - 1).astype(np.uint32)
    seen, count = np.zeros(tied.holders.starts.size, np.int64), np.zeros(everyone.size, np.int64)
    touched = np.zeros(everyone.size + 1, np.uint32)
    for j in order:
        urls = C.X.items[C.X.starts[j] : C.X.starts[j + 1]]
        before = 1.0
        for u in urls:
            before = min(before, rank[u])
        if most[j] <= before:
            continue
        n = _count_ties(urls, tied, seen, count, touched)
        chosen = everyone if _sim(0.0, int_most[j], read.w) > before else touched[:n]
        reached, won = _best_pair(B, C, j, chosen, count, before, int_most[j], read, ics, across, partners, work)
        if won >= 0:
            for u in urls:
                if rank[u] < reached:
                    rank[u], rank_base[u], rank_current[u] = reached, won, j
