"""Measures against fractions worked by hand, and what they answer where there is nothing to measure."""

from fractions import Fraction

import pytest

from fcacrawler.evaluation.measures import (
    area,
    best_f,
    f_measure,
    fetches_to,
    found_at,
    harvest,
    points,
    recall,
    seconds_to,
    summary,
)
from fcacrawler.evaluation.trace import Trace


def trace(hits: str, relevant: int, budget: int | None = None, cpu: tuple[float, ...] = ()) -> Trace:
    """ "x" is a relevant page, "." another one."""
    return Trace(tuple(map(str, range(len(hits)))), tuple(c == "x" for c in hits), relevant, budget or len(hits), cpu)


WORKED = trace("x.xx..x.....", 3 + 1)  # R = 4, budget 12


def test_harvest_precision_and_recall() -> None:
    assert [harvest(WORKED, n) for n in (1, 2, 3, 4, 8)] == [
        1,
        Fraction(1, 2),
        pytest.approx(2 / 3),
        Fraction(3, 4),
        Fraction(4, 8),
    ]
    assert [recall(WORKED, n) for n in (1, 2, 4, 7, 12)] == [Fraction(1, 4), Fraction(1, 4), Fraction(3, 4), 1, 1]


def test_f_by_hand() -> None:
    assert f_measure(0.75, 0.75) == 0.75
    assert f_measure(1.0, 0.25) == pytest.approx(Fraction(2, 5))
    assert best_f(WORKED) == pytest.approx(
        Fraction(3, 4)
    )  # after 4 fetches P = R = 3/4; after 7, 2·(4/7)/(4/7 + 1) = 8/11


def test_area_by_hand() -> None:
    # found: 1 1 2 3 3 3 4 4 4 4 4 4 = 37; perfect: 1 2 3 4 and eight times 4 = 42
    assert area(WORKED) == pytest.approx(Fraction(37, 42))


def test_area_is_one_for_perfect_order_and_nothing_for_none_found() -> None:
    assert area(trace("xxx.........", 3)) == 1
    assert area(trace("............", 3)) == 0


def test_area_ends_at_four_r_however_long_the_crawl() -> None:
    # R = 1, four fetches count: found 0 1 1 1 of 1 1 1 1
    assert area(trace(".x........", 1)) == Fraction(3, 4)


def test_a_crawl_that_came_to_an_end_keeps_what_it_found() -> None:
    ended = trace("x", 2, budget=8)
    assert area(ended) == pytest.approx(Fraction(8, 1 + 7 * 2))
    assert recall(ended, 8) == Fraction(1, 2)
    assert harvest(ended, 8) == 1  # of the one page that was downloaded
    assert found_at(ended, 8) == 1


def test_with_a_budget_below_r_what_lies_beyond_it_is_not_known() -> None:
    short = trace("x.x", 4)
    assert (harvest(short, 4), recall(short, 4)) == (None, None)
    assert area(short) == pytest.approx(Fraction(1 + 1 + 2, 1 + 2 + 3))
    values = summary(short)
    assert values["harvest_at_r"] is None
    assert values["recall_at_4r"] is None
    assert values["best_f"] == pytest.approx(Fraction(4, 7))


def test_without_a_relevant_page_in_reach_nothing_is_known() -> None:
    nothing = trace("....", 0)
    assert (recall(nothing, 2), area(nothing), best_f(nothing), fetches_to(nothing, 0.5)) == (None,) * 4
    assert harvest(nothing, 2) == 0
    assert summary(nothing)["harvest_at_r"] is None


def test_a_crawl_that_fetched_nothing_found_nothing() -> None:
    empty = trace("", 2, budget=8)
    assert (harvest(empty, 2), recall(empty, 2), area(empty), best_f(empty)) == (0, 0, 0, 0)
    assert points(empty, 10) == []


def test_time_at_equal_recall_is_own_cpu_and_the_network() -> None:
    crawl = trace("x.x.", 2, cpu=(0.1, 0.2, 0.3, 0.4))
    assert fetches_to(crawl, 0.5) == 1
    assert fetches_to(crawl, 0.51) == 3
    assert seconds_to(crawl, 1.0) == pytest.approx(0.3 + 3 * Fraction(1, 80))
    assert seconds_to(trace("..", 1), 0.1) is None


def test_recall_of_a_tenth_of_ten_pages_is_reached_by_one_page() -> None:
    assert fetches_to(trace("x", 10), 0.1) == 1  # 0.1·10 is a hair above 1 in binary


def test_the_summary_names_what_results_json_promises() -> None:
    names = (
        "R fetched relevant harvest_at_r harvest_at_2r harvest_at_4r recall_at_r recall_at_2r recall_at_4r auc best_f"
    )
    assert set(names.split()) <= set(summary(WORKED))


def test_points_end_at_the_last_fetch() -> None:
    assert points(WORKED, 3) == [(4, 3), (8, 4), (12, 4)]
    assert points(trace("x.", 1), 100) == [(1, 1), (2, 1)]
