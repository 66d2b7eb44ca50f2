"""Definitions 3 to 5 by hand, and what must hold of them always."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.ontology.lexicon import Lexicon
from fcacrawler.ontology.model import Ontology, OntologyClass, Relation
from fcacrawler.ontology.relevance import class_weights, distances, raw_relevance, squash
from tests.ontology.model import BOOKS, READER, shop


def test_distances_walk_sub_classes_and_relations_both_ways() -> None:
    assert distances(BOOKS, ["Novel"]) == {"Novel": 0, "Fiction": 1, "Book": 2, "Author": 3, "Product": 3, "Laptop": 4}


def test_a_topic_of_two_classes_is_as_far_as_the_nearer_one() -> None:
    assert distances(BOOKS, ["Novel", "Laptop"])["Product"] == 1


def test_weights_are_the_discount_to_the_power_of_the_distance() -> None:
    assert class_weights(BOOKS, ["Book"], 0.5) == {
        "Book": 1.0,
        "Author": 0.5,
        "Fiction": 0.5,
        "Product": 0.5,
        "Laptop": 0.25,
        "Novel": 0.25,
    }


def test_a_class_that_no_edge_leads_to_weighs_nothing() -> None:
    assert "Weather" not in class_weights(BOOKS, ["Book"], 0.5)


def test_a_circle_of_sub_classes_has_distances_too() -> None:
    circle = shop(A_B="a", B_C="b", C_A="c")
    assert distances(circle, ["A"]) == {"A": 0, "B": 1, "C": 1}


def test_edges_to_classes_that_are_not_described_are_left_out() -> None:
    o = Ontology("o", (OntologyClass("A", parents=("Elsewhere",)),), (Relation("r", "A", "Nowhere"),))
    assert distances(o, ["A"]) == {"A": 0}


def test_relevance_of_a_page_by_hand() -> None:
    """book 3 times (weight 1), novel once (1/4), laptop twice (1/4), rain never: 3 + 1/4 + 2/4 = 3.75 in 15 words."""
    text = "book book novel laptop laptops books and then some more words that say nothing rain"
    tokens = READER.tokens(text, "en")
    assert len(tokens) == 15
    frequencies = Lexicon(BOOKS, "en", READER).frequencies(tokens)
    assert frequencies == {"Book": 3, "Novel": 1, "Laptop": 2, "Weather": 1}
    weights = class_weights(BOOKS, ["Book"], 0.5)
    assert raw_relevance(frequencies, weights) == 3.75
    per_word = Fraction(15, 4) / 15
    assert squash(3.75 / 15, 0.25) == pytest.approx(float(per_word / (per_word + Fraction(1, 4))))


def test_raw_relevance_doubles_with_the_text() -> None:
    assert raw_relevance({"Book": 6}, {"Book": 1.0}) == 2 * raw_relevance({"Book": 3}, {"Book": 1.0})


@given(st.floats(0, 1e6), st.floats(0, 1e6), st.floats(0.001, 10))
def test_the_squash_rises_and_stays_below_one(x: float, y: float, half: float) -> None:
    assert squash(min(x, y), half) <= squash(max(x, y), half) <= 1
