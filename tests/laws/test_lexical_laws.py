"""Similarities by a taxonomy and by vectors hold to their definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.semrank.keyword_similarity import Exact, Vectors
from fcacrawler.semrank.lexical import LexicalSimilarity, Taxonomy
from tests.reference import lexical as oracle

WORDS = ["ant", "bee", "cat", "dog", "elk", "unknown"]


@st.composite
def taxonomies(draw):
    """A few classes, each below some that come before it; words with several senses; several roots."""
    classes = [f"c{i}" for i in range(draw(st.integers(1, 8)))]
    parents = {
        c: draw(st.lists(st.sampled_from(classes[:i]), max_size=2, unique=True)) if i else []
        for i, c in enumerate(classes)
    }
    senses = {w: draw(st.lists(st.sampled_from(classes), max_size=3, unique=True)) for w in WORDS[:-1]}
    return Taxonomy(parents, senses, draw(st.dictionaries(st.sampled_from(classes), st.integers(0, 9))))


@given(taxonomies(), st.sampled_from(["lin", "resnik"]))
def test_lexical_similarity_is_its_definition(taxonomy, measure) -> None:
    expected = [[oracle.similarity(taxonomy, a, b, measure) for b in WORDS] for a in WORDS]
    assert LexicalSimilarity(taxonomy, measure).matrix(WORDS, WORDS) == pytest.approx(np.array(expected), abs=1e-12)


vectors = st.dictionaries(st.sampled_from(WORDS), st.lists(st.floats(-3, 3), min_size=3, max_size=3))


@given(st.one_of(taxonomies().map(LexicalSimilarity), vectors.map(Vectors), st.just(Exact())))
def test_similarities_lie_between_0_and_1_are_symmetric_and_1_of_a_word_with_itself(similarity) -> None:
    found = similarity.matrix(WORDS, WORDS)
    assert ((found >= 0) & (found <= 1)).all()
    assert found == pytest.approx(found.T, abs=1e-12)
    assert (np.diag(found) == 1).all()
    assert similarity.matrix([], WORDS).shape == (0, len(WORDS))
    assert similarity.matrix(WORDS, []).shape == (len(WORDS), 0)
