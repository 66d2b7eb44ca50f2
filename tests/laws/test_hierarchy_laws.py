"""∂ is what it is said to be, for any log."""

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.semrank.acyclic import weakest_of_cycles
from fcacrawler.semrank.hierarchy import TOP, hierarchy
from fcacrawler.semrank.parameters import SemRankOptions
from fcacrawler.values.omega import Omega
from tests.reference import hierarchy as oracle
from tests.semrank.given import NAMES, omegas, queries


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=24))
def test_an_edge_goes_just_when_it_is_the_weakest_of_a_cycle(edges) -> None:
    source, target = [u for u, _ in edges], [v for _, v in edges]
    assert weakest_of_cycles(source, target).tolist() == oracle.weakest_of_cycles(edges)


@given(omegas(), queries)
def test_it_has_one_root_no_cycle_and_layers_by_longest_paths(omega, query) -> None:
    found = hierarchy(omega, query)
    layers = nx.DiGraph((found.graph.nodes[a]["group"], found.graph.nodes[b]["group"]) for a, b in found.graph.edges)
    root = found.graph.nodes[found.root]["group"]
    layers.add_node(root)
    assert nx.is_directed_acyclic_graph(layers)
    for n, node in found.graph.nodes.items():
        assert node["layer"] == oracle.longest_path(layers, root, node["group"])
        assert 0.0 < node["p"] <= 1.0
        assert (node["layer"] == 0) == (n == found.root)
    assert {n for n in found.graph if n != TOP} | set(found.outside) == set(omega.clicks)


@given(omegas(), queries)
def test_isa_partners_share_a_layer_and_a_part_is_deeper(omega, query) -> None:
    found = hierarchy(omega, query)
    layer = {n: node["layer"] for n, node in found.graph.nodes.items()}
    for a, b in omega.isa:
        assert layer.get(a) == layer.get(b)
    for a, b, edge in found.graph.edges(data=True):
        assert layer[a] < layer[b]
        assert edge["weight"] == 1 / (layer[b] + 0.2)


@given(omegas())
def test_every_relation_is_kept_or_reported(omega) -> None:
    found = hierarchy(omega)
    dropped = {(d.whole, d.part) for d in found.dropped}
    kept = {(a, b) for a, b in found.graph.edges if a != TOP}
    assert dropped | kept == set(omega.part_of)
    assert not dropped & kept
    assert not found.outside


@given(omegas(), st.booleans())
def test_cumulative_information_grows_with_depth(omega, artificial) -> None:
    query = list(NAMES[:2]) if artificial else []
    found = hierarchy(omega, query, SemRankOptions(p_keyword="cumulative"))
    p = {n: node["p"] for n, node in found.graph.nodes.items()}
    assert all(p[a] >= p[b] for a, b in found.graph.edges)


@given(omegas(), queries, st.randoms(use_true_random=False))
def test_the_order_of_omega_does_not_matter(omega, query, dice) -> None:
    def shuffled(d):
        return dict(dice.sample(list(d.items()), len(d)))

    one = hierarchy(omega, query)
    two = hierarchy(Omega(shuffled(omega.clicks), shuffled(omega.isa), shuffled(omega.part_of)), reversed(query))
    assert list(one.graph.nodes.items()) == list(two.graph.nodes.items())
    assert list(one.graph.edges.items()) == list(two.graph.edges.items())
    assert (one.root, one.dropped, one.outside) == (two.root, two.dropped, two.outside)
