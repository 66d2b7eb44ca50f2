"""What everybody relies on from the first day."""

from hypothesis import given, settings
from hypothesis import strategies as st

from fcacrawler.page import canonical_url, keywords, read_page, terms, weigh

PAGE = b"""<html lang=en><title>Auto racing</title><nav><a href=/home>Home</a></nav>
<p>Auto racing is a motorsport in which cars race against each other for the best time on a circuit.
See <a href="b?z=1&a=2#x">stock cars</a> and <a rel=nofollow href=//other.test>others</a>.</p>
<a href=javascript:void(0)>no</a>"""


def test_a_page_is_read() -> None:
    page = read_page("http://e.test/a", "http://e.test/a", PAGE)
    assert (page.title, page.language) == ("Auto racing", "en")
    assert page.text.startswith("Auto racing is a motorsport")
    assert [(k.url, k.anchor, k.nofollow) for k in page.links] == [
        ("http://e.test/home", "Home", False),
        ("http://e.test/b?a=2&z=1", "stock cars", False),
        ("http://other.test/", "others", True),
    ]
    assert keywords(page)[0][1] == 1.0
    assert "auto racing" in dict(keywords(page))


@given(st.text())
@settings(deadline=None)
def test_a_canonical_url_is_its_own_canonical_url(text: str) -> None:
    once = canonical_url("http://" + text)
    assert canonical_url(once) == once


@given(st.binary())
@settings(deadline=None)
def test_no_bytes_break_the_reader(body: bytes) -> None:
    read_page("http://e.test/", "http://e.test/", body)


def test_weights_have_norm_one() -> None:
    assert abs(sum(w * w for w in weigh(terms("driving cars on a circuit", "en"), "en").values()) - 1) < 1e-12
