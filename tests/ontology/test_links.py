"""Eq. 5 to 9 by hand, and what must hold of them always."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.ontology.links import crawl_priority, link_priority, page_rank, positive_relevance, reinforcement


def test_page_rank_of_a_chain_by_hand() -> None:
    """D = 0.85, a votes for b and c: b = c = 0.15 + 0.85·0.15/2 = 0.21375; b votes for d: 0.15 + 0.85·0.21375."""
    ranks = page_rank({"a": ["b", "c"], "b": ["d"]}, {"a", "b"})
    assert ranks == pytest.approx({"a": 0.15, "b": 0.21375, "c": 0.21375, "d": 0.3316875})


def test_only_topic_pages_vote() -> None:
    assert page_rank({"a": ["b"], "c": ["b"]}, {"a"}) == pytest.approx({"a": 0.15, "b": 0.2775, "c": 0.15})
    assert page_rank({"a": ["b"]}, set()) == pytest.approx({"a": 0.15, "b": 0.15})
    assert page_rank({}, set()) == {}


graphs = st.dictionaries(st.sampled_from("abcdef"), st.lists(st.sampled_from("abcdef"), unique=True, max_size=5))


@given(graphs, st.sets(st.sampled_from("abcdef")), st.floats(0.05, 0.95))
def test_page_rank_solves_its_equation(links: dict[str, list[str]], voters: set[str], damping: float) -> None:
    ranks = page_rank(links, voters, damping, rounds=2000, enough=1e-12)
    for page, rank in ranks.items():
        votes = sum(ranks[t] / len(out) for t, out in links.items() if t in voters and page in out)
        assert rank == pytest.approx(1 - damping + damping * votes, abs=1e-6)


def test_positive_relevance_by_hand() -> None:
    """tf (2, 1, 2), ω (1, 2, 0): (2·1 + 1·2) / √(9·5) = 4/√45."""
    assert positive_relevance({"a": 2, "b": 1, "c": 2}, {"a": 1.0, "b": 2.0}) == pytest.approx(4 / 45**0.5)
    assert positive_relevance({}, {"a": 1.0}) == 0.0
    assert positive_relevance({"a": 1}, {}) == 0.0


vectors = st.dictionaries(st.sampled_from("abcd"), st.floats(0, 100))


@given(vectors, vectors)
def test_positive_relevance_is_a_cosine(one: dict[str, float], other: dict[str, float]) -> None:
    assert 0 <= positive_relevance(one, other) <= 1
    assert positive_relevance(one, other) == pytest.approx(positive_relevance(other, one))


def test_reinforcement_by_hand() -> None:
    assert reinforcement(2, 4) == pytest.approx(float(Fraction(25, 45)))
    assert reinforcement(0, 4) == pytest.approx(float(Fraction(5, 45)))
    assert reinforcement(0, 0) == 1.0
    assert reinforcement(4, 4) == 1.0


def test_link_priority_by_hand() -> None:
    """Three parents, one under the threshold: 0.3 + (1·0.4 + 0.5·0.6) / 2 = 0.65."""
    assert link_priority(0.3, [(1.0, 0.4), (0.5, 0.6), (1.0, 0.05)], threshold=0.1) == pytest.approx(0.65)
    assert link_priority(0.3, [(1.0, 0.05)], threshold=0.1) == 0.3
    assert link_priority(0.3, []) == 0.3


def test_crawl_priority_by_hand() -> None:
    assert crawl_priority(0.8, 0.2, 0.25, 0.75) == pytest.approx(0.35)


def test_crawl_priority_as_the_product_of_the_text_by_hand() -> None:
    """.25^½ · .64^½ = .5 · .8; a part of 0 leaves nothing."""
    assert crawl_priority(0.25, 0.64, product=True) == pytest.approx(0.4)
    assert crawl_priority(0.16, 0.81, 1.0, 0.0, product=True) == pytest.approx(0.16)
    assert crawl_priority(1.0, 0.0, product=True) == 0.0


unit = st.floats(0, 1)


@given(unit, st.lists(st.tuples(unit, unit)), unit, unit)
def test_half_the_link_priority_and_the_crawl_priority_stay_in_the_unit(
    context: float, parents: list[tuple[float, float]], content: float, r1: float
) -> None:
    link = link_priority(context, parents) / 2
    assert 0 <= link <= 1
    for product in (False, True):
        assert 0 <= crawl_priority(content, link, r1, 1 - r1, product) <= 1 + 1e-12
