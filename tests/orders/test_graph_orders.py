"""Breadth-first, PageRank and HITS: values worked by hand, and the slow solution as oracle."""

import networkx as nx
import numpy as np
import pytest

from fcacrawler.orders.rivals.bfs import BreadthFirst
from fcacrawler.orders.rivals.hits import Hits
from fcacrawler.orders.rivals.pagerank import D, PageRank, solve
from fcacrawler.values.verdicts import Judged
from tests.orders.pages import candidate, given, order_of_fetches, page, url


def test_a_new_page_hands_its_share_to_what_it_links_to() -> None:
    order = PageRank(given())
    seed = page("s", links=["a", "b"], depth=0)
    order.observe(seed, Judged(1.0, 1.0))
    order.observe(page("a", links=["b"]), Judged(1.0, 1.0))
    node = order.graph.node
    pr_s = 1 - D  # nothing links to it
    pr_a = 1 - D + D * pr_s / 2
    assert order.value(node[url("a")]) == pytest.approx(pr_a)
    assert order.value(node[url("b")]) == pytest.approx(1 - D + D * (pr_s / 2 + pr_a))
    assert order.score(candidate("b", seed)) > order.score(candidate("unheard"))


def test_the_equation_solved_is_that_of_networkx() -> None:
    order = PageRank(given())
    web = {"s": ["a", "b", "c"], "a": ["b", "s"], "b": ["c"], "c": ["s", "a"]}
    graph = nx.DiGraph()
    for name, links in web.items():
        order.observe(page(name, links=links), Judged(1.0, 1.0))
        graph.add_edges_from((url(name), url(link)) for link in links)
    shares = np.zeros(len(order.graph))
    for _ in range(5):
        shares = solve(order.graph, shares)
    expected = nx.pagerank(graph, alpha=D, tol=1e-12)
    values = {u: 1 - D + D * shares[n] for u, n in order.graph.node.items()}
    total = sum(values.values())
    assert {u: v / total for u, v in values.items()} == pytest.approx(expected, abs=1e-6)


def test_breadth_first_never_mixes_depths_and_breaks_ties_by_pagerank() -> None:
    web = [
        page("s", links=["a", "b", "c"]),
        page("a", links=["c", "far"]),
        page("b", links=["c"]),
        page("c", links=["far", "d"]),
    ]
    assert order_of_fetches(BreadthFirst, web, ["s"]) == ["s", "a", "c", "b", "far", "d"]


def test_hits_prefers_what_relevant_pages_link_to_over_what_many_others_do() -> None:
    order = Hits(given())
    good = [page(f"g{n}", links=["target"]) for n in range(2)]
    bad = [page(f"x{n}", links=["popular"]) for n in range(7)]
    for p in good:
        order.observe(p, Judged(0.9, 0.9))
    for p in bad:
        order.observe(p, Judged(0.3, 0.3))
    assert order.score(candidate("target")) > order.score(candidate("popular"))


def test_hits_on_ten_equal_hubs_gives_the_authorities_the_hubs_that_link_to_them() -> None:
    told = given("car")
    order = Hits(told)
    pages = [page("s", "car", ["t"], 0), *(page(f"p{n}", "car", ["t", "u"]) for n in range(9))]
    for p in pages:
        order.observe(p, told.judge.observe(p))
    assert order.epoch == 1  # solved with the tenth page
    t, u = order.score(candidate("t")), order.score(candidate("u"))
    assert t > u > 0
    assert t - u < u / 9  # the seed, which links to t alone, is the lesser hub of ten
    assert order.score(candidate("nowhere")) == 0.0
