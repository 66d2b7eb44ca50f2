"""The weighted ISA/Part-Of hierarchy ∂ of a lexical database, as a graph with one root and no cycle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from operator import attrgetter

import networkx as nx
import numpy as np

from fcacrawler.lowlevel.components import joined
from fcacrawler.semrank.acyclic import weakest_of_cycles
from fcacrawler.semrank.kernels.arrays import Ints, grouped
from fcacrawler.semrank.parameters import SEMRANK_2013, SemRankOptions
from fcacrawler.values.omega import Omega, Pair, Support

TOP = "⊤"  # the artificial root


@dataclass(frozen=True, slots=True)
class Dropped:
    """A Part-Of relation that ∂ has no room for."""

    whole: str
    part: str
    why: str  # of WHY


KEPT, SAME_LAYER, WEAKER, CYCLE = range(4)
WHY = ("", "ISA puts both into one layer", "the other direction has more support", "the weakest of a cycle")


@dataclass(frozen=True, slots=True, eq=False)
class Hierarchy:
    """∂. *Du & Hai 2013, Def. 13*.

    ``graph`` has a node a keyword, with ``layer`` = path(n), the edges of the longest path from the root, ``p`` and
    ``group``, the keywords that ISA puts into its layer (by number); an edge is a Part-Of with its ``weight`` W.
    ``isa`` are all such relations as observed. ``outside`` is what the root does not reach: like
    itself and its ISA partners, and like nothing else.
    """

    root: str
    graph: nx.DiGraph
    isa: tuple[Pair, ...]
    dropped: tuple[Dropped, ...]
    outside: tuple[str, ...]


def part_of_weight(path_m: int, path_n: int, alpha: float) -> float:
    """W of the edge m → n. *Du & Hai 2013, Def. 13*.

        W(m → n) = 1 / (max(path(m), path(n)) + α)

    >>> round(part_of_weight(0, 1, 0.2), 4), round(part_of_weight(1, 2, 0.2), 4)
    (0.8333, 0.4545)
    """
    return 1.0 / (max(path_m, path_n) + alpha)


def probabilities(f: Mapping[str, float], total: float) -> dict[str, float]:
    """p of every keyword, of ``total`` clicks. *Du & Hai 2013, Def. 13*.

        p(n) = f(n) / Σ f

    >>> probabilities({"internet": 1, "information": 3}, 4)
    {'internet': 0.25, 'information': 0.75}
    """
    return {n: clicks / total for n, clicks in f.items()}


def hierarchy(omega: Omega, query: Iterable[str] = (), options: SemRankOptions = SEMRANK_2013) -> Hierarchy:
    """∂ of Ω for the keywords of a query.

    The root is the query's one keyword if it has no ISA partner; else ``TOP``, with a Part-Of edge to each keyword of
    the query and to their ISA partners. A query of which Ω knows nothing says nothing: ``TOP`` then stands above every
    keyword that is no part. ISA joins keywords, transitively, into one layer. Of two such groups that are parts of
    each other the better supported direction stays; of longer cycles all but the least supported edge. The cost is
    near-linear in the relations.
    """
    if TOP in omega.clicks:
        raise ValueError(f"{TOP!r} names the artificial root and cannot be a keyword")
    names = list(omega.clicks)
    group = _layer_groups(names, omega.isa)
    kept, dropped = _acyclic(omega.part_of, group)
    root, first = _root(omega, query, {group[b] for _, b in kept}, group)
    edges = [*((TOP, n) for n in first), *kept]
    group[TOP] = len(names)
    layer = _longest_paths(group[root], [group[a] for a, _ in edges], [group[b] for _, b in edges], len(names) + 1)
    inside = [n for n in ([TOP] if root == TOP else []) + names if group[n] in layer]
    graph = nx.DiGraph()
    for n in inside:
        graph.add_node(n, layer=layer[group[n]], group=group[n])
    for a, b in edges:
        if a in graph and b in graph:
            graph.add_edge(a, b, weight=part_of_weight(layer[group[a]], layer[group[b]], options.ics_alpha))
    _set_probabilities(graph, omega, root, options)
    return Hierarchy(root, graph, tuple(omega.isa), tuple(dropped), tuple(n for n in names if n not in graph))


def _layer_groups(names: Sequence[str], isa: Iterable[Pair]) -> dict[str, int]:
    """The number of each keyword's group: what ISA joins, directly or by others."""
    place = {n: i for i, n in enumerate(names)}
    pairs = np.array([(place[a], place[b]) for a, b in isa], dtype=np.int64).reshape(-1, 2)
    group = joined(len(names), *np.ascontiguousarray(pairs.T))
    return dict(zip(names, group.tolist(), strict=True))


def _acyclic(part_of: Mapping[Pair, Support], group: Mapping[str, int]) -> tuple[list[Pair], list[Dropped]]:
    """The relations that lead from layer to layer without a cycle, and the others."""
    n = len(group)
    keys = np.fromiter((group[a] * n + group[b] for a, b in part_of), np.int64, len(part_of))
    between, which = np.unique(keys, return_inverse=True)  # pairs of groups
    source, target = np.divmod(between, n)
    strongest = _by_strength(between, which, part_of.values())
    rank = np.argsort(strongest)
    opposite = np.searchsorted(between, target * n + source) % max(len(between), 1)
    weaker = (between[opposite] == target * n + source) & (rank[opposite] < rank)
    why = np.select([source == target, weaker], [SAME_LAYER, WEAKER], KEPT)
    left = strongest[why[strongest] == KEPT]
    why[left[weakest_of_cycles(source[left], target[left])]] = CYCLE
    reasons = why[which].tolist()
    kept = [pair for pair, reason in zip(part_of, reasons, strict=True) if reason == KEPT]
    lost = [Dropped(*pair, WHY[reason]) for pair, reason in zip(part_of, reasons, strict=True) if reason != KEPT]
    return kept, lost


def _by_strength(between: Ints, which: Ints, supports: Collection[Support]) -> Ints:
    """Pairs of groups, the best supported first: by users, pages, clicks, which add up over their relations."""
    columns = [np.zeros(len(between), dtype=np.int64) for _ in range(3)]
    for column, name in zip(columns, ("users", "pages", "count"), strict=True):
        np.add.at(column, which, np.fromiter(map(attrgetter(name), supports), np.int64, len(supports)))
    return np.lexsort((between, -columns[2], -columns[1], -columns[0]))


def _root(omega: Omega, query: Iterable[str], parts: Set[int], group: Mapping[str, int]) -> tuple[str, list[str]]:
    """The root, and the keywords right beneath it if it is artificial."""
    asked = sorted({n for n in query if n in omega.clicks})
    beneath = set(asked)
    for a, b in omega.isa:
        if a in asked or b in asked:
            beneath.update((a, b))
    if not asked:
        return TOP, [n for n in omega.clicks if group[n] not in parts]
    if len(beneath) == 1:
        return asked[0], []
    return TOP, sorted(beneath)


def _longest_paths(root: int, sources: Sequence[int], targets: Sequence[int], groups: int) -> dict[int, int]:
    """path(n): the number of edges of the longest path from the root, for every group that it reaches."""
    below = grouped(np.array(sources, dtype=np.int64), np.array(targets, dtype=np.int64), groups)
    starts, items = below.starts.tolist(), below.items.tolist()
    path, order, above = {root: 0}, [root], Counter[int]()
    for g in order:  # grows while it is walked: all that can be reached
        for h in items[starts[g] : starts[g + 1]]:
            above[h] += 1
            if h not in path:
                path[h] = 0
                order.append(h)
    ready = [root]
    for g in ready:
        for h in items[starts[g] : starts[g + 1]]:
            path[h] = max(path[h], path[g] + 1)
            above[h] -= 1
            if not above[h]:
                ready.append(h)
    return path


def _set_probabilities(graph: nx.DiGraph, omega: Omega, root: str, options: SemRankOptions) -> None:
    """p of every node: its own clicks, or cumulative (Resnik 1995): with those of all that are part of it."""
    f: dict[str, float] = dict(omega.clicks)
    if options.p_keyword == "cumulative":
        for n in graph:
            for whole in nx.ancestors(graph, n) - {TOP}:
                f[whole] += omega.clicks[n]
    p = probabilities({n: f[n] for n in graph if n != TOP}, sum(omega.clicks.values()))
    if root == TOP:
        p[TOP] = (max if options.p_top == "max" else min)(p.values(), default=1.0)
    nx.set_node_attributes(graph, p, "p")
