"""Eq. 3 and 4 by hand, and what must hold of them always."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.ontology.statistics import (
    Counts,
    counts_of,
    evolved_weight,
    learned_weights,
    propagated,
    topic_ratio,
)

PAGES = [
    ({"book", "price"}, True),
    ({"book", "author"}, True),
    ({"book", "price"}, True),
    ({"book", "price"}, False),
    ({"laptop", "price"}, False),
    ({"laptop", "price"}, False),
    ({"price"}, False),
    (set(), False),
    ({"laptop", "price"}, True),
    ({"price"}, False),
]


def test_the_counts_by_hand() -> None:
    counts = counts_of(PAGES)
    assert (counts.pages, counts.on_topic) == (10, 4)
    assert counts.seen == {"book": 4, "price": 8, "author": 1, "laptop": 3}
    assert counts.hits == {"book": 3, "price": 3, "author": 1, "laptop": 1}


@pytest.mark.parametrize(
    ("iri", "lift"),
    [
        ("book", Fraction(3 * 10, 4 * 4)),  # 1.875: speaks for the topic
        ("author", Fraction(1 * 10, 1 * 4)),  # 2.5
        ("price", Fraction(3 * 10, 8 * 4)),  # 0.9375: on every page, says next to nothing
        ("laptop", Fraction(1 * 10, 3 * 4)),  # 0.8333: speaks against it
        ("boat", Fraction(1)),  # not seen
    ],
)
def test_the_ratio_as_lift_and_as_printed_is_the_inverse(iri: str, lift: Fraction) -> None:
    counts = counts_of(PAGES)
    assert topic_ratio(counts, iri) == pytest.approx(float(lift))
    assert topic_ratio(counts, iri, "printed") == pytest.approx(float(1 / lift))


def test_as_printed_a_class_that_is_on_topic_pages_only_loses_weight() -> None:
    """The erratum: Nt·n_o / (Nc·n_to) = 4·4 / (10·4) for a class on all four topic pages and nowhere else."""
    counts = Counts(10, 4, {"book": 4}, {"book": 4})
    assert topic_ratio(counts, "book", "printed") == 0.4
    assert topic_ratio(counts, "book", "lift") == 2.5


def test_smoothing_by_hand() -> None:
    """Seen on 1 page, on topic; share p = 4/10; with k = 3: ((1 + 3·0.4) / (1 + 3)) / 0.4 = 1.375 where it was 2.5."""
    assert topic_ratio(counts_of(PAGES), "author", smoothing=3) == pytest.approx(1.375)


@pytest.mark.parametrize("form", ["lift", "printed"])
def test_where_nothing_can_be_said_nothing_changes(form: str) -> None:
    assert topic_ratio(Counts(), "book", form) == 1.0
    assert topic_ratio(Counts(5, 0, {"book": 3}, {}), "book", form) == 1.0
    assert topic_ratio(Counts(5, 2, {}, {}), "book", form, smoothing=2) == pytest.approx(1.0)
    assert topic_ratio(Counts(5, 2, {"book": 3}, {}), "book", "printed") == 1.0


def test_weights_move_by_the_ratio_and_within_bounds() -> None:
    counts = counts_of(PAGES)
    weights = {"book": 1.0, "author": 0.5, "laptop": 0.25}
    expected = {"book": 1.875, "author": 1.0, "laptop": 0.25 * 0.8}  # 2.5 held at 2; 0.8333 stays
    learned = learned_weights(weights, counts, bound=2)
    assert learned["book"] == pytest.approx(1.875)
    assert learned["author"] == pytest.approx(expected["author"])
    assert learned["laptop"] == pytest.approx(0.25 * 10 / 12)
    assert evolved_weight(0.5, 0.01, bound=2) == 0.25


def test_a_class_takes_a_share_of_the_geometric_mean_of_its_neighbours() -> None:
    """σ of book 4 and of shop 1/4; novel, never seen, lies between them, with a share of ½ at 4^¼ · (1/4)^¼ = 1; tome
    below book alone at 4^½ = 2. book: 4^½ · (1 · 1)^¼ = 2. A neighbour that has no weight says nothing."""
    edges = {"novel": ["book", "shop"], "tome": ["book", "unknown"], "book": ["novel", "tome"], "shop": ["novel"]}
    ratios = {"book": 4.0, "shop": 0.25, "novel": 1.0, "tome": 1.0, "island": 3.0}
    expected = {"book": 2.0, "shop": 0.5, "novel": 1.0, "tome": 2.0, "island": 3.0}
    assert propagated(ratios, edges, 0.5) == pytest.approx(expected)
    assert propagated(ratios, edges, 0.0) == pytest.approx(ratios)


def test_what_is_propagated_stays_within_bounds() -> None:
    """author: 2.5 is held at 2; unseen its neighbour novel takes 2^½ of it."""
    learned = learned_weights({"author": 0.5, "novel": 1.0}, counts_of(PAGES), bound=2, edges=EDGES, share=0.5)
    assert learned == pytest.approx({"author": 0.5 * 2**0.5, "novel": 2**0.5})


EDGES = {"author": ["novel"], "novel": ["author"]}


def test_learning_twice_is_learning_once() -> None:
    counts, weights = counts_of(PAGES), {"book": 1.0, "author": 0.5}
    assert learned_weights(weights, counts) == learned_weights(weights, counts)


def test_counts_of_two_crawls_add_up() -> None:
    assert counts_of(PAGES[:4]) + counts_of(PAGES[4:]) == counts_of(PAGES)


pages = st.lists(st.tuples(st.sets(st.sampled_from("abcd")), st.booleans()), max_size=40)


@given(pages, st.floats(0.1, 20), st.floats(1, 10))
def test_ratios_are_positive_inverse_to_one_another_and_weights_stay_bounded(
    crawled: list[tuple[set[str], bool]], smoothing: float, bound: float
) -> None:
    counts = counts_of(crawled)
    for iri in "abcd":
        lift = topic_ratio(counts, iri, "lift", smoothing)
        assert lift > 0
        assert lift * topic_ratio(counts, iri, "printed", smoothing) == pytest.approx(1)
    for form in ("lift", "printed"):
        for weight in learned_weights({"a": 0.5}, counts, form, smoothing, bound).values():
            assert 0.5 / bound <= weight <= 0.5 * bound


@given(pages, st.floats(0.1, 20))
def test_a_class_that_is_more_often_on_topic_than_pages_are_gains_and_others_lose(
    crawled: list[tuple[set[str], bool]], smoothing: float
) -> None:
    counts = counts_of(crawled)
    for iri, seen in counts.seen.items():
        excess = counts.hits.get(iri, 0) * counts.pages - seen * counts.on_topic
        if counts.on_topic:
            assert (topic_ratio(counts, iri, "lift", smoothing) > 1 + 1e-9) is (excess > 0) or excess == 0
