"""The oracles of the hierarchy: by paths and components of networkx, edge by edge."""

from __future__ import annotations

from math import log

import networkx as nx


def weakest_of_cycles(edges):
    """Of edges, strongest first: is each the weakest of some cycle? One search an edge."""
    graph = nx.MultiDiGraph()
    answer = []
    for u, v in edges:
        graph.add_edge(u, v)
        answer.append(nx.has_path(graph, v, u))
    return answer


def longest_path(graph, root, node):
    """The edges of the longest path, by trying all of them."""
    return max(len(path) - 1 for path in nx.all_simple_paths(graph, root, [node])) if node != root else 0


def ics(found, a, b, options):
    """ics of two keywords, straight from Eq. 5 with the readings of the options."""
    if a == b or (options.ics_isa and ((a, b) in found.isa or (b, a) in found.isa)):
        return 1.0
    nodes = found.graph.nodes
    if a not in nodes or b not in nodes:
        return 0.0
    above = [{n, found.root} | nx.ancestors(found.graph, n) for n in (a, b)]
    star = min(above[0] & above[1], key=lambda n: (nodes[n]["p"], -nodes[n]["layer"], n))
    layers = nx.DiGraph((nodes[m]["group"], nodes[n]["group"]) for m, n in found.graph.edges)
    layers.add_nodes_from(node["group"] for node in nodes.values())
    depth = {node["group"]: node["layer"] for node in nodes.values()}

    def w(n):
        start = found.root if options.ics_path == "root" else star
        if nodes[start]["group"] == nodes[n]["group"]:
            return 0.0
        paths = list(nx.all_simple_paths(layers, nodes[start]["group"], nodes[n]["group"]))
        longest = max(len(path) for path in paths)
        return max(sum(1 / (depth[g] + options.ics_alpha) for g in path[1:]) for path in paths if len(path) == longest)

    below = w(a) * log(nodes[a]["p"]) + w(b) * log(nodes[b]["p"])
    return min(1.0, 2 * log(nodes[star]["p"]) / below) if below < 0 else 0.0
