"""Lin's and Resnik's similarity by walking up the taxonomy from each sense."""

from math import log


def above(taxonomy, c):
    return {c}.union(*(above(taxonomy, p) for p in taxonomy.parents[c]))


def information(taxonomy):
    counts = {c: 1 + taxonomy.counts.get(c, 0) for c in taxonomy.parents}
    below = {c: sum(n for d, n in counts.items() if c in above(taxonomy, d)) for c in counts}
    return {c: log(sum(counts.values()) / below[c]) for c in counts}


def similarity(taxonomy, a, b, measure):
    if a == b:
        return 1.0
    ic = information(taxonomy)
    best = 0.0
    for s in taxonomy.senses.get(a, ()):
        for t in taxonomy.senses.get(b, ()):
            shared = max((ic[c] for c in above(taxonomy, s) & above(taxonomy, t)), default=0.0)
            whole = (ic[s] + ic[t]) / 2 if measure == "lin" else max(ic.values())
            best = max(best, min(1.0, shared / whole) if whole > 0 else 0.0)
    return best
