"""Neighbours are those that the concepts package finds in the whole lattice."""

from __future__ import annotations

from concepts import Context
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.semrank.neighbours import view

TABLES = st.lists(st.frozensets(st.sampled_from("abcde")), min_size=1, max_size=7)


@given(TABLES, st.frozensets(st.sampled_from("abcde"), max_size=3))
def test_they_are_those_of_the_whole_lattice(pages: list[frozenset[str]], keywords: frozenset[str]) -> None:
    context = Context(
        [str(n) for n in range(len(pages))], list("abcde"), [[k in page for k in "abcde"] for page in pages]
    )
    known = frozenset("".join(sorted(set().union(*pages))))
    concept = context.lattice(sorted(keywords))
    found = view([sorted(page) for page in pages], sorted(keywords))
    extent = {str(n) for n in found.here.extent}
    assert extent == set(concept.extent)
    if concept.extent:
        assert set(found.here.intent) == set(concept.intent)
    above = {frozenset(other.extent) for other in concept.upper_neighbors}
    below = {frozenset(other.extent) for other in concept.lower_neighbors if other.extent}
    assert {frozenset(map(str, place.extent)) for place in found.below} == below
    if keywords <= known:
        assert {frozenset(map(str, place.extent)) for place in found.above} == above


def test_of_no_page_there_is_one_concept() -> None:
    assert view([], ["a"]).above == view([], []).below == ()


def test_small_ones_below_are_left_out() -> None:
    found = view([["a"], ["a"], ["b"]], [], support=2)
    assert [place.intent for place in found.below] == [("a",)]
