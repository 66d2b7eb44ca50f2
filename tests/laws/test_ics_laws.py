"""Keyword similarities hold to their definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.semrank.hierarchy import hierarchy
from fcacrawler.semrank.ics import LogSimilarity, information_content_similarity, path_weight
from fcacrawler.semrank.parameters import SemRankOptions
from tests.reference import hierarchy as oracle
from tests.semrank.given import NAMES, omegas, queries

readings = st.builds(
    SemRankOptions,
    ics_isa=st.booleans(),
    ics_path=st.sampled_from(["root", "ancestor"]),
    ics_alpha=st.sampled_from([0.1, 0.2, 0.5]),
    p_top=st.sampled_from(["max", "min"]),
    p_keyword=st.sampled_from(["own", "cumulative"]),
)
WORDS = [*NAMES, "unknown", "never seen"]


@given(omegas(), queries, readings)
def test_ics_is_its_definition_pair_by_pair(omega, query, options) -> None:
    found = hierarchy(omega, query, options)
    expected = [[oracle.ics(found, a, b, options) for b in WORDS] for a in WORDS]
    assert LogSimilarity(found, options).matrix(WORDS, WORDS) == pytest.approx(np.array(expected), abs=1e-12)


@given(omegas(), queries, readings)
def test_ics_lies_between_0_and_1_is_symmetric_and_1_of_a_keyword_with_itself(omega, query, options) -> None:
    ics = LogSimilarity(hierarchy(omega, query, options), options).matrix(WORDS, WORDS)
    assert ((ics >= 0) & (ics <= 1)).all()
    assert (ics == ics.T).all()
    assert (np.diag(ics) == 1).all()


@given(omegas(), queries, readings)
def test_a_part_of_the_matrix_is_the_matrix_of_the_part(omega, query, options) -> None:
    similarity = LogSimilarity(hierarchy(omega, query, options), options)
    whole = similarity.matrix(WORDS, WORDS)
    assert (similarity.matrix(WORDS[2:5], WORDS[1:9:3]) == whole[2:5, 1:9:3]).all()
    assert similarity.matrix([], WORDS).shape == (0, len(WORDS))
    assert similarity.matrix(WORDS, []).shape == (len(WORDS), 0)


probability = st.floats(1e-6, 0.9)


@given(probability, probability, probability, st.integers(1, 20), st.integers(1, 20), st.floats(0.01, 0.5))
def test_ics_falls_with_the_distance_from_the_root(p_shared, p_a, p_b, path_a, path_b, alpha) -> None:
    def at(path):
        weights = path_weight(path, alpha), path_weight(path_b, alpha)
        return information_content_similarity(*-np.log([[p_shared], [p_a], [p_b]]), *weights)[0]

    assert at(path_a + 1) <= at(path_a)
    assert at(path_a + 1) < at(path_a) or at(path_a + 1) == 1.0
