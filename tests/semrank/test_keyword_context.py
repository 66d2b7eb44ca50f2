"""The crawl's formal context."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.semrank.keyword_context import KeywordContext

WORDS = st.lists(st.sampled_from("abcdef"), max_size=5)


@given(st.lists(st.tuples(st.sampled_from("uvwxyz"), WORDS), max_size=20))
def test_extents_and_intents_say_the_same_and_stay_bounded(pages: list[tuple[str, list[str]]]) -> None:
    context = KeywordContext(pages=3)
    for url, keywords in pages:
        context.add(url, keywords)
    latest = list(dict.fromkeys(url for url, _ in reversed(pages)))[:3]
    assert set(context.intents) == set(latest)
    pairs = {(url, keyword) for url, intent in context.intents.items() for keyword in intent}
    assert pairs == {(url, keyword) for keyword, extent in context.extents.items() for url in extent}
    for intent, support in context.top_concepts(lambda url: True, 100):
        assert sum(set(intent) <= known for known in context.intents.values()) == support
