"""Whether a page tells something, or lists links."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.judge.lists import density, tells
from tests.orders.pages import page


def test_links_a_word_of_twenty_more_words_than_there_are() -> None:
    assert density(page("p", "tea leaf cup pot dog", ["a", "b", "c", "d", "e"])) == 5 / 25
    assert density(page("p", "")) == 0.0


def test_four_times_the_usual_links_are_half_a_list_and_up_to_the_usual_none() -> None:
    assert [tells(d, 0.1) for d in (0.0, 0.1, 0.4, 1.0)] == pytest.approx([1.0, 1.0, 0.5, 0.1])
    assert tells(3.0, 0.0) == tells(3.0, inf) == 1.0  # nothing is usual


@given(st.floats(0, 100), st.floats(0, 100), st.floats(0.001, 100))
def test_the_more_links_the_less_it_tells(a: float, b: float, usual: float) -> None:
    fewer, more = sorted((a, b))
    assert 0 <= tells(more, usual) <= tells(fewer, usual) <= 1
