"""Pairs of clicked pages: what they are of whole walks, and what holds however they are put together."""

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.values.clicks import NEAR, NO_CLICKS, Clicks, clicks_of

WALKS = st.lists(st.lists(st.sampled_from("abcdefghijkl"), max_size=14), max_size=6)


def told(clicks: Clicks) -> dict[tuple[str, str], tuple[int, ...]]:
    return {
        (clicks.urls[a], clicks.urls[b]): tuple(counts)
        for (a, b), counts in zip(clicks.pairs.tolist(), clicks.counts.tolist(), strict=True)
    }


@given(WALKS)
def test_a_pair_is_shown_by_the_walks_in_which_its_pages_lie_near_each_other(walks: list[list[str]]) -> None:
    clicks = clicks_of(walks)
    expected = {}
    for a, b in combinations("abcdefghijkl", 2):
        near = [any({x, y} == {a, b} for n, x in enumerate(walk) for y in walk[n + 1 : n + 1 + NEAR]) for walk in walks]
        steps = [step for walk in walks for step in pairwise(walk)]
        if any(near):
            expected[a, b] = (sum(near), steps.count((a, b)), steps.count((b, a)))
    assert told(clicks) == expected
    assert (
        {(a, b): n for a, b, n in clicks.straight()} == {s: steps.count(s) for s in steps if s[0] != s[1]}
        if walks
        else True
    )


@given(WALKS, WALKS)
def test_clicks_of_two_logs_add_up(one: list[list[str]], other: list[list[str]]) -> None:
    assert told(clicks_of(one) + clicks_of(other)) == told(clicks_of([*one, *other]))
    assert told(NO_CLICKS + clicks_of(one)) == told(clicks_of(one))


@given(WALKS, st.integers())
def test_permuted_clicks_are_as_many_on_the_same_pages(walks: list[list[str]], seed: int) -> None:
    clicks = clicks_of(walks)
    dealt = clicks.permuted(seed)
    assert dealt.urls == clicks.urls
    assert sorted(counts[0] for counts in dealt.counts.tolist()) == sorted(c[0] for c in clicks.counts.tolist())
    assert sorted(n for *_, n in dealt.straight()) == sorted(n for *_, n in clicks.straight())
    assert (dealt.pairs[:, 0] < dealt.pairs[:, 1]).all()
