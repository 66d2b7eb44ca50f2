"""SemRank straight from the definitions: slow, obvious, sharing no line with the engine. The oracle of its tests."""

from __future__ import annotations

from itertools import combinations, permutations


def concepts(context):
    """All (extent, intent) of {url: keywords}, by closing every set of URLs."""
    keywords = frozenset(k for row in context.values() for k in row)
    found = set()
    for n in range(len(context) + 1):
        for urls in combinations(sorted(context), n):
            intent = keywords.intersection(*(context[u] for u in urls))
            found.add((frozenset(u for u in context if intent <= frozenset(context[u])), intent))
    return found


def assignment(Y1, Y2, ics):
    """The greatest sum over one-to-one pairings, by trying all of them."""
    few, many = sorted([sorted(Y1), sorted(Y2)], key=len)
    score = (lambda a, b: ics(a, b)) if len(Y1) <= len(Y2) else (lambda a, b: ics(b, a))
    return max(sum(map(score, few, choice)) for choice in permutations(many, len(few)))


def sim_ext(X1, X2, links, clicks, count):
    size = max(len(X1), len(X2))
    if count == "shared":
        return len(X1 & X2) / size
    if count == "pairs":
        total = sum(((u, v) in ties) + ((v, u) in ties) for ties in (set(links), set(clicks)) for u in X1 for v in X2)
    else:
        total = sum(
            sum(any((u, v) in ties for u in X1) for v in X2) + sum(any((v, u) in ties for v in X2) for u in X1)
            for ties in (set(links), set(clicks))
        )
    return min(1, total / (4 * size))


def sim_int(Y1, Y2, ics, divide_by):
    n = (min if divide_by == "smaller" else max)(len(Y1), len(Y2))
    return min(1, assignment(Y1, Y2, ics) / n)


def sim(C1, C2, links, clicks, ics, options):
    ext = sim_ext(C1[0], C2[0], links, clicks, options.sim_ext)
    int_ = sim_int(C1[1], C2[1], ics, options.sim_int)
    w = options.w if options.w_rule == "fixed" else ext / (ext + int_) if ext + int_ else 0
    return w * ext + (1 - w) * int_


def semrank(base, current, links, clicks, ics, options):
    """SemRank by URL: every pair of concepts that have an extent and an intent."""
    B = [c for c in concepts(base) if all(c)]
    C = [c for c in concepts(current) if all(c)]
    best = {c: max((sim(b, c, links, clicks, ics, options) for b in B), default=0) for c in C}
    return {u: max((best[c] for c in C if u in c[0]), default=0) for u in current}
