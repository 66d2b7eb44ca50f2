"""What the tests of SemRank draw from: contexts, ties, similarities and options, small enough for the oracles."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from fcacrawler.semrank.masks import bits
from fcacrawler.semrank.parameters import SemRankOptions
from fcacrawler.values.omega import Omega, Support, ordered

KEYWORDS = "abcdefg"


def contexts(prefix: str = "u", most: int = 6):
    """URLs with their keywords; empty contexts and empty rows too."""
    urls = st.sampled_from([f"{prefix}{i}" for i in range(most)])
    return st.dictionaries(urls, st.lists(st.sampled_from(KEYWORDS), max_size=6, unique=True), max_size=most)


URLS = [f"{p}{i}" for p in ("u", "v") for i in range(6)]
TIES = st.lists(st.tuples(st.sampled_from(URLS), st.sampled_from(URLS)), max_size=25)

OPTIONS = st.builds(
    SemRankOptions,
    w=st.sampled_from([0.0, 0.25, 0.4, 1.0]),
    w_rule=st.sampled_from(["fixed", "adaptive"]),
    sim_ext=st.sampled_from(["targets", "pairs", "shared"]),
    sim_int=st.sampled_from(["smaller", "larger"]),
)


class Given:
    """A keyword similarity read from a table."""

    def __init__(self, table):
        self.table = table

    def __call__(self, a, b):
        return self.table[KEYWORDS.index(a)][KEYWORDS.index(b)]

    def matrix(self, rows, columns):
        return np.array([[self(a, b) for b in columns] for a in rows]).reshape(len(rows), len(columns))


@st.composite
def similarities(draw):
    """Symmetric, in [0, 1], 1 on the diagonal; a few values only, so that ties and near ties happen."""
    n = len(KEYWORDS)
    value = st.sampled_from([0.0, 0.0, 0.2, 0.3, 0.5, 0.9, 0.95, 1.0])
    half = {(i, j): draw(value) for i in range(n) for j in range(i)}
    return Given([[1.0 if i == j else half[max(i, j), min(i, j)] for j in range(n)] for i in range(n)])


NAMES = "abcdefgh"
pairs = st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)).filter(lambda p: p[0] != p[1])
supports = st.builds(Support, users=st.integers(1, 3), pages=st.integers(1, 2), count=st.integers(1, 2))


@st.composite
def omegas(draw):
    """Any Ω over a few keywords."""
    clicks = draw(st.fixed_dictionaries({n: st.integers(1, 50) for n in NAMES}))
    isa = draw(st.dictionaries(pairs.map(lambda p: ordered(*p)), supports, max_size=4))
    part_of = draw(st.dictionaries(pairs.filter(lambda p: ordered(*p) not in isa), supports, max_size=16))
    return Omega(clicks, isa, part_of)


queries = st.lists(st.sampled_from([*NAMES, "unknown"]), max_size=3)


def masks(concepts):
    """Concepts in arrays, as bit sets."""
    return [
        (sum(1 << u for u in x.tolist()), sum(1 << k for k in y.tolist()))
        for x, y in zip(concepts.extents, concepts.intents, strict=True)
    ]


def named(t, found):
    """Concepts in bit sets, by name."""
    return {(frozenset(t.urls[u] for u in bits(x)), frozenset(t.keywords[k] for k in bits(y))) for x, y in found}
