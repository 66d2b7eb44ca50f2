"""What a user says of a page is what is thought of it, and other pages are judged by it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from fcacrawler.judge.correction import correction
from fcacrawler.judge.learned import KEPT, MARKED, TAUGHT, Learned, Marked, joined
from fcacrawler.judge.parts import PARTS
from fcacrawler.judge.profile import Profile
from fcacrawler.judge.topic_judge import CENTRE, SUREST, WIDTH, TopicJudge
from fcacrawler.judge.views import ROOM, row
from fcacrawler.lowlevel.recent_rows import RecentRows, dots
from fcacrawler.page.text.short_texts import weighted
from fcacrawler.values.marks import Mark
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.topics import Topic
from tests.judge.test_learned import add, course, person
from tests.orders.pages import page, url_words, vector_of

SEED = replace(page("seed", "school exam hobby", depth=0), title="School")


def judge(pages: int = 30) -> TopicJudge:
    """Of courses and people, whose texts say nothing."""
    made = TopicJudge(Profile(Topic("school"), vector_of, url_words))
    made.observe(SEED)
    for n in range(pages):
        made.observe(course(n, f"word{n} school"))
        made.observe(person(n, f"name{n} school"))
    return made


def say(of: TopicJudge, good: bool | None, *pages: SeenPage) -> None:
    of.mark([(Mark(p.url, good), None) for p in pages])


def test_a_marked_page_is_what_was_said_until_that_is_taken_back() -> None:
    of = judge()
    before = of.relevance(course(3).url)
    assert before is not None
    for good in (True, False):
        say(of, good, course(3))
        assert of.relevance(course(3).url) == float(good)
        assert of.parts(course(3).url)["mark"] == float(good)
        of.observe(course(3, "word3 school"))
        assert of.relevance(course(3).url) == float(good)
    say(of, None, course(3))
    assert of.relevance(course(3).url) == pytest.approx(before, abs=0.2)
    assert of.parts(course(3).url).keys() <= PARTS.keys() - {"mark"}


def test_pages_that_are_like_marked_ones_are_judged_by_them() -> None:
    of = judge()
    kinds = [np.array([of.relevance(kind(n).url) for n in range(10, 30)]) for kind in (course, person)]
    assert abs(kinds[0].mean() - kinds[1].mean()) < 0.1
    say(of, True, *(course(n) for n in range(5)))
    say(of, False, *(person(n) for n in range(5)))
    courses, people = ([of.relevance(kind(n).url) or 0 for n in range(10, 30)] for kind in (course, person))
    assert min(courses) > max(people) + 0.1


def test_what_is_said_before_a_page_comes_counts_when_it_does() -> None:
    early, late = judge(), judge()
    say(early, False, course(99))
    assert early.relevance(course(99).url) is None
    for of in (early, late):
        of.observe(course(99))
    assert early.relevance(course(99).url) == 0
    say(late, False, course(99))
    for of in (early, late):
        for n in range(40, 80):
            of.observe(course(n))
    assert early.relevances() == pytest.approx(late.relevances(), abs=0.05)


def test_the_order_is_told_with_the_next_new_page() -> None:
    of = judge()
    say(of, True, course(1))
    assert not of.observe(course(1)).revised  # again: the order learns nothing from it
    assert of.observe(course(50)).revised
    assert not of.observe(course(51)).revised
    say(of, True, course(60))  # which is not known: nothing else is judged by it
    assert not of.observe(course(61)).revised


def test_a_seed_that_is_marked_bad_says_nothing_of_the_topic_and_one_marked_good_all() -> None:
    of = judge()
    for good in (False, True):
        say(of, good, SEED)
        assert of.profile.trusts == (float(good),)


def test_a_page_of_long_ago_teaches_if_it_is_at_hand() -> None:
    def odds(said: SeenPage | None) -> list[float]:
        learned = Learned()
        for n in range(KEPT + KEPT // 4 + 2):
            add(learned, course(n, f"word{n}") if n % 2 else person(n, f"name{n}"))
        learned.mark(0, True, said)
        learned.learn(np.full(KEPT + KEPT // 4 + 2, 0.5))
        return learned.odds(learned.answers(slice(-2, None))).tolist()

    assert odds(None)[0] == pytest.approx(odds(None)[1], abs=1e-6)
    like, other = odds(person(0))
    assert like > other


def test_rows_of_marked_pages_stand_behind_the_others() -> None:
    rows, pages = RecentRows(10), [course(n) for n in range(4)]
    for p in pages[:2]:
        rows.add(*row(p, weighted(p.terms)))
    both = joined(rows.rows, [Marked(*row(p, weighted(p.terms)), 1.0, 0.0) for p in pages[2:]])
    worth = np.random.default_rng(1).normal(size=ROOM)
    slowly = [float(worth[ids] @ values) for ids, values in (row(p, weighted(p.terms)) for p in pages)]
    assert dots(both, worth) == pytest.approx(slowly)
    assert joined(rows.rows, []) == rows.rows
    assert MARKED > 1


def test_marks_cost_few_lessons_however_many_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    of, lessons = judge(), []
    plain = Learned.learn
    monkeypatch.setattr(Learned, "learn", lambda self, thought: (lessons.append(len(thought)), plain(self, thought)))
    for n in range(30):
        say(of, n % 2 == 0, course(n))
        assert of.relevance(course(n).url) == float(n % 2 == 0)
    assert lessons == [61] * 22  # two each, after 1 mark, 2, 3, 4, 6, 8, 11, 14, 18, 23, 29
    for n in range(12):
        of.observe(person(50 + n))
    assert lessons[22:] == [73, 73]  # when all are judged anew, and there are 10 % more


def test_only_the_latest_marks_teach() -> None:
    learned = Learned()
    for n in range(TAUGHT + 2):
        add(learned, course(n))
        learned.mark(n, True, None)
    learned.mark(2, False, None)  # said anew
    at, said, _ = learned.marked()
    assert at == [*range(3, TAUGHT + 2), 2]
    assert said.tolist() == [1.0] * (TAUGHT - 1) + [0.0]


def test_the_same_pages_and_marks_give_the_same_judgement() -> None:
    def told() -> list[float]:
        of = judge(12)
        say(of, True, course(2), course(5))
        say(of, False, person(2))
        for n in range(40, 60):
            of.observe(course(n))
        return of.relevances().tolist()

    assert told() == told()


def test_the_account_of_an_unmarked_page_adds_up_to_its_number() -> None:
    of = judge()
    say(of, True, *(course(n) for n in range(3)))
    say(of, False, person(7))
    for p in (course(20), person(21), SEED):
        parts = of.parts(p.url)
        own = (parts["text"] + parts["company"]) / parts["reach"]
        base = min(SUREST, max(-SUREST, (own - CENTRE) / WIDTH))
        odds = base + parts["taught"] * (parts["learned"] - base) + parts["said"] - parts["doubt"]
        assert of.relevance(p.url) == pytest.approx(1 / (1 + math.exp(-odds)) / parts["part"], abs=1e-6)


def test_marks_that_say_what_was_thought_change_little_and_those_that_do_not_change_much() -> None:
    x = np.column_stack([np.linspace(-2, 2, 50), np.zeros(50), np.ones(50)])
    odds, free = 4 * x[:, 0], np.full(3, -np.inf)
    right, wrong = (odds[:10] > 0).astype(float), (odds[:10] <= 0).astype(float)
    assert np.abs(correction(x, odds, right, free)[0]).max() < 0.1
    t, parts = correction(x, odds, wrong, free)
    chances, left = 1 / (1 + np.exp(-(odds + x @ t))), 1 / (1 + np.exp(-odds))  # of 40 pages that weigh 25 together
    price = ((left - chances)[10:, None] * x[10:]).sum(0) * 25 / 40 / [0.3, 1.0, 0.3]
    assert parts.sum(0) + price == pytest.approx(t, abs=1e-6)
    assert (odds + x @ t)[:10].mean() > odds[:10].mean() + 2
    held, _ = correction(-x, odds, wrong, np.array([0.0, 0.0, -np.inf]))
    assert held[0] >= 0


def test_the_marks_that_move_a_page_are_named() -> None:
    of = judge()
    say(of, True, *(course(n) for n in range(3)))
    say(of, False, person(7))
    number = of.linked.number
    moved = of.moved(number.get(course(20).url))
    assert set(moved) == {number.get(p.url) for p in (*(course(n) for n in range(3)), person(7))}
    assert min(moved[number.get(course(n).url)] for n in range(3)) > 0
