"""The default order: features worked by hand, and what follows from them."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given as over
from hypothesis import settings
from hypothesis import strategies as st

from fcacrawler.judge.profile import Profile
from fcacrawler.judge.topic_judge import TopicJudge
from fcacrawler.orders import Given
from fcacrawler.orders.semrank.graded import DEFAULT
from fcacrawler.orders.semrank.order import SemRank
from fcacrawler.orders.semrank.parts import CONCEPTS, EXT, VECTORS, WORDS
from fcacrawler.page import terms, weigh, words_in_urls
from fcacrawler.values.links import Candidate, Evidence
from fcacrawler.values.omega import Omega, Support
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.topics import Topic
from fcacrawler.vectors.static import Static
from tests.orders.pages import candidate, given, order_of_fetches, page, url

STATIC = Static.shipped()


def observe(told: Given, order: SemRank, p: SeenPage) -> float:
    return order.observe(p, told.judge.observe(p))


def test_features_of_links_are_what_their_formulas_say() -> None:
    told = given("car")
    order = SemRank(told, replace(DEFAULT, every=1))
    good = page("good", "car", links=["a|car", "u|fast car|the dog", "b"], depth=0)
    bad = page("bad", "dog", links=["u|dog"])
    pages = (good, bad, page("a", "car", parents=["good"]))
    for p in pages:
        observe(told, order, p)
    r = dict(zip([p.title for p in pages], told.judge.guesses().tolist(), strict=True))
    base = sum(r.values()) / 3
    f = order.features(candidate("u", good, bad))
    lead = r["a"] ** 2  # of the page on which it was found
    worth = {**r, "good": r["good"] + (1 - r["good"]) * 0.75 * lead / (lead + 1)}
    mean = sum(worth.values()) / 3
    rate_good, rate_bad = (worth["a"] + 2 * mean) / 3, (2 * mean) / 2
    assert f["meanrel"] == pytest.approx((r["good"] + r["bad"]) / 2)
    assert f["thr"] == pytest.approx((r["good"] + r["bad"] + base) / 3)
    assert f["child"] == pytest.approx((rate_good + rate_bad) / 2)
    assert f["place"] == pytest.approx((sum(r.values()) + 3 * base) / 6)  # all three stand on the same host
    assert f["votes"] == pytest.approx(np.log(2) / np.log(9))  # of one host
    assert f["loc"] == pytest.approx(((r["a"] + rate_good) / 2 + rate_bad) / 2)  # "a" is one link before "u"


def test_pages_of_one_host_have_one_vote_together() -> None:
    order = SemRank(given("car"))
    parents = ["http://a/1", "http://a/2", "http://b/1", "http://c/1"]
    links = tuple(Evidence(parent, "", "", 0, 1) for parent in parents)
    some, all_ = (Candidate(b"", "http://d/", "d", 1, links[:n]) for n in (2, 4))
    assert order.features(some)["votes"] == pytest.approx(np.log(2) / np.log(9))
    assert order.features(all_)["votes"] == pytest.approx(np.log(4) / np.log(9))


def test_features_of_words_are_cosines_with_the_topic() -> None:
    topic = Topic("car")
    profile = Profile(topic, lambda text, language: weigh(terms(text, language), language), words_in_urls)
    told = Given(topic, profile, TopicJudge(profile))
    order = SemRank(told)
    seed = replace(page("s", "car", ["u|fast car|the dog", "u/car"], depth=0), terms=profile.vector_of("car"))
    observe(told, order, seed)
    f = order.features(candidate("u", seed))
    fast = profile.vector_of("fast car")
    assert f["anchor"] == pytest.approx(fast["car"], abs=1e-3)
    assert f["url"] == 0.0
    assert order.features(candidate("u/car", seed))["url"] == pytest.approx(1.0)


def test_a_link_is_named_by_the_words_that_the_user_gave_whatever_seeds_say() -> None:
    topic = Topic("car engine", avoid=("toy",))
    profile = Profile(topic, lambda text, language: weigh(terms(text, language), language), words_in_urls)
    told = Given(topic, profile, TopicJudge(profile))
    order = SemRank(told)
    links = ["a|the car of a dog", "b|engine of this car", "c/engine/dog|dog", "car|engine", "e|toy dog"]
    seed = page("s", "dog toy engine dog", links, depth=0)
    observe(told, order, seed)
    car, engine = (profile.asked[word] ** 2 for word in ("car", "engin"))
    named = [order.features(candidate(to.partition("|")[0], seed))["named"] for to in links]
    assert named == pytest.approx([car, car + engine, engine, max(car, engine), 0.0])
    assert car + engine == pytest.approx(1 - profile.asked["toy"] ** 2)


def test_the_rank_is_a_rising_function_of_w_ext_plus_the_rest_int() -> None:
    told = given("car", vectors=STATIC)
    order = SemRank(told)
    seed = page("s", "car", links=["car|car|car", "tax|tax law"], depth=0)
    observe(told, order, seed)
    car, tax = candidate("car", seed), candidate("tax", seed)
    why, less = order.explain(car), order.explain(tax)
    assert [why.rank, less.rank] == order.rank([car, tax])
    assert why.rank > less.rank
    assert set(why.features) == {*EXT, *WORDS, *CONCEPTS, *VECTORS}
    score = why.w * why.ext + (1 - why.w) * why.int_
    assert why.rank == pytest.approx(1 / (1 + np.exp(-10 * (score - 0.45))))
    of_ext = (*EXT, "extent")
    parts = sum(DEFAULT.weights[n] * why.features[n] for n in of_ext) / sum(DEFAULT.weights[n] for n in of_ext)
    assert why.ext == pytest.approx(parts, abs=1e-4)


def test_the_topics_own_words_weigh_more_at_first() -> None:
    told = given("car", vectors=STATIC)
    order = SemRank(told)
    observe(told, order, page("s", "car", links=["car|car"], depth=0))
    why = order.explain(candidate("car", page("s", links=["car|car"])))
    more = {"named": 1.0, "query": 0.6, "anchor": 0.25, "url": 0.25}  # half of it after 30 pages
    weights = {n: DEFAULT.weights[n] + more.get(n, 0.0) * 0.5 ** (1 / 30) for n in why.features}
    of_int = [n for n in why.features if n not in (*EXT, "extent")]
    assert why.int_ == pytest.approx(
        sum(weights[n] * why.features[n] for n in of_int) / sum(weights[n] for n in of_int), abs=1e-4
    )
    assert why.w == pytest.approx(1 - sum(weights[n] for n in of_int) / sum(weights.values()))
    for n in range(60):
        observe(told, order, page(f"p{n}", "car", parents=["s"]))
    later = order.explain(candidate("car", page("s", links=["car|car"])))
    assert (
        why.w < later.w < sum(DEFAULT.weights[n] for n in (*EXT, "extent")) / sum(DEFAULT.weights[n] for n in weights)
    )


def test_a_feature_of_weight_0_is_left_out() -> None:
    order = SemRank(given("car"), replace(DEFAULT, weights={**DEFAULT.weights, "loc": 0.0}))
    assert set(order.explain(candidate("u")).features) == {*EXT, *WORDS, *CONCEPTS} - {"loc"}


def test_a_page_explains_its_rank_by_its_relevance_and_its_features_and_concept_when_it_was_found() -> None:
    told = given("car race")
    order = SemRank(told)
    for name in ("a", "b", "c"):
        observe(told, order, page(name, "car race", ["rally|fast car|race"], depth=0))
    found = replace(
        page("rally", "mud"), evidence=candidate("rally", page("a", links=["rally|fast car race"])).evidence
    )
    row = order.features(Candidate(b"", found.url, "test", 1, found.evidence))
    rank = observe(told, order, found)
    why = order.explain_page(found)
    assert why.rank == rank == told.judge.relevance(found.url)
    assert why.features == {name: round(value, 4) for name, value in row.items()}
    part = why.base_concept["part"]
    assert why.base_concept == {"extent": [url(n) for n in "abc"], "intent": ["car", "race"], "pages": 3, "part": part}
    assert why.current_concept == {"extent": [url("a")], "intent": ["car", "race"], "pages": 1}
    assert why.matched == (("car", "car", 1.0), ("race", "race", 1.0))


def test_the_part_of_the_concepts_is_what_the_sum_is_less_without_them() -> None:
    told = given("car race")
    order = SemRank(told)
    for name in ("a", "b", "c"):
        observe(told, order, page(name, "car race", ["rally|car|race"], depth=0))
    why = order.explain(candidate("rally", page("a", links=["rally|car"])))
    w = order.w
    of_ext = sum(DEFAULT.weights[n] for n in (*EXT, "extent"))
    of_int = sum(DEFAULT.weight(n, 3) for n in (*WORDS, *CONCEPTS) if n != "extent")  # three pages are known
    part = w * DEFAULT.weights["extent"] * why.features["extent"] / of_ext
    part += (1 - w) * sum(DEFAULT.weights[n] * why.features[n] for n in CONCEPTS if n != "extent") / of_int
    assert why.base_concept["part"] == pytest.approx(part, abs=1e-4) != 0.0


def test_what_a_log_says_is_one_thing_counts_as_one_keyword() -> None:
    """The relevant pages say car; a link that says auto shares it where the log has ISA(auto, car)."""
    omega = Omega({"auto": 5, "car": 9, "tax": 4}, {("auto", "car"): Support()})
    shared = {}
    for name, log in (("with", omega), ("without", None)):
        told = replace(given("car"), omega=log, query=("car",))
        order = SemRank(told)
        for seed in ("a", "b", "c"):
            observe(told, order, page(seed, "car", ["rally|auto", "law|tax"], depth=0))
        links = page("a", links=["rally|auto", "law|tax"])
        shared[name] = [order.features(candidate(link, links))["shared"] for link in ("rally", "law")]
    assert shared == {"with": [0.2, 0.0], "without": [0.0, 0.0]}


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


def web_of(seed: int, size: int) -> list[SeenPage]:
    """Pages that link at random; each is found by the links of those before it."""
    draw = random.Random(seed)
    words = ["car", "race", "dog", "tax", "rally", "law", "driver", ""]
    pages: list[SeenPage] = []
    for n in range(size):
        text = " ".join(draw.choices(words, k=4))
        links = [f"p{draw.randrange(2 * size)}|{draw.choice(words)}|{draw.choice(words)}" for _ in range(5)]
        p = page(f"p{n}", text, list(dict.fromkeys(links)), depth=int(n > 0))
        pages.append(replace(p, evidence=candidate(f"p{n}", *pages).evidence[:8]))
    return pages


@settings(max_examples=15, deadline=None)
@over(st.integers(0, 10**6), st.booleans())
def test_every_part_lies_in_0_1_and_ranks_do_not_depend_on_what_was_ranked_before(seed: int, vectors: bool) -> None:
    pages = web_of(seed, 40)
    waiting = [candidate(f"p{n}", *pages) for n in range(40, 80)]
    told, again = (given("car race", vectors=STATIC if vectors else None) for _ in range(2))
    busy, quiet = SemRank(told), SemRank(again)
    for n, p in enumerate(pages):
        observe(told, busy, p)
        observe(again, quiet, p)
        links = [candidate(link.url.rpartition("/")[2], *pages[: n + 1]) for link in p.links]
        assert all(0 <= r <= 1 for r in busy.rank(links))
    at_once = quiet.rank(waiting)
    assert busy.rank(waiting) == at_once == [quiet.rank([c])[0] for c in waiting]
    for c in waiting[:5]:
        assert all(0 <= f <= 1 + 1e-9 for f in busy.features(c).values())


def test_a_link_without_evidence_can_be_ranked() -> None:
    assert 0 <= SemRank(given(vectors=STATIC)).rank([candidate("nowhere")])[0] <= 1
    assert SemRank(given()).rank([]) == []


def test_a_language_that_the_vectors_do_not_know_is_ranked_by_its_words() -> None:
    told = given("zug", vectors=STATIC)
    order = SemRank(told)
    seed = replace(page("s", "zug", ["bahn|zug", "hund|hund"], depth=0), language="sv")
    observe(told, order, seed)
    train, dog = (order.explain(candidate(n, seed)) for n in ("bahn", "hund"))
    assert train.rank > dog.rank
    assert train.features["seeds"] == train.features["query"] == 0.0


def test_what_is_kept_is_bounded() -> None:
    told = given("car", vectors=STATIC)
    order = SemRank(told, replace(DEFAULT, kept=8, near=4, concepts=3))
    for p in web_of(3, 60):
        observe(told, order, p)
        order.rank([candidate(link.url.rpartition("/")[2], p) for link in p.links])
    assert len(order._rows) <= 10
    assert len(order._words) <= 10
    assert order._neighbours is not None
    assert order._neighbours._used <= 8
    assert len(order._base._concepts._pages) <= 3


def test_ranks_do_not_depend_on_how_much_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def ranks() -> list[float]:
        pages, told = web_of(5, 40), given("car race", vectors=STATIC)
        order = SemRank(told)
        for n, p in enumerate(pages):
            observe(told, order, p)
            found = order.rank([candidate(f"p{m}", *pages[: n + 1]) for m in range(40, 60)])
        return list(found)

    everything = ranks()
    monkeypatch.setattr("fcacrawler.orders.semrank.link_table.KEPT", 30)
    assert ranks() == everything


def test_a_page_observed_twice_teaches_nothing_new() -> None:
    told = given("car")
    order = SemRank(told)
    seed = page("s", "car", ["u|car"], depth=0)
    observe(told, order, seed)
    before = order.rank([candidate("u", seed)])
    observe(told, order, seed)
    assert order.rank([candidate("u", seed)]) == before
    assert isinstance(order.explain(Candidate(b"x", "http://test/x", "test", 1)).rank, float)


def test_where_links_have_led_to_copies_others_beside_them_rank_lower_though_the_original_was_relevant() -> None:
    told = given("car")
    order = SemRank(told)
    filters = [f"f{n}" for n in range(12)]
    seed = page("seed", "car", links=[*filters, "product"], depth=0)
    placed = [
        link._replace(path="~a/li/ul/aside.filter" if link.url != url("product") else "a/li/ul.products")
        for link in seed.links
    ]
    seed = replace(seed, links=tuple(placed))
    observe(told, order, seed)
    filtered, product = candidate("f11", seed), candidate("product", seed)
    before, epoch = order.rank([filtered, product]), order.epoch
    for name in filters[:8]:
        order.copied(replace(page(name, "car"), evidence=candidate(name, seed).evidence), seed.url)
    after = order.rank([filtered, product])
    assert order.epoch > epoch
    assert after[0] < after[1]
    assert before[0] == pytest.approx(before[1], abs=0.01)
    assert order.features(filtered)["path"] < order.features(product)["path"]
    order.copied(page("lost", "car"), url("never seen"))  # an original that this order has not observed: nothing
    assert order.rank([filtered, product]) == after
