"""Orders that learn how far pages are from relevant ones: layers, context graph, relevancy graph, Markov crawler."""

import pytest

from fcacrawler.orders import Order, OrderFactory
from fcacrawler.orders.rivals.context_graph import ContextGraph
from fcacrawler.orders.rivals.hmm import HiddenMarkov
from fcacrawler.orders.rivals.layers import LAYERS, Layers
from fcacrawler.orders.rivals.relevancy_graph import RelevancyGraph
from tests.orders.pages import candidate, given, page

CARS, WAY, DOGS = "car race driver", "garage road town", "dog cat bird"


def test_a_layer_is_the_number_of_links_to_a_relevant_page() -> None:
    told = given("car race driver")
    layers = Layers(told)
    web = [
        page("goal", CARS, [], 0),
        page("one", DOGS, ["goal"]),
        page("two", DOGS, ["one", "far"]),
        page("three", DOGS, ["two"]),
        page("far", DOGS, ["goal2"]),
        page("goal2", CARS),
    ]
    for p in web:
        told.judge.observe(p)
        layers.add(p)
    relevant = [told.judge.relevance(p.url) > 0.45 for p in web]
    assert relevant == [True, False, False, False, False, True]
    assert layers.layers().tolist() == [0, 1, 2, LAYERS, 1, 0]  # "far" was fetched before what it links to


def learned(factory: OrderFactory) -> Order:
    """From a web where pages on garages lead to cars, and pages on dogs to dogs."""
    told = given("car race driver")
    order = factory(told)
    web = [page("s", CARS, ["w0", "d0"], 0)]
    for n in range(20):
        web += [
            page(f"w{n}", f"{WAY} place{n}", [f"c{n}", f"w{n + 1}"], parents=["s"]),
            page(f"c{n}", f"{CARS} lap{n}", [f"w{n + 1}"], parents=[f"w{n}"]),
            page(f"d{n}", f"{DOGS} breed{n}", [f"d{n + 1}", f"e{n}"], parents=["s"]),
        ]
    for p in web:
        order.observe(p, told.judge.observe(p))
    for p in (page("way", WAY, ["a"], parents=["w3"]), page("kennel", DOGS, ["b"], parents=["d3"])):
        order.observe(p, told.judge.observe(p))
    return order


@pytest.mark.parametrize("factory", [ContextGraph, RelevancyGraph, HiddenMarkov])
def test_links_on_pages_that_lead_to_relevant_ones_leave_before_links_on_pages_that_lead_nowhere(
    factory: OrderFactory,
) -> None:
    order = learned(factory)
    way, kennel = page("way", WAY, ["a"]), page("kennel", DOGS, ["b"])
    leads_on, leads_nowhere = order.rank([candidate("a", way), candidate("b", kennel)])
    assert leads_on > leads_nowhere


def test_the_markov_crawler_learns_from_the_steps_of_click_paths_too() -> None:
    walk = ("http://test/s", "http://test/c", "http://test/d")
    moved = {}
    for walks in ((), (walk,) * 50):
        told = given("car race driver", walks=walks)
        order = HiddenMarkov(told)
        for n, p in enumerate([page("s", CARS, ["c"], 0), page("c", CARS, ["d"]), page("d", DOGS)] * 9):
            p = page(p.title if n < 3 else f"{p.title}{n}", p.text, depth=int(n > 0))
            order.observe(p, told.judge.observe(p))
        moved[bool(walks)] = order._move[0, 0]
    assert moved[True] > moved[False]
