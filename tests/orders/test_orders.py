"""What every order owes the crawl, whatever it thinks."""

import math

import pytest

from fcacrawler.app import assembly
from fcacrawler.orders.rivals.oracle import Oracle
from tests.orders.pages import candidate, given, order_of_fetches, page, url

ORDERS = {name: order for name, order in assembly.ORDERS.items() if name != "ontology"}  # knows not all topics

WEB = [
    page("s", "car race driver", ["a|car", "b|dog", "c|race|car dog", "x"]),
    page("a", "car race engine", ["d|car race", "e", "b|dog"]),
    page("b", "dog cat bird", ["f|bird", "g|cat", "c"]),
    page("c", "race track car", ["h|race", "i|dog", "s"]),
    page("d", "car engine", ["j|driver", "k"]),
    page("e", "", []),
    page("f", "bird song", ["l|bird"]),
    page("g", "cat food", ["f", "m|dog"]),
    page("h", "race driver", ["n|race car"]),
    *(page(n, f"{n} car" if n in "jn" else f"{n} dog", ["o", "p|car"]) for n in "ijklmn"),
]
EVERYTHING = {"s", "x", *"abcdefghijklmnop"}  # x, o and p are linked and not there


@pytest.mark.parametrize("name", ORDERS)
def test_an_order_fetches_everything_once_and_the_same_web_in_the_same_order(name: str) -> None:
    names = order_of_fetches(ORDERS[name], WEB, ["s"])
    assert names[0] == "s"
    assert sorted(names) == sorted(EVERYTHING)
    assert order_of_fetches(ORDERS[name], WEB, ["s"]) == names


@pytest.mark.parametrize("name", ORDERS)
def test_ranks_lie_in_0_1_and_asking_for_them_changes_nothing(name: str) -> None:
    told = given()
    order = ORDERS[name](told)
    assert all(0 <= r <= 1 for r in order.rank([candidate("unheard")]))
    for depth, p in enumerate(WEB):
        p = page(p.title, p.text, [f"{link.url.rpartition('/')[2]}|{link.anchor}" for link in p.links], depth)
        rank = order.observe(p, told.judge.observe(p))
        assert 0 <= rank <= 1
        links = [candidate("p", *WEB[9:]), candidate("zz"), candidate("d", WEB[1])]
        first = list(order.rank(links))
        assert [order.explain(c).rank for c in links] == first == list(order.rank(links))
        assert math.isfinite(order.explain_page(p).rank)
        assert all(0 <= r <= 1 for r in first)


@pytest.mark.parametrize("name", ORDERS)
def test_a_topic_without_words_and_a_web_without_text_are_crawled_too(name: str) -> None:
    web = [page("s", "", ["a", "b"]), page("a", "", ["b"]), page("b", "", [])]
    assert sorted(order_of_fetches(ORDERS[name], web, ["s"], words="")) == ["a", "b", "s"]


def test_the_oracle_goes_the_shortest_way_to_what_is_relevant() -> None:
    web = [
        page("s", "", ["dull", "way", "near"]),
        page("near", "", []),
        page("dull", "", ["more"]),
        page("way", "", ["on"]),
        page("on", "", ["goal"]),
    ]
    links = {p.url: [link.url for link in p.links] for p in web}
    names = order_of_fetches(lambda told: Oracle({url("near"), url("goal")}, links), web, ["s"])
    assert names[:5] == ["s", "near", "way", "on", "goal"]


def test_of_two_relevant_pages_the_oracle_takes_the_one_that_leads_on() -> None:
    web = [page("s", "", ["r1", "r2"]), page("r1", "", []), page("r2", "", ["r3"]), page("r3", "", [])]
    links = {p.url: [link.url for link in p.links] for p in web}
    relevant = {url(f"r{n}") for n in (1, 2, 3)}
    assert order_of_fetches(lambda told: Oracle(relevant, links), web, ["s"]) == ["s", "r2", "r1", "r3"]
