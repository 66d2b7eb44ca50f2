"""Information-content similarity: how much two keywords share in the hierarchy ∂."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import networkx as nx
import numpy as np

from fcacrawler.semrank.ancestry import Ancestry
from fcacrawler.semrank.hierarchy import Hierarchy, part_of_weight
from fcacrawler.semrank.kernels.arrays import Floats, Ints
from fcacrawler.semrank.keyword_similarity import set_equal
from fcacrawler.semrank.parameters import SEMRANK_2013, SemRankOptions


def path_weight(path: int, alpha: float) -> float:
    """w of a keyword: ΣW along the longest path from the root to it. *Du & Hai 2013, Def. 15*.

        w = Σ 1 / (k + α) for k = 1 … path(n)

    The longest path passes every layer, so its edges weigh 1/(1+α), 1/(2+α) and so on.

    >>> round(path_weight(1, 0.2), 4), round(path_weight(2, 0.2), 4)
    (0.8333, 1.2879)
    """
    return sum(part_of_weight(k - 1, k, alpha) for k in range(1, path + 1))


def information_content_similarity(shared: Floats, a: Floats, b: Floats, w_a: Floats, w_b: Floats) -> Floats:
    """ics of pairs of keywords, from the information -log p of n*, of a and of b. *Du & Hai 2013, Eq. 5*, second case.

        ics(a, b) = 2 · log p(n*) / (w_a · log p(a) + w_b · log p(b))

    Cut at 1 (Part-Of makes parts more probable than their whole). 0 where the denominator is: a pair without weight or
    information shares none.

    >>> shared, a, b = -np.log([[0.00372], [0.00281], [0.00502]])
    >>> information_content_similarity(shared, a, b, 1 / 1.2 + 1 / 2.2, 1 / 1.2 + 1 / 2.2).round(4).tolist()
    [0.7778]
    """
    below = w_a * a + w_b * b
    return np.minimum(1.0, np.divide(2 * shared, below, out=np.zeros_like(below), where=below > 0))


class LogSimilarity:
    """The papers' similarity of keywords, ics over ∂. *Du & Hai 2013, Def. 15*; without ISA: *Du & Li 2007, Def. 8*.

    1 for a keyword and itself, and for ISA as it was observed (not made transitive); the formula where two keywords of
    ∂ share an ancestor; else 0. A keyword is its own ancestor, its wholes are, and the root is everyone's. Of those
    shared, n* is the one with the most information; ties go to the deeper one, then to the first by name.
    """

    def __init__(self, hierarchy: Hierarchy, options: SemRankOptions = SEMRANK_2013) -> None:
        self.hierarchy = hierarchy
        self.options = options
        nodes = hierarchy.graph.nodes
        names = sorted(nodes, key=lambda n: (nodes[n]["p"], -nodes[n]["layer"], n))
        self._above = Ancestry(names, hierarchy.graph.pred, hierarchy.root)
        self._information = np.array([0.0 - log(nodes[n]["p"]) for n in names])
        deepest = max((nodes[n]["layer"] for n in nodes), default=0)
        weights = np.array([path_weight(k, options.ics_alpha) for k in range(deepest + 1)])
        self._w = weights[[nodes[n]["layer"] for n in names]]
        self._from: dict[int, dict[int, float]] = {}
        group = nx.get_node_attributes(hierarchy.graph, "group")
        self._depth = {group[n]: nodes[n]["layer"] for n in names}
        self._layers = nx.DiGraph((group[a], group[b]) for a, b in hierarchy.graph.edges)
        self._layers.add_nodes_from(self._depth)
        self._downward = sorted(self._depth, key=lambda g: (self._depth[g], g))
        self._partners: dict[str, list[str]] = {}
        for a, b in hierarchy.isa if options.ics_isa else ():
            self._partners.setdefault(a, []).append(b)
            self._partners.setdefault(b, []).append(a)

    def matrix(self, rows: Sequence[str], columns: Sequence[str]) -> Floats:
        """ics of every row keyword with every column keyword."""
        if len(columns) < len(rows):  # it is symmetric, and goes row by row
            return self.matrix(columns, rows).T
        out = np.zeros((len(rows), len(columns)))
        number = self._above.number
        known = np.array([j for j, n in enumerate(columns) if n in number], dtype=np.int64)
        inside = [columns[j] for j in known]
        below = self._above.below(inside)
        numbers = np.array([number[n] for n in inside], dtype=np.int64)
        place = {n: j for j, n in enumerate(columns)}
        for i, a in enumerate(rows):
            if a in number and inside:
                out[i, known] = self._row(number[a], numbers, self._above.shared(a, below, len(inside)))
            for b in self._partners.get(a, ()):
                if b in place:
                    out[i, place[b]] = 1.0
        set_equal(out, rows, columns)
        return out

    def kin(self, a: str) -> list[tuple[str, float]]:
        """The keywords that stand in a relation with one, and their ics above 0."""
        graph = self.hierarchy.graph
        near = [*graph.pred[a], *graph.succ[a]] if a in graph else []
        kin = [n for n in dict.fromkeys([*self._partners.get(a, ()), *near]) if n != self.hierarchy.root]
        return (
            [(n, ics) for n, ics in zip(kin, self.matrix([a], kin)[0].tolist(), strict=True) if ics > 0] if kin else []
        )

    def shared(self, a: str, b: str) -> str | None:
        """n*: the ancestor that two keywords share and that says the most; None if one is not in ∂."""
        if a not in self._above.number or b not in self._above.number:
            return None
        return self._above.order[int(self._above.shared(a, self._above.below([b]), 1)[0])]

    def _row(self, a: int, columns: Ints, shared: Ints) -> Floats:
        if self.options.ics_path == "root":
            w_a, w_b = np.full(len(columns), self._w[a]), self._w[columns]
        else:
            w_a = np.array([self._from_ancestor(int(x), a) for x in shared])
            w_b = np.array([self._from_ancestor(int(x), int(j)) for x, j in zip(shared, columns, strict=True)])
        says = self._information
        return information_content_similarity(says[shared], says[[a]], says[columns], w_a, w_b)

    def _from_ancestor(self, ancestor: int, number: int) -> float:
        """w read literally: ΣW along the longest path from an ancestor; of several, the heaviest."""
        nodes = self.hierarchy.graph.nodes
        if ancestor not in self._from:
            start = nodes[self._above.order[ancestor]]["group"]
            longest = {start: (0, 0.0)}
            for g in self._downward:
                for h in self._layers.successors(g) if g in longest else ():
                    edges, weight = longest[g]
                    step = part_of_weight(0, self._depth[h], self.options.ics_alpha)
                    longest[h] = max(longest.get(h, (0, 0.0)), (edges + 1, weight + step))
            self._from[ancestor] = {g: weight for g, (_, weight) in longest.items()}
        return self._from[ancestor][nodes[self._above.order[number]]["group"]]
