"""The default order: features worked by hand, and what follows from them."""

import pytest

from fcacrawler.strategies.semrank import EXT, INT, SemRank, W
from tests.strategies.pages import candidate, given, order_of_fetches, page


def test_features_are_what_their_formulas_say() -> None:
    told = given("car")
    order = SemRank(told)
    good = page("good", "car", links=["a|car", "u|fast car|the dog", "b"], depth=0)
    bad = page("bad", "dog", links=["u|dog"])
    child = page("a", "car", parents=["good"])
    r = {p.title: _observe(told, order, p) for p in (good, bad, child)}
    r = {p.title: told.judge.relevance(p.url) or 0.0 for p in (good, bad, child)}
    f = order.features(candidate("u", good, bad))
    base = order._base
    rate_good, rate_bad = (r["a"] + 2 * base) / 3, (2 * base) / 2
    assert f["meanrel"] == pytest.approx((r["good"] + r["bad"]) / 2)
    assert f["maxrel"] == r["good"]
    assert f["thr"] == pytest.approx((r["good"] + r["bad"] + base) / 3)
    assert f["child"] == pytest.approx((rate_good + rate_bad) / 2)
    assert f["loc"] == pytest.approx(((r["a"] + rate_good) / 2 + rate_bad) / 2)  # "a" is one link before "u"
    assert f["anchor"] == pytest.approx(1 / 2**0.5)  # "fast car" against "car"
    assert (f["context"], f["url"]) == (0.0, 0.0)


def _observe(told, order, p):
    return order.observe(p, told.judge.observe(p))


def test_the_rank_is_w_ext_plus_the_rest_int_and_lies_in_0_1() -> None:
    told = given("car")
    order = SemRank(told)
    seed = page("s", "car", links=["car|car|car"], depth=0)
    _observe(told, order, seed)
    link = candidate("car", seed)
    why = order.explain(link)
    assert why.rank == order.rank([link])[0] == pytest.approx(W * why.ext + (1 - W) * why.int_)
    assert why.int_ == pytest.approx(1.0)
    assert 0 <= why.ext <= 1
    assert why.matched == (("car", "car", 1.0),)
    assert set(why.features) == {*EXT, *INT}


def test_a_link_without_evidence_ranks_0() -> None:
    assert SemRank(given()).rank([candidate("nowhere")]) == [0.0]


def test_a_page_explains_its_rank_by_its_own_relevance() -> None:
    told = given("car")
    order = SemRank(told)
    rank = _observe(told, order, page("s", "car", depth=0))
    why = order.explain_page(page("s", "car", depth=0))
    assert why.rank == rank == why.w * why.ext + (1 - why.w) * why.int_


def test_links_of_relevant_pages_leave_first_and_so_do_anchors_about_the_topic() -> None:
    web = [
        page("s", "car race", ["dull", "car|car race", "dogs|dog"]),
        page("car", "car race driver", ["driver"]),
        page("dogs", "dog cat", ["cat"]),
        page("dull", "tax law", ["law"]),
    ]
    names = order_of_fetches(SemRank, web, ["s"])
    assert names[:2] == ["s", "car"]
    assert names.index("driver") < names.index("cat")
    assert sorted(names) == sorted(["s", "dull", "car", "dogs", "driver", "cat", "law"])
