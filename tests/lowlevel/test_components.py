"""Components, held to SciPy's."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from fcacrawler.lowlevel.components import joined, strongly_joined

NODES = st.integers(0, 11)
EDGES = st.lists(st.tuples(NODES, NODES), max_size=30)


def scipys(edges: list[tuple[int, int]], connection: str) -> list[int]:
    u, v = np.array(edges, np.int64).reshape(-1, 2).T
    graph = coo_array((np.ones(len(u)), (u, v)), shape=(12, 12))
    return list(connected_components(graph, directed=True, connection=connection)[1].tolist())


@given(EDGES)
def test_what_edges_join_is_numbered_by_its_first_node(edges: list[tuple[int, int]]) -> None:
    u, v = np.ascontiguousarray(np.array(edges, np.int64).reshape(-1, 2).T)
    assert joined(12, u, v).tolist() == scipys(edges, "weak")


@given(EDGES)
def test_strong_components_are_the_same_sets(edges: list[tuple[int, int]]) -> None:
    u, v = np.array(edges, np.int64).reshape(-1, 2).T.copy()
    ours, theirs = strongly_joined(12, u, v).tolist(), scipys(edges, "strong")
    assert [[a == b for a in ours] for b in ours] == [[a == b for a in theirs] for b in theirs]


def test_a_long_chain_needs_no_recursion() -> None:
    nodes = np.arange(100_000)
    assert len(set(strongly_joined(100_001, nodes, nodes + 1).tolist())) == 100_001
    ring = np.append(nodes[1:], 0)
    assert set(strongly_joined(100_000, nodes, ring).tolist()) == {0}
