"""Contexts, concepts and lattices: Wille's laws, and our enumerations against the package's own lattice."""

from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.semrank.context import formal_context, table
from fcacrawler.semrank.kernels.concepts import enumerate_concepts
from fcacrawler.semrank.masks import bits, own_concepts
from tests.reference import semrank as oracle
from tests.reference.close_by_one import close_by_one
from tests.semrank.given import contexts, masks, named

tables = contexts().map(table)


@given(tables)
def test_each_part_of_a_concept_derives_the_other(t) -> None:
    """X↑ is all that the URLs share, Y↓ all URLs that have it: so extents and intents are closed."""
    for x, y in masks(enumerate_concepts(t, limit=1000)):
        assert all(bool(y >> a & 1) == all(a in t.rows[u] for u in bits(x)) for a in range(len(t.keywords)))
        assert all(bool(x >> u & 1) == set(bits(y)).issubset(t.rows[u]) for u in range(len(t.urls)))


@given(contexts())
def test_both_enumerations_find_every_concept_once(given_context) -> None:
    t = table(given_context)
    expected = oracle.concepts(given_context)
    pure = close_by_one(t.rows, len(t.keywords))
    assert len(pure) == len(expected)
    assert named(t, pure) == expected
    compiled = enumerate_concepts(t, limit=1000)
    assert len(compiled) == len(expected)
    assert named(t, masks(compiled)) == expected


@given(contexts().filter(lambda c: any(c.values())))
def test_they_are_those_of_the_concepts_package(given_context) -> None:
    t = table(given_context)
    lattice = formal_context(t).lattice
    assert named(t, close_by_one(t.rows, len(t.keywords))) == {
        (frozenset(c.extent), frozenset(c.intent)) for c in lattice
    }


@given(contexts())
def test_greater_extents_have_smaller_intents(given_context) -> None:
    t = table(given_context)
    found = close_by_one(t.rows, len(t.keywords))
    for x1, y1 in found:
        for x2, y2 in found:
            assert (x1 & x2 == x1) == (y1 & y2 == y2)


@given(tables)
def test_concepts_join_and_meet_in_concepts_and_there_is_a_greatest_and_a_least(t) -> None:
    """Eq. 3 as 2007 has it, with ↑↓ and ↓↑: what 2013 prints, (∪X)↑, is a set of keywords where URLs must stand."""
    everything, every_url = (1 << len(t.keywords)) - 1, (1 << len(t.urls)) - 1

    def up(x):
        return sum(1 << a for a in range(len(t.keywords)) if all(a in t.rows[u] for u in bits(x)))

    def down(y):
        return sum(1 << u for u in range(len(t.urls)) if set(bits(y)).issubset(t.rows[u]))

    found = masks(enumerate_concepts(t, limit=1000))
    for x1, y1 in found:
        for x2, y2 in found:
            assert (down(up(x1 | x2)), y1 & y2) in found
            assert (x1 & x2, up(down(y1 | y2))) in found
    assert (every_url, up(every_url)) in found  # I
    assert (down(everything), everything) in found  # O


@given(contexts(), st.integers(1, 12))
def test_above_the_limit_each_urls_and_each_keywords_own_concept_remains(given_context, limit) -> None:
    t = table(given_context)
    every = named(t, close_by_one(t.rows, len(t.keywords)))
    pure, compiled = close_by_one(t.rows, len(t.keywords), limit), enumerate_concepts(t, limit)
    assert (pure is None) == (compiled is None) == (len(every) > limit)
    own = own_concepts(t.rows, len(t.keywords))
    assert len(own) == len(set(own)) <= len(t.urls) + len(t.keywords)
    assert named(t, own) <= every
    for u in given_context:
        assert any(u in x and y == set(given_context[u]) for x, y in named(t, own))
