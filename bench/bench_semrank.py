"""How fast concepts and SemRank are: CPU time, side by side in one run, equality asserted before anything is timed.

python bench/bench_semrank.py
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from time import process_time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from scipy.optimize import linear_sum_assignment

from fcacrawler.semrank.context import formal_context, table
from fcacrawler.semrank.hierarchy import hierarchy
from fcacrawler.semrank.ics import LogSimilarity
from fcacrawler.semrank.kernels.arrays import Concepts, from_masks
from fcacrawler.semrank.kernels.concepts import concepts_of
from fcacrawler.semrank.keyword_similarity import Exact, KeywordSimilarity
from fcacrawler.semrank.parameters import SEMRANK_2013
from fcacrawler.semrank.rank import semrank
from fcacrawler.values.omega import Omega, Support
from tests.reference.close_by_one import close_by_one

LIMIT = 10**6


def figure(name: str, value: float, against: float | None = None, unit: str = "s") -> None:
    line = {"figure": name, "value": float(f"{value:.4g}"), "unit": unit}
    if against is not None:
        line |= {"against": float(f"{against:.4g}"), "ratio": float(f"{against / value:.4g}")}
    print(json.dumps(line, ensure_ascii=False), flush=True)


def seconds(work: Callable[[], object], times: int = 1) -> float:
    """CPU time of one run, the best of several."""
    best = float("inf")
    for _ in range(times):
        start = process_time()
        work()
        best = min(best, process_time() - start)
    return best


def context(urls: int, keywords: int, each: int = 8, seed: int = 1, prefix: str = "u") -> dict[str, list[str]]:
    """URLs with ``each`` keywords drawn by Zipf's law."""
    dice = np.random.default_rng(seed)
    p = 1.0 / np.arange(1, keywords + 1)
    rows = (dice.choice(keywords, each, replace=False, p=p / p.sum()) for _ in range(urls))
    return {f"{prefix}{i:06}": [f"k{a:04}" for a in row] for i, row in enumerate(rows)}


def ties(base: Iterable[str], current: Iterable[str], seed: int = 1) -> list[tuple[str, str]]:
    """Three links to each current URL, and one back from every second."""
    dice = np.random.default_rng(seed)
    base, current = list(base), list(current)
    forth = [(base[dice.integers(len(base))], url) for url in current for _ in range(3)]
    return forth + [(url, base[dice.integers(len(base))]) for url in current[::2]]


class Random:
    """A similarity without structure: the hardest for bounds."""

    def __init__(self, names: Iterable[str]) -> None:
        self.place = {n: i for i, n in enumerate(sorted(names))}
        half = np.random.default_rng(3).random((len(self.place), len(self.place))) ** 2
        self.all = 0.95 * np.maximum(half, half.T)
        np.fill_diagonal(self.all, 1.0)

    def matrix(self, rows, columns):
        return self.all[np.ix_([self.place[n] for n in rows], [self.place[n] for n in columns])]


def by_name(t, concepts: Concepts) -> set:
    return {
        (tuple(t.urls[i] for i in x), tuple(t.keywords[i] for i in y))
        for x, y in zip(concepts.extents, concepts.intents, strict=True)
    }


def bench_concepts() -> None:
    t = table(context(200, 200))
    found = by_name(t, concepts_of(t, LIMIT))
    plain = by_name(t, from_masks(close_by_one(t.rows, len(t.keywords))))
    lattice = []
    package = seconds(lambda: lattice.extend(formal_context(t).lattice))
    assert found == plain == {(tuple(c.extent), tuple(c.intent)) for c in lattice}
    figure(
        "concepts of 200 x 200, 8 each: compiled, against concepts' lattice",
        seconds(lambda: concepts_of(t, LIMIT), 20),
        package,
    )
    figure(
        "concepts of 200 x 200, 8 each: pure Python, against concepts' lattice",
        seconds(lambda: close_by_one(t.rows, len(t.keywords)), 3),
        package,
    )
    kept = concepts_of(t, LIMIT)
    size = sum(a.nbytes for r in (kept.extents, kept.intents) for a in (r.starts, r.items))
    figure("memory of a concept in arrays, 200 x 200", size / len(kept), unit="bytes")


def naive(base, current, links, similarity: KeywordSimilarity) -> dict[str, float]:
    """SemRank with an assignment by scipy for every pair of concepts; extents counted by matrix products."""
    known, found, w = table(base), table(current), SEMRANK_2013.w
    B, C = (concepts_of(t, LIMIT).filled() for t in (known, found))
    ics = similarity.matrix(known.keywords, found.keywords)
    forth, back = np.zeros((len(known.urls), len(found.urls))), np.zeros((len(known.urls), len(found.urls)))
    for u, v in links:
        if u in base:
            forth[known.urls.index(u), found.urls.index(v)] = 1
        else:
            back[known.urls.index(v), found.urls.index(u)] = 1
    X1, X2 = B.extents.incidence(len(known.urls)).toarray(), C.extents.incidence(len(found.urls)).toarray()
    count = (X1 @ forth > 0) @ X2.T + X1 @ (back @ X2.T > 0)
    ext = np.minimum(1, count / (4 * np.maximum(X1.sum(1)[:, None], X2.sum(1))))
    best = np.zeros(len(found.urls))
    Y1, Y2 = list(B.intents), list(C.intents)
    for j, y2 in enumerate(Y2):
        reached = 0.0
        for i, y1 in enumerate(Y1):
            part = ics[np.ix_(y1, y2)]
            rows, columns = linear_sum_assignment(part, maximize=True)
            reached = max(reached, w * ext[i, j] + (1 - w) * part[rows, columns].sum() / len(rows))
        best[C.extents[j]] = np.maximum(best[C.extents[j]], reached)
    return dict(zip(found.urls, best, strict=True))


def bench_rank() -> None:
    base, current = context(50, 200, prefix="b"), context(500, 200, seed=2, prefix="c")
    links = ties(base, current)
    for name, similarity in (("exact", Exact()), ("random", Random(f"k{a:04}" for a in range(200)))):
        slow: dict[str, float] = {}
        against = seconds(lambda slow=slow, similarity=similarity: slow.update(naive(base, current, links, similarity)))
        fast = semrank(base, current, links, similarity=similarity)
        assert max(abs(fast[u] - slow[u]) for u in current) < 1e-12
        value = seconds(lambda similarity=similarity: semrank(base, current, links, similarity=similarity), 10)
        figure(f"SemRank of 500 URLs against 50, {name} ics, against an assignment a pair", value, against)
        figure(f"SemRank of a URL, 500 against 50, {name} ics", value / 500 * 1e6, unit="µs")
        figure(
            f"explanation of a URL, {name} ics",
            seconds(lambda fast=fast: [fast.explain(u) for u in current]) / 500 * 1e6,
            unit="µs",
        )


def omega(keywords: int, seed: int = 1) -> Omega:
    """An Ω of a large log: two ISA pairs and three Part-Of a keyword, from the frequent to the rare, one in ten not."""
    dice = np.random.default_rng(seed)
    names = [f"k{i:06}" for i in range(keywords)]
    clicks = {n: int(10**6 / (i + 1)) + 1 for i, n in enumerate(names)}
    near = [(i, i + int(dice.integers(1, 20))) for i in range(0, keywords, 4)]
    isa = {(names[i], names[j]): Support() for i, j in near if j < keywords}
    part_of = {}
    for i in range(1, keywords):
        for j in dice.integers(0, i, size=3).tolist():
            pair = (names[i], names[j]) if dice.random() < 0.1 else (names[j], names[i])
            if pair not in isa and pair[::-1] not in isa:
                part_of[pair] = Support(users=int(dice.integers(1, 50)))
    return Omega(clicks, isa, part_of)


def bench_hierarchy() -> None:
    small, large = omega(10_000), omega(100_000)
    times = [seconds(lambda o=o: hierarchy(o)) for o in (small, large)]
    figure("hierarchy of 100,000 keywords, against one of 10,000", times[1], times[0])
    base, current = context(50, 2000, prefix="b"), context(500, 2000, seed=2, prefix="c")
    base, current = ({u: [f"k{k[1:]:0>6}" for k in ks] for u, ks in side.items()} for side in (base, current))
    similarity = LogSimilarity(hierarchy(omega(2000)))
    semrank(base, current, ties(base, current), similarity=similarity)
    value = seconds(lambda: semrank(base, current, ties(base, current), similarity=similarity), 3)
    figure("SemRank of a URL, 500 against 50, ics of a log of 2,000 keywords", value / 500 * 1e6, unit="µs")


def bench_compiling() -> None:
    """The first use on a machine, and the first in a process when the cache is there."""
    code = "from fcacrawler.semrank.rank import semrank; semrank({'a': 'k'.split()}, {'b': 'k'.split()})"
    with tempfile.TemporaryDirectory() as cache:

        def run() -> float:
            start = os.times()
            subprocess.run(
                [sys.executable, "-c", code],
                env=os.environ | {"XDG_CACHE_HOME": cache},
                check=True,
                cwd=Path(__file__).parents[1],
            )
            end = os.times()
            return end.children_user + end.children_system - start.children_user - start.children_system

        compiling, cached = run(), run()
    figure("a process that ranks one URL, compiled code cached, against the very first", cached, compiling)


if __name__ == "__main__":
    bench_concepts()
    bench_rank()
    bench_hierarchy()
    bench_compiling()
