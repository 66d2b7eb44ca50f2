"""Keyword similarity by a taxonomy such as WordNet: Lin's and Resnik's. What Formica (2008) puts into Sim_int.

Resnik, P. (1995): Using information content to evaluate semantic similarity in a taxonomy.
Lin, D. (1998): An information-theoretic definition of similarity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log

import numpy as np

from fcacrawler.semrank.ancestry import Ancestry
from fcacrawler.semrank.kernels.arrays import Floats, Ints
from fcacrawler.semrank.keyword_similarity import set_equal


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """Classes with the classes right above them, the classes that a word may mean, and how often a class was met."""

    parents: Mapping[str, Sequence[str]]
    senses: Mapping[str, Sequence[str]]
    counts: Mapping[str, int] = field(default_factory=dict)  # of a class itself, without what is below it

    def __post_init__(self) -> None:
        named = ((p, f"above {c!r}") for c, above in self.parents.items() for p in above)
        meant = ((c, f"meant by {word!r}") for word, senses in self.senses.items() for c in senses)
        for name, where in (*named, *meant, *((c, "counted") for c in self.counts)):
            if name not in self.parents:
                raise ValueError(f"taxonomy: {name!r}, {where}, is no class")


def information(taxonomy: Taxonomy) -> dict[str, float]:
    """How much each class says. *Resnik 1995*.

        IC(c) = -log p(c), with p(c) the share of all counts that are of c or below it

    Every class counts once more than it was met: so p is above 0, and a taxonomy without counts has information too.

    >>> ic = information(Taxonomy({"animal": [], "dog": ["animal"], "fox": ["animal"]}, {}, {"dog": 1}))
    >>> ic["animal"], round(ic["dog"], 4), round(ic["fox"], 4)
    (0.0, 0.6931, 1.3863)
    """
    counts = {c: 1 + taxonomy.counts.get(c, 0) for c in taxonomy.parents}
    above = Ancestry(list(counts), taxonomy.parents)
    met = np.zeros(len(counts), dtype=np.int64)
    for c, count in counts.items():
        met[above.of(c)] += count
    total = sum(counts.values())
    return {c: 0.0 - log(n / total) for c, n in zip(counts, met.tolist(), strict=True)}


def lin(shared: Floats, a: float, b: Floats) -> Floats:
    """Lin's similarity from the information of two classes and of what they share. *Lin 1998*; *Formica 2008*.

        lin(a, b) = 2 · IC(n*) / (IC(a) + IC(b))

    Two classes that say nothing: 0.

    >>> lin(np.array([1.0]), 2.0, np.array([3.0]))
    array([0.4])
    """
    return np.divide(2 * shared, a + b, out=np.zeros_like(b), where=a + b > 0)


class LexicalSimilarity:
    """Similarity of two words: that of their most similar senses. A word without senses is like itself alone.

    ``measure`` is "lin", or "resnik": the information of what two senses share, as a part of the most that any class
    of the taxonomy has (*Resnik 1995*; so that it lies in [0, 1]). A word and itself: 1, by either.

    >>> animals = Taxonomy({"animal": [], "dog": ["animal"], "fox": ["animal"]}, {"hound": ["dog"], "fox": ["fox"]})
    >>> LexicalSimilarity(animals).matrix(["hound", "fox", "car"], ["hound", "car"]).tolist()
    [[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]]
    """

    def __init__(
        self,
        taxonomy: Taxonomy,
        measure: str = "lin",
        forms: Callable[[str], Iterable[str]] = lambda word: (word,),
    ) -> None:
        """``forms`` are what a keyword may be called in the taxonomy; the first that has senses counts."""
        if measure not in ("lin", "resnik"):
            raise ValueError(f"measure={measure!r}: must be lin or resnik")
        ic = information(taxonomy)
        order = sorted(ic, key=lambda c: (-ic[c], c))
        self._taxonomy = taxonomy
        self._forms = forms
        self._above = Ancestry(order, taxonomy.parents)
        self._information = np.array([ic[c] for c in order])
        self._lin = measure == "lin"

    def matrix(self, rows: Sequence[str], columns: Sequence[str]) -> Floats:
        """The similarity of every row word with every column word."""
        if len(columns) < len(rows):  # it is symmetric, and goes row by row
            return self.matrix(columns, rows).T
        out = np.zeros((len(rows), len(columns)))
        meant = [(j, c) for j, word in enumerate(columns) for c in self._senses(word)]
        of_column = np.array([j for j, _ in meant], dtype=np.int64)
        numbers = np.array([self._above.number[c] for _, c in meant], dtype=np.int64)
        below = self._above.below([c for _, c in meant])
        for i, word in enumerate(rows):
            for c in self._senses(word):
                similar = self._similar(self._above.number[c], numbers, self._above.shared(c, below, len(meant)))
                np.maximum.at(out[i], of_column, similar)
        set_equal(out, rows, columns)
        return out

    def _senses(self, word: str) -> Sequence[str]:
        return next((self._taxonomy.senses[form] for form in self._forms(word) if form in self._taxonomy.senses), ())

    def _similar(self, a: int, b: Ints, shared: Ints) -> Floats:
        known = np.where(shared >= 0, self._information[shared], 0.0)
        if self._lin:
            return np.minimum(1.0, lin(known, float(self._information[a]), self._information[b]))
        return known / max(float(self._information.max()), 1e-300)
