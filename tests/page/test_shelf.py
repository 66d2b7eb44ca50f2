"""Texts that are kept compressed: what a list would say."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from fcacrawler.page.identity.shelf import Shelf


@given(st.integers(1, 2500), st.integers(1, 4))
@settings(max_examples=20, deadline=None)
def test_a_shelf_has_the_latest_texts_by_number(most: int, thousands: int) -> None:
    shelf, texts = Shelf(most), [f"http://a.test/{n * n}\udcff" for n in range(1000 * thousands + most % 7)]
    for text in texts:
        shelf.add(text)

    kept = range(max(0, len(texts) - most), len(texts))
    assert len(shelf) == len(texts)
    assert [shelf[n] for n in (*kept[:3], *kept[-3:])] == [texts[n] for n in (*kept[:3], *kept[-3:])]
