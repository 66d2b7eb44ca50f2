"""What a page is worth by where it leads."""

import numpy as np
import pytest

from fcacrawler.judge.page_links import PageLinks
from fcacrawler.lowlevel.numbers import UNKNOWN
from fcacrawler.orders.semrank.credit import worth
from fcacrawler.orders.semrank.page_table import PageTable, copy_of
from fcacrawler.values.verdicts import Judged
from tests.orders.pages import page


def found(finders: list[int], relevance: list[float]) -> list[float]:
    return worth(np.array(relevance), np.array(finders, np.int32)).tolist()


def test_a_list_on_which_two_relevant_pages_were_found_is_worth_half_and_counts_half_for_the_page_before_it() -> None:
    # l: 0 + 2/2 = 1 for the home page, 1 + 1 = 2 for the list, 0 for the last; worth = 0.75·l / (l + 1)
    expected = [0.75 / 2, 0.75 * 2 / 3, 1.0, 1.0, 0.0]
    assert found([UNKNOWN, 0, 1, 1, 3], [0.0, 0.0, 1.0, 1.0, 0.0]) == pytest.approx(expected)


def test_relevance_that_a_page_has_is_added_to_not_replaced() -> None:
    assert found([UNKNOWN, 0], [0.4, 0.6]) == pytest.approx([0.4 + 0.6 * 0.75 * 0.36 / 1.36, 0.6])


def test_a_page_that_has_come_since_is_worth_its_relevance() -> None:
    linked = PageLinks()
    table = PageTable(linked)
    for n, (relevance, by) in enumerate(((0.5, []), (0.9, ["p0"]))):
        placed = linked.add(seen := page(f"p{n}", parents=by))
        table.add(seen, Judged(relevance, relevance, placed.number, placed.links, placed.parents))
        if n == 0:
            table.refresh(np.array([0.2]))
    assert table.worth.tolist() == [0.2, 0.9]


def test_a_copy_is_worth_a_part_of_its_original_however_many_pages_have_come_since() -> None:
    linked = PageLinks()
    table = PageTable(linked)
    for n, relevance in enumerate((0.8, 0.2, 0.6)):
        found = page(f"p{n}")
        placed = linked.add(found)
        table.add(found, Judged(relevance, relevance, placed.number, placed.links, placed.parents))
        outcomes = table.outcomes(0.5)
        assert outcomes[copy_of(0)] == pytest.approx(0.4)
    assert outcomes.tolist() == pytest.approx([0.8, 0.2, 0.6, 0.3, 0.1, 0.4])
