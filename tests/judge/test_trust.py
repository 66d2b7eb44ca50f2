"""How much a seed speaks for the topic: found out from what it is like, and revised while pages come."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fcacrawler.judge.profile import Profile
from fcacrawler.judge.topic_judge import TopicJudge
from fcacrawler.page import words_in_urls
from fcacrawler.values.topics import Topic
from tests.orders.pages import page, url, vector_of

CARS = "car race engine driver wheel"
DOGS = "dog puppy kennel leash"


def judge(words: str = "car race", **told: tuple[str, ...]) -> TopicJudge:
    return TopicJudge(Profile(Topic(words, **told), vector_of, words_in_urls))


def read(of: TopicJudge, *texts: str) -> None:
    for n, text in enumerate(texts):
        of.observe(page(f"p{n}", text))


def test_a_home_page_says_where_to_start_and_not_what_is_sought() -> None:
    of = judge()
    of.observe(replace(page("s", DOGS, depth=0), url="http://portal.test/"))
    assert of.profile.trusts == (0.0,)
    assert of.profile.vector == of.profile.words


def test_a_seed_that_is_like_nothing_that_was_said_loses_its_say_when_pages_have_come() -> None:
    of = judge()
    for name, text in ("a", CARS), ("b", CARS + " wheel"), ("c", DOGS):
        of.observe(page(name, text, depth=0))
    assert len(set(of.profile.trusts)) == 1  # nothing is known yet
    read(of, *[CARS] * 15, *[DOGS] * 15)
    a, b, c = of.profile.trusts
    assert min(a, b) > 0.7
    assert of.doubted == {url("c"): "it is unlike the topic's words and the other seeds"}
    heard = 1 - 0.75 * 3 / 8  # three pages say the words, and it is unlike them
    assert c == pytest.approx((30 * 0.5 * heard + 10 * 0.3) / 40, abs=0.02)
    assert max(of.profile.vector, key=of.profile.vector.__getitem__) in ("car", "race")


def test_where_nothing_else_says_what_is_sought_seeds_do() -> None:
    of = judge("")
    of.observe(replace(page("s", CARS, depth=0), url="http://portal.test/"))
    assert of.profile.trusts == (1.0,)


def test_a_list_of_links_is_no_pattern_of_the_topic() -> None:
    of = judge()
    of.observe(page("s", CARS, [f"x{n}" for n in range(60)], depth=0))
    of.observe(page("t", CARS, depth=0))
    for n in range(20):
        of.observe(page(f"p{n}", CARS, ["a", "b"]))
    listed, other = of.profile.trusts
    assert listed < 0.15 < other
    assert of.doubted == {url("s"): "a list of links"}
    assert other > 0.7


def test_a_seed_whose_children_are_like_one_another_and_not_like_it_says_nothing_in_the_end() -> None:
    of = judge()
    for name in "st":
        of.observe(page(name, "car race list", depth=0))
    for n in range(90):
        of.observe(page(f"p{n}", DOGS, parents="st"))
    assert max(of.profile.trusts) < 0.1
    assert set(of.doubted) == {url("s"), url("t")}
    assert "more like one another" in of.doubted[url("s")]


def test_an_example_is_believed_whatever_it_is_like() -> None:
    example = page("s", DOGS, [f"x{n}" for n in range(60)], depth=0)
    of = judge(examples=(example.url,))
    of.observe(example)
    read(of, *[CARS] * 20)
    assert of.profile.trusts == (1.0,)


def test_what_seeds_say_is_a_function_of_the_pages() -> None:
    def told() -> tuple[float, ...]:
        of = judge()
        for name, text in ("a", CARS), ("b", DOGS):
            of.observe(page(name, text, depth=0))
        read(of, *[CARS, DOGS, DOGS] * 8)
        return of.profile.trusts

    assert told() == told()


def test_thousands_of_seeds_are_heard_a_few_times_and_not_one_by_one() -> None:
    of = judge()
    vectors = []
    for n in range(400):
        of.observe(page(f"s{n}", f"{CARS} model{n % 7}", depth=0))
        vectors.append(of.profile.vector)
    assert len({id(vector) for vector in vectors}) < 50  # the first 30 one by one, then as the web grows by a third
    read(of, *[CARS] * 140)
    assert len(of.profile.trusts) == 400
    assert min(of.profile.trusts) > 0.7
