"""What pages' views are worth is learned from other pages: a page does not confirm itself, a place does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fcacrawler.judge.learned import Learned
from fcacrawler.judge.profile import Profile
from fcacrawler.judge.topic_judge import TopicJudge
from fcacrawler.judge.views import ROOM, row, shape
from fcacrawler.page.text.short_texts import weighted
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.topics import Topic
from tests.orders.pages import page, url_words, vector_of


def course(n: int, text: str = "course exam") -> SeenPage:
    return replace(page("x", text), url=f"http://school.test/courses/cs{n}.html", title=f"CS {n}")


def person(n: int, text: str = "person hobby") -> SeenPage:
    return replace(page("x", text), url=f"http://school.test/people/ann{n}/", title=f"Ann {n}")


def add(learned: Learned, page: SeenPage) -> None:
    learned.add(page, weighted(page.terms))


def taught(courses: int = 20) -> Learned:
    """Relevance was .9 for courses and .1 for people, whose texts say nothing."""
    learned = Learned()
    for n in range(courses):
        add(learned, course(n, f"word{n}"))
        add(learned, person(n, f"name{n}"))
    learned.learn(np.array([0.9, 0.1] * courses))
    return learned


def test_where_a_page_stands_speaks_for_it() -> None:
    learned = taught()
    add(learned, course(99, "unheard"))
    add(learned, person(99, "unheard"))
    of = learned.odds(learned.answers(slice(-2, None)))
    assert of[0] > 1 > -1 > of[1]


def test_a_page_is_judged_by_the_other_half_and_never_by_itself() -> None:
    learned = Learned()
    for n in range(40):
        add(learned, page(f"p{n}", f"word{n}"))
    outlier = np.full(40, 0.1)
    outlier[7] = 0.9
    learned.learn(outlier)
    odds = learned.odds(learned.answers(slice(None)))
    assert odds[7] <= np.median(odds) + 1.0


def test_nothing_is_learned_from_few_pages() -> None:
    learned = Learned()
    for n in range(10):
        add(learned, course(n))
        learned.mark(n, True, None)
    assert not learned.due()
    assert learned.pages == 0
    assert learned.odds(learned.answers(slice(None))).tolist() == [0.0] * 10


def test_what_each_view_says_is_told_and_adds_up() -> None:
    learned = taught()
    add(learned, replace(course(99, "unheard"), title=""))
    said = learned.shares(slice(None))
    assert said.sum(1) == pytest.approx(learned.odds(learned.answers(slice(None))))
    text, title, url, anchor, counts, _ = said[-1]
    assert (text, title, anchor) == (0.0, 0.0, 0.0)  # none of it was ever seen: it is told by where it stands
    assert url > 0.5 > abs(counts)
    courses, people = said[0:40:2], said[1:40:2]
    assert (courses[:, 1] > people[:, 1]).all()  # titles
    assert (courses[:, 2] > people[:, 2]).all()


def test_a_page_that_has_come_again_is_what_it_is_now() -> None:
    learned = taught()
    learned.again(0, person(0))
    odds = learned.odds(learned.answers(slice(None)))
    assert odds[0] < 0 < odds[2]


def test_views_are_rows_of_norm_one_times_their_weight() -> None:
    ids, values = row(course(1), weighted(course(1).terms))
    assert 0 <= ids.min() <= ids.max() < ROOM
    assert float(values @ values) == pytest.approx(1 + 0.5 + 0.5 + 0.2)  # no anchors
    assert shape("Ch06S03.html") == "Aa9A9.a"


def test_the_judge_says_the_same_of_the_same_pages() -> None:
    def told() -> list[float]:
        of = TopicJudge(Profile(Topic("course exam"), vector_of, url_words))
        of.observe(replace(course(0), depth=0))
        for n in range(1, 30):
            of.observe(course(n))
            of.observe(person(n))
        return of.relevances().tolist()

    first = told()
    assert first == told()
    assert np.mean(first[1::2]) > 0.5 > np.mean(first[2::2])
