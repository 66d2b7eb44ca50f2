"""The papers' rounds: all links of the base first, then those of what ranks above γ."""

import pytest

from fcacrawler.app.assembly import ORDERS
from fcacrawler.orders.papers.rounds import EXPANDED
from fcacrawler.values.verdicts import Judged
from tests.orders.pages import candidate, given, order_of_fetches, page

WEB = [
    page("s", "car race", ["dog", "rally", "cat"]),
    page("dog", "dog bone", ["puppy"]),
    page("rally", "car race", ["driver", "s"]),
    page("cat", "cat milk", ["kitten"]),
    page("driver", "car driver", ["engine"]),
]


@pytest.mark.parametrize("factory", [ORDERS["semrank-2013"], ORDERS["semrank-2007"], ORDERS["formica"]])
def test_a_round_downloads_all_links_of_the_base_and_expands_the_pages_above_gamma(factory: type) -> None:
    names = order_of_fetches(factory, WEB, ["s"])
    assert names[:4] == ["s", "dog", "rally", "cat"]  # the round comes in whole, in the order of the page
    assert names[4] == "driver"  # on the one page that is like the base
    assert set(names) == {"s", "dog", "rally", "cat", "driver", "engine", "puppy", "kitten"}


def test_links_of_pages_that_are_not_ranked_yet_wait_for_the_end_of_the_round() -> None:
    told = given()
    order = ORDERS["semrank-2013"](told)
    seed, dog = WEB[0], WEB[1]
    order.observe(page("s", "car race", ["dog", "rally", "cat"], 0), Judged(1.0, 1.0))
    order.observe(dog, Judged(0.1, 0.1))
    assert order.score(candidate("puppy", dog)) == 0.0
    assert order.score(candidate("rally", seed)) > 0.5
    before = order.epoch
    order.observe(WEB[2], Judged(0.9, 0.9))
    order.observe(WEB[3], Judged(0.1, 0.1))
    assert order.epoch == before + 1
    assert order.score(candidate("driver", WEB[2])) > 0.5 >= order.score(candidate("puppy", dog))


def test_when_nothing_is_above_gamma_the_best_that_wait_are_expanded() -> None:
    web = [
        page("s", "car race", [f"p{n}" for n in range(EXPANDED + 3)]),
        *(page(f"p{n}", f"dog{n} bone{n}", [f"q{n}"]) for n in range(EXPANDED + 3)),
    ]
    names = order_of_fetches(ORDERS["semrank-2013"], web, ["s"])
    assert len(names) == 1 + 2 * (EXPANDED + 3)
    assert set(names[-3:]) == {f"q{n}" for n in range(EXPANDED, EXPANDED + 3)}


def test_a_page_that_never_comes_in_does_not_hold_up_the_crawl() -> None:
    web = [page("s", "car race", ["gone", "a"]), page("a", "car race", ["b"]), page("b", "car", ["c"])]
    assert order_of_fetches(ORDERS["semrank-2013"], web, ["s"]) == ["s", "gone", "a", "b", "c"]


def test_a_ranked_page_explains_itself_by_its_pair_of_concepts() -> None:
    told = given()
    order = ORDERS["semrank-2013"](told)
    order.observe(page("s", "car race", ["rally"], 0), Judged(1.0, 1.0))
    order.observe(WEB[2], Judged(0.9, 0.9))
    why = order.explain_page(WEB[2])
    assert why.rank > 0
    assert {pair[0] for pair in why.matched} == {"car", "race"}
