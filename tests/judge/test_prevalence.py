"""How many pages may be relevant at all: what users are told, beside what orders learn from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fcacrawler.judge.prevalence import MOST, excess, lowered
from fcacrawler.judge.profile import Profile
from fcacrawler.judge.topic_judge import TopicJudge
from fcacrawler.values.marks import Mark
from fcacrawler.values.topics import Topic
from tests.orders.pages import page, url, url_words, vector_of

CHANCES = arrays(np.float64, st.integers(1, 30), elements=st.floats(0, 1))


@given(CHANCES, st.floats(0, 30))
def test_so_much_comes_off_that_no_more_are_left_and_the_best_stays_the_best(chances: np.ndarray, most: float) -> None:
    by = excess(chances, most)
    left = lowered(chances, by)
    assert 0 <= by <= MOST
    assert left.sum() <= max(most, lowered(chances, MOST).sum()) + 1e-9
    assert by == 0 or left.sum() == pytest.approx(max(most, lowered(chances, MOST).sum()), abs=1e-6)
    assert (np.diff(left[np.argsort(chances)]) >= 0).all()
    assert (left[chances == 1] == 1).all()
    assert (left[chances == 0] == 0).all()


def judge(words: str) -> TopicJudge:
    """Of a web of which one page in four is about lava, and one of eight of these says *volcano*; a portal is the
    seed."""
    of = TopicJudge(Profile(Topic(words), vector_of, url_words))
    of.observe(replace(page("s", "portal news"), url="http://portal.test/", depth=0))
    for n in range(160):
        about = "volcano " * (n % 32 == 0) + "lava crater ash magma eruption" if n % 4 == 0 else "garden tree rose"
        of.observe(page(f"p{n}", about + "".join(f" w{n}x{k}" for k in range(10))))
    return of


def test_three_pages_for_each_that_says_the_words_are_relevant_where_nothing_else_says_what_is_sought() -> None:
    of = judge("volcano")
    assert 16 / 56 / 16**0.5 > 0.05  # d·cos of each of the five pages of 16 words that say the word
    guessed = of.guesses().sum()
    most = 15 + guessed / (1 + (161 / 20) ** 2)
    assert of.relevances().sum() == pytest.approx(most, abs=0.6)  # but for what came since all were judged
    assert guessed > 20
    odds, told = (np.log(p / (1 - p)) for p in (of.guesses(), of.relevances()))
    assert odds - told == pytest.approx(of.parts(url("p1"))["doubt"])


def test_orders_learn_from_what_is_guessed_and_what_a_user_marks_is_not_doubted() -> None:
    of = judge("quantum")
    last = of.observe(page("last", "lava magma crater ash"))
    assert last.relevance < 0.01
    assert last.guess == of.guesses()[-1]
    of.mark([(Mark(url("p1"), True), None)])
    assert of.relevance(url("p1")) == of.relevances()[2] == of.guesses()[2] == 1.0  # after the portal and p0


def test_where_a_topic_has_no_words_nothing_is_held_against_what_its_examples_say() -> None:
    of = TopicJudge(Profile(Topic("", texts=("lava magma crater",)), vector_of, url_words))
    for n in range(30):
        of.observe(page(f"p{n}", "lava magma crater" if n % 2 else "garden flower tree", depth=int(n > 0)))
    np.testing.assert_allclose(of.relevances(), of.guesses())
