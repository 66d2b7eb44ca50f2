"""URL by URL, batch by batch, in any order: the concepts are those of the whole context."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from fcacrawler.semrank.incremental import ChangingContext
from tests.reference import semrank as oracle
from tests.semrank.given import KEYWORDS, contexts


def with_urls(given_context):
    return {c for c in oracle.concepts(given_context) if c[0]}


@given(contexts(), st.randoms(use_true_random=False))
def test_batch_and_incremental_agree_in_any_order(given_context, dice) -> None:
    shuffled = dice.sample(list(given_context.items()), len(given_context))
    context = ChangingContext(dict(shuffled))
    assert set(context.concepts()) == with_urls(given_context)
    assert len(context) == len(with_urls(given_context))
    gone = dice.sample(sorted(given_context), len(given_context) // 2)
    context.change({}, removed=gone)
    left = {u: row for u, row in given_context.items() if u not in gone}
    assert set(context.concepts()) == with_urls(left)


class Change(RuleBasedStateMachine):
    """URLs come and go."""

    def __init__(self) -> None:
        super().__init__()
        self.context = ChangingContext()
        self.model: dict[str, list[str]] = {}

    @precondition(lambda self: len(self.model) < 7)
    @rule(keywords=st.lists(st.sampled_from(KEYWORDS), max_size=6))
    def come(self, keywords) -> None:
        url = next(f"u{i}" for i in range(8) if f"u{i}" not in self.model)
        self.context.add(url, keywords)
        self.model[url] = keywords

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def go(self, data) -> None:
        url = data.draw(st.sampled_from(sorted(self.model)))
        self.context.remove(url)
        del self.model[url]

    @invariant()
    def the_concepts_are_those_of_the_whole(self) -> None:
        assert set(self.context.concepts()) == with_urls(self.model)
        assert all(u in self.context for u in self.model)


test_any_history_gives_the_concepts_of_what_is_left = Change.TestCase


def test_a_url_that_is_there_is_refused_and_one_that_is_not_cannot_leave() -> None:
    context = ChangingContext({"U1": ["spider"]})
    with pytest.raises(ValueError, match="'U1' is in the context already"):
        context.add("U1", ["web"])
    with pytest.raises(KeyError, match="U2"):
        context.remove("U2")
    assert list(context.concepts()) == [({"U1"}, {"spider"})]
