"""SemRank holds to its definition, whatever it is given."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fcacrawler.semrank.context import table
from fcacrawler.semrank.kernels.concepts import concepts_of
from fcacrawler.semrank.kernels.fast_rank import rank_fast
from fcacrawler.semrank.rank import semrank
from fcacrawler.semrank.similarity import concept_similarity
from fcacrawler.semrank.ties import ties
from tests.reference import semrank as oracle
from tests.reference.plain import rank_plain
from tests.semrank.given import OPTIONS, TIES, contexts, similarities

BASE = contexts("u", 4)
CURRENT = contexts("v", 5) | contexts("u", 5)  # the same URLs may be on both sides


@settings(max_examples=150)
@given(BASE, CURRENT, TIES, TIES, similarities(), OPTIONS)
def test_the_compiled_and_the_plain_semrank_are_the_naive_one(base, current, links, clicks, ics, options) -> None:
    expected = oracle.semrank(base, current, links, clicks, ics, options)
    known, found = table(base), table(current)
    B, C = concepts_of(known, 1000).filled(), concepts_of(found, 1000).filled()
    between = ties(known.urls, found.urls, links, clicks)
    for rank in (rank_plain, rank_fast):
        best = rank(B, C, between, ics.matrix(known.keywords, found.keywords), options)
        assert dict(zip(found.urls, best.rank, strict=True)) == pytest.approx(expected, abs=1e-12)
    assert dict(semrank(base, current, links, clicks, ics, options)) == pytest.approx(expected, abs=1e-12)


@given(BASE, CURRENT, TIES, TIES, similarities(), OPTIONS)
def test_every_rank_is_a_number_between_0_and_1_and_can_say_why(base, current, links, clicks, ics, options) -> None:
    ranks = semrank(base, current, links, clicks, ics, options)
    for url, rank in ranks.items():
        assert 0.0 <= rank <= 1.0
        why = ranks.explain(url)
        assert why.rank == rank
        assert concept_similarity(why.ext, why.int_, why.w) == pytest.approx(rank, abs=1e-12)
        if rank:
            assert url in why.current_concept["extent"]
            assert set(why.base_concept["extent"]) <= set(base)
            assert len({a for a, _, _ in why.matched}) == len({b for _, b, _ in why.matched}) == len(why.matched)


@given(BASE, CURRENT, TIES, TIES, similarities(), OPTIONS, st.randoms(use_true_random=False))
def test_order_of_dicts_and_sets_does_not_change_a_bit(base, current, links, clicks, ics, options, dice) -> None:
    def shuffled(things):
        return dice.sample(list(things), len(things))

    one = semrank(base, current, links, clicks, ics, options)
    two = semrank(
        {u: shuffled(base[u]) for u in shuffled(base)},
        {u: set(current[u]) for u in shuffled(current)},
        shuffled(links),
        set(clicks),
        ics,
        options,
    )
    assert dict(one) == dict(two)
    assert [one.explain(u) for u in one] == [two.explain(u) for u in two]
