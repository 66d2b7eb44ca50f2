"""The simulated user: how many pages are marked, when, and which."""

from __future__ import annotations

import pytest

from fcacrawler.commands.compare import counts
from fcacrawler.evaluation.user import User
from fcacrawler.values.errors import BadOptions
from tests.crawl.test_crawl import ByTable

PAGES = [("a", True), ("b", False), ("c", True), ("d", False), ("e", False)]
JUDGE = ByTable({"a": 0.9, "b": 0.5, "c": 0.4, "d": 0.1, "e": 0.2})


def said(marking: str, marks: int = 3) -> list[tuple[int, str, bool | None]]:
    user = User(JUDGE, marks, marking, 0.45, 6, "name")  # type: ignore[arg-type]
    return [(n, mark.url, mark.good) for n in range(1, 7) for mark in user.look(n, PAGES[:n])]


def test_marks_are_spread_over_the_budget_by_what_is_thought_then() -> None:
    assert said("top") == [(1, "a", True), (3, "b", False), (5, "c", True)]
    assert said("uncertain") == [(1, "a", True), (3, "b", False), (5, "c", True)]
    assert said("uncertain", 2) == [(2, "b", False), (4, "c", True)]


def test_at_random_every_page_is_marked_once_and_always_the_same() -> None:
    assert said("random") == said("random")
    assert sorted(url for _, url, _ in said("random", 6)) == ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize("text", ["", "five", "5,5", "-1"])
def test_numbers_of_marks_that_make_no_sense_are_refused(text: str) -> None:
    with pytest.raises(BadOptions, match="--marks"):
        counts("--marks", text)
