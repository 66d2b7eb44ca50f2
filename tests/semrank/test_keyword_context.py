"""The crawl's formal context, and how a crawl is shown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.app.progress import Snapshot, clean, line
from fcacrawler.frontier import Sizes
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


@given(st.text(), st.integers(1, 80))
def test_a_strangers_text_cannot_reach_the_terminal(text: str, width: int) -> None:
    shown = clean(text, width)
    assert shown.isprintable()
    assert len(shown) <= width


def test_a_line_tells_how_the_crawl_goes() -> None:
    now = Snapshot("tea", "semrank", 0.45, 200, 10.0, 50, 20, Sizes(7, 8, 1, 50, 0), recent=0.3)
    assert line(now) == ("[   10 s] 50/200 pages, 20 relevant (40.0 %, lately 30 %), 5.0 pages/s; running 7, waiting 8")
