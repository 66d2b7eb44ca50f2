"""Keywords that are no names."""

from __future__ import annotations

from fcacrawler.page.text.plain import plain


def test_where_most_words_are_rare_all_are_kept() -> None:
    rare = ["maranello", "jyväskylä", "talladega"]
    assert plain([("en", rare), ("en", ["race"])]) == [tuple(rare), ("race",)]
    assert plain([("en", rare), ("en", ["race", "car", "tyre"])]) == [(), ("race", "car", "tyre")]
    assert plain([]) == []
