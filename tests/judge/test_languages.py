"""Wanted languages: pages in others are not relevant, and links to them rank lower."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.judge.in_languages import InLanguages
from fcacrawler.judge.languages import _SCRIPTS, Wanted, _said_by, called, said_by
from fcacrawler.judge.profile import Profile
from fcacrawler.judge.topic_judge import TopicJudge
from fcacrawler.page import words_in_urls
from fcacrawler.values.links import Link
from fcacrawler.values.marks import Mark
from fcacrawler.values.topics import Topic
from tests.orders.pages import page, vector_of

CARS, DOGS = "car race engine driver wheel", "dog puppy kennel leash"


def judges() -> tuple[TopicJudge, InLanguages]:
    plain, under = (TopicJudge(Profile(Topic("car race"), vector_of, words_in_urls)) for _ in range(2))
    return plain, InLanguages(under, Wanted(["en"]))


def test_a_page_in_another_language_is_not_relevant_and_the_others_are_what_they_were() -> None:
    plain, only = judges()
    german = replace(page("de", CARS), language="de")
    for read in (page("s", CARS, depth=0), *(page(f"p{n}", (CARS, DOGS)[n % 2]) for n in range(8)), german):
        expected, judged = plain.observe(read), only.observe(read)
        assert judged == (expected if read.language != "de" else expected._replace(relevance=0.0, guess=0.0))
    assert plain.relevance(german.url) > 0.5  # type: ignore[operator]
    assert only.relevance(german.url) == 0.0
    np.testing.assert_array_equal(only.relevances(), plain.relevances() * ([1.0] * 9 + [0.0]))
    assert only.parts(german.url) == {**plain.parts(german.url), "language": 0.0}
    names, rows = only.accounts()
    assert names[-1] == "language"
    assert rows[:, -1].tolist() == [1.0] * 9 + [0.0]


def test_what_a_user_marks_good_is_good_in_any_language() -> None:
    _, only = judges()
    german = replace(page("de", CARS), language="de")
    only.observe(page("s", CARS, depth=0))
    only.observe(german)
    only.mark([(Mark(german.url, True), german)])
    assert only.relevance(german.url) == 1.0
    assert only.relevances()[1] == 1.0


def test_a_page_whose_language_cannot_be_told_is_not_held_back() -> None:
    _, only = judges()
    only.observe(page("s", CARS, depth=0))
    assert only.observe(replace(page("x", CARS), language="")).relevance > 0.5


def test_the_chance_of_a_link_is_counted_by_folder_then_host_beside_what_url_and_anchor_say() -> None:
    wanted = Wanted(["de"])
    assert wanted.chance("http://e.org/a/1", []) == 1.0  # (0 + 1) / (0 + 1)
    assert wanted.chance("http://e.org/a/1", ["English"]) == pytest.approx(1 / 5)
    assert wanted.chance("http://e.org/de/1", ["English"]) == pytest.approx((4 + 1) / (8 + 1))
    for n, language in enumerate(("en", "en", "en", "de")):
        wanted.learn(replace(page("x", ""), url=f"http://e.org/a/{n}", language=language))
    assert wanted.chance("http://e.org/a/9", []) == pytest.approx((1 + 1) / (4 + 1))
    assert wanted.chance("http://e.org/b/9", []) == pytest.approx((1 + 1) / (4 + 1))  # the host, the folder being new
    wanted.learn(replace(page("x", ""), url="http://e.org/b/1", language="de"))
    wanted.learn(replace(page("x", ""), url="http://e.org/b/2", language="de"))
    assert wanted.chance("http://e.org/b/9", []) == 1.0
    assert wanted.chance("http://other.org/b/9", []) == 1.0


def test_what_a_page_says_of_the_language_of_its_links_counts_as_a_code_in_their_urls_does() -> None:
    wanted = Wanted(["de"])
    links = (Link("http://e.org/1", "", "", 0, language="de"), Link("http://e.org/2", "", "", 1, language="fr"))
    wanted.learn(replace(page("x", ""), links=links, language=""))
    assert wanted.chance("http://e.org/1", ["English"]) == pytest.approx((4 + 1) / (8 + 1))
    assert wanted.chance("http://e.org/2", []) == pytest.approx(1 / 5)


def test_a_faculty_of_computer_science_is_not_czech_once_a_page_of_one_has_come() -> None:
    wanted = Wanted(["en"])
    assert wanted.chance("http://cs.a.edu/x", []) == pytest.approx(1 / 5)
    wanted.learn(replace(page("x", ""), url="http://cs.a.edu/1"))  # in English
    assert wanted.chance("http://cs.a.edu/x", []) == wanted.chance("http://b.edu/cs/x", []) == 1.0
    assert wanted.chance("http://b.edu/de/x", []) == pytest.approx(1 / 5)
    for n in range(2):
        wanted.learn(replace(page("x", ""), url=f"http://b.edu/cs/{n}", language="cs"))
    assert wanted.chance("http://cs.c.edu/", []) == pytest.approx(1 / 5)  # one in English, two in Czech


PIECES = st.sampled_from(
    "de DE fr-CA it xx www e org index html htm lang hl a 7 . / ? & = # - _ @ : ; //".split(),
)


@given(st.lists(PIECES, max_size=14))
def test_urls_without_anything_that_names_a_language_are_told_at_once_as_they_would_be(pieces: list[str]) -> None:
    url = "http://" + "".join(pieces)
    try:
        slow = _said_by(url.lower())
    except ValueError:  # no URL
        return
    assert said_by(url) == slow


@given(st.text())
def test_an_anchor_of_ascii_names_a_language_or_has_none_of_the_scripts(anchor: str) -> None:
    if anchor.isascii():
        assert not any(script.search(anchor) for _, script in _SCRIPTS)
        assert called(anchor) in ("", *("da", "de", "en", "fi", "hu", "id", "it", "nb", "nl", "pl", "sv"))
