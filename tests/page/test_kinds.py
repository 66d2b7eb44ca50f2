"""What URLs have in common: laws of shapes and kinds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.page.identity.kinds import kind, shape

SEGMENTS = st.lists(st.text("ab1-", min_size=1, max_size=5), min_size=1, max_size=4)
NUMBERS = st.integers(0, 10**6)


@given(SEGMENTS, NUMBERS, NUMBERS)
def test_urls_that_differ_in_numbers_have_one_shape_and_one_kind(path: list[str], one: int, other: int) -> None:
    urls = [f"http://e.test/{'/'.join(path)}/n{n}/x?id={n}&sort=up" for n in (one, other)]
    assert len({shape(url) for url in urls}) == len({kind(url) for url in urls}) == 1
    assert not set(shape(urls[0])) & set("0123456789")


@given(SEGMENTS, st.text("ab", min_size=1), st.text("ab", min_size=1))
def test_a_kind_leaves_out_the_page_and_what_parameters_say(path: list[str], page: str, said: str) -> None:
    folder = f"http://e.test/{'/'.join(path)}/"
    assert kind(f"{folder}{page}?sort={said}") == kind(f"{folder}other?sort=down") != kind(f"{folder}{page}?p={said}")
    assert kind(folder + page).endswith("/?")
