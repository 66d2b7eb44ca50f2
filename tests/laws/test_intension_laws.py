"""The best matching of two sets of keywords is the best of all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.semrank.intension import intension_similarity, matched_keywords
from tests.reference import semrank as oracle
from tests.semrank.given import KEYWORDS, similarities

intents = st.lists(st.sampled_from(KEYWORDS), min_size=1, max_size=6, unique=True)


@given(intents, intents, similarities(), st.sampled_from(["smaller", "larger"]))
def test_the_assignment_is_that_of_brute_force(Y1, Y2, ics, divide_by) -> None:
    expected = oracle.sim_int(Y1, Y2, ics, divide_by)
    assert intension_similarity(Y1, Y2, ics, divide_by) == pytest.approx(expected, abs=1e-12)
    matched = matched_keywords(Y1, Y2, ics)
    assert sum(s for _, _, s in matched) == pytest.approx(oracle.assignment(Y1, Y2, ics), abs=1e-12)
    assert len({a for a, _, _ in matched}) == len({b for _, b, _ in matched}) == len(matched)
