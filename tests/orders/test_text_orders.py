"""Orders that read texts: cosine, keyword, shark, mean parent, link classifier. Values worked by hand."""

import math
from dataclasses import replace

import pytest

from fcacrawler.orders.rivals.cosine import AVERAGE, B, Cosine, K, occurrences
from fcacrawler.orders.rivals.cosine import weigh as weigh_eq2
from fcacrawler.orders.rivals.keyword import Keyword
from fcacrawler.orders.rivals.link_classifier import LinkClassifier
from fcacrawler.orders.rivals.mean_parent import MeanParent
from fcacrawler.orders.rivals.shark import BETA, DELTA, GAMMA, Shark
from fcacrawler.orders.rivals.shark_vectors import SharkVectors
from fcacrawler.page import terms, weigh
from fcacrawler.page.text.background import background
from fcacrawler.vectors.static import Static
from tests.orders.pages import candidate, given, page


def observe(told, order, *pages):
    for p in pages:
        order.observe(p, told.judge.observe(p))


def test_the_occurrences_of_words_are_got_back_from_their_tf_idf() -> None:
    text = "the car and the car and the race of a driver with a car: driver, engine"
    vector = weigh(terms(text, "en"), "en")
    found = occurrences(vector, background("en").idf)
    assert found == pytest.approx({"car": 3.0, "race": 1.0, "driver": 2.0, "engin": 1.0})


def test_equation_2_by_hand() -> None:
    weights = weigh_eq2({"car": 2.0, "race": 1.0}, {"car": 3.0, "race": 5.0}.__getitem__)
    spread = K * ((1 - B) + B * 3 / AVERAGE)
    assert weights == pytest.approx({"car": 3 * 2 * (K + 1) / (spread + 2), "race": 5 * 1 * (K + 1) / (spread + 1)})


def test_cosine_takes_the_better_of_the_linking_pages() -> None:
    told = given("car")
    order = Cosine(told)
    near, far = page("near", "car race", ["u"], 0), page("far", "dog cat", ["u", "v"])
    observe(told, order, near, far)
    assert order.score(candidate("u", near, far)) == order.score(candidate("u", near)) > 0
    assert order.score(candidate("v", far)) == 0


def test_keyword_is_the_mean_share_of_the_keywords_in_anchor_url_and_linking_page() -> None:
    told = given("car")
    order = Keyword(told)
    seed = page("s", "car car dog", ["car", "x|car"], 0)
    observe(told, order, seed)
    share = told.profile.vector["car"] / sum(told.profile.vector.values())
    assert order.score(candidate("x", seed)) == pytest.approx((0 + share + 1) / 3)
    assert order.score(candidate("car", seed)) == pytest.approx((share + 0 + 1) / 3)


def test_shark_by_hand_and_what_a_page_off_the_topic_hands_down() -> None:
    told = given("car")
    order = Shark(told)
    seed = page("s", "car", ["off|fast car|car dog"], 0)
    off = page("off", "dog", ["next"], parents=["s"])
    observe(told, order, seed, off)
    half = 1 / math.sqrt(2)  # "fast car" and "car dog" against "car"
    expected = GAMMA * DELTA * 1.0 + (1 - GAMMA) * (BETA * half + (1 - BETA) * half)
    assert order.score(candidate("off", seed)) == pytest.approx(expected)
    assert order.score(candidate("next", off)) == pytest.approx(GAMMA * DELTA * DELTA)


def test_shark_told_vectors_takes_the_mean_of_words_and_meaning() -> None:
    told = given("car", vectors=Static.shipped())
    plain, order = Shark(told), SharkVectors(told)
    seed = page("s", "car", ["automobile", "bread"], 0)
    for each in (plain, order):
        observe(told, each, seed)
    near, far = (candidate(n, seed) for n in ("automobile", "bread"))
    assert plain.score(near) == plain.score(far)
    assert order.score(near) > order.score(far)
    assert order.texts(seed) == ["s", "automobile", "bread"]
    without = SharkVectors(replace(told, vectors=None))
    observe(told, without, seed)
    assert without.score(near) == pytest.approx(plain.score(near) / 2)


def test_mean_parent_is_a_mean_and_not_a_sum() -> None:
    told = given("car")
    order = MeanParent(told)
    pages = [page("s", "car", ["u", "v"], 0), page("x", "dog", ["v"]), page("y", "dog", ["v"])]
    observe(told, order, *pages)
    seen = [told.judge.relevance(p.url) for p in pages]
    assert order.score(candidate("u", pages[0])) == pytest.approx(seen[0])
    assert order.score(candidate("v", *pages)) == pytest.approx(sum(seen) / 3)
    assert order.score(candidate("unheard")) == 0.0


def test_the_link_classifier_learns_which_anchors_lead_to_relevant_pages() -> None:
    told = given("car")
    order = LinkClassifier(told)
    hub = page("s", "car", [f"c{n}|rally" for n in range(8)] + [f"d{n}|kennel" for n in range(8)], 0)
    observe(told, order, hub)
    linking = page("h", "car", ["n|rally", "o|kennel"])
    links = [candidate("n", linking), candidate("o", linking)]
    assert order.score(links[0]) == order.score(links[1])  # neither word is the topic's
    for n in range(8):
        for name, text, anchor in ((f"c{n}", "car", "rally"), (f"d{n}", "dog", "kennel")):
            p = page(name, text, parents=["s"])
            p = replace(p, evidence=tuple(e._replace(anchor=anchor) for e in p.evidence))
            observe(told, order, p)
    assert order.score(links[0]) > 0.5 > order.score(links[1])
