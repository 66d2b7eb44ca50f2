"""What a page is worth by where it leads."""

import numpy as np
import pytest

from fcacrawler.lowlevel.numbers import UNKNOWN
from fcacrawler.orders.semrank.credit import Credit


def test_a_list_on_which_two_relevant_pages_were_found_is_worth_half_and_counts_half_for_the_page_before_it() -> None:
    leads = Credit()
    for finder, relevance in ((UNKNOWN, 0.0), (0, 0.0), (1, 1.0), (1, 1.0), (3, 0.0)):
        leads.add(finder, relevance)
    assert leads.worth.tolist() == [0.0, 0.0, 1.0, 1.0, 0.0]  # until it is looked at
    leads.refresh(leads.worth.copy())
    # l: 0 + 2/2 = 1 for the home page, 1 + 1 = 2 for the list, 0 for the last; worth = 0.75·l / (l + 1)
    assert leads.worth == pytest.approx([0.75 / 2, 0.75 * 2 / 3, 1.0, 1.0, 0.0])


def test_relevance_that_a_page_has_is_added_to_not_replaced() -> None:
    leads = Credit()
    for finder, relevance in ((UNKNOWN, 0.4), (0, 0.6)):
        leads.add(finder, relevance)
    leads.refresh(np.array([0.4, 0.6]))
    assert leads.worth == pytest.approx([0.4 + 0.6 * 0.75 * 0.36 / 1.36, 0.6])


def test_a_page_that_has_come_since_is_worth_its_relevance() -> None:
    leads = Credit()
    leads.add(UNKNOWN, 0.5)
    leads.refresh(np.array([0.2]))
    leads.add(0, 0.9)
    assert leads.worth.tolist() == [0.2, 0.9]
