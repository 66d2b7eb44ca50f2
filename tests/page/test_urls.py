"""Canonical URLs, keys, references and the words in URLs."""

from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.page import canonical_url, key_of, url_words
from fcacrawler.page.identity.urls import LONGEST, resolve

ONE_PAGE = {
    "http://e.org/": ["http://e.org", "HTTP://E.ORG:80/", "http://e.org/#top", "http://e.org/?", "http://user:pw@e.org"],
    "https://e.org/a": ["https://e.org:443/a", "https://e.org/b/../a", "https://e.org/./a", "  https://e.org/a\n"],
    "http://e.org/a/": ["http://e.org/a/.", "http://e.org/a/b/..", "http://e.org/a/b/../"],
    "http://e.org/~x": ["http://e.org/%7Ex", "http://e.org/%7ex"],
    "http://e.org/%C3%A9": ["http://e.org/é", "http://e.org/%c3%a9"],
    "http://e.org/a%20b": ["http://e.org/a b", "http:\\\\e.org\\a b"],
    "http://e.org/100%25": ["http://e.org/100%"],
    "http://e.org/?a=1&b=2": ["http://e.org/?b=2&a=1", "http://e.org?b=2&&a=1&"],
    "http://e.org/?a=2&a=1": ["http://e.org/?a=2&a=1"],  # the order of a list may matter
    "http://e.org/?q=x": ["http://e.org/?utm_source=n&q=x&fbclid=AbC", "http://e.org/?q=x&PHPSESSID=0123456789abcdef"],
    "http://e.org/?q=y": ["http://e.org/?q=y&sid=0f1e2d3c4b5a69788796a5b4"],
    "http://e.org/?q=y&sid=4": ["http://e.org/?sid=4&q=y"],  # a short number is no session
    "http://e.org/a.jsp": ["http://e.org/a.jsp;jsessionid=A1B2C3"],
    "http://xn--bcher-kva.test/": ["http://bücher.test", "http://BÜCHER.test/", "http://b%C3%BCcher.test/"],
    "http://[::1]:8080/": ["http://[::1]:8080", "http://[0:0::1]:8080/"],
    "http://e.org:8080/": ["http://e.org:8080", "http://e.org.:8080/"],
    "http://e.org/a%2Fb": ["http://e.org/a%2fb"],
    "http://e.org/Art_%2528craft%2529": ["http://e.org/Art_%2528craft%2529"],
}  # fmt: skip

NO_PAGES = [
    "", "#", "javascript:void(0)", "mailto:a@e.org", "data:text/html,x", "file:///etc/passwd", "ftp://e.org/", "e.org",
    "//e.org/", "http:", "http://", "http:///", "http://e.org:99999/", "http://e.org:x/", "http://[::1/",
    "http://a b.org/", "http://-/", "http://e..org/", "http://" + "a." * 200 + "org/", "http://e.org/" + "a" * LONGEST,
    "http://\u202e.org/", "http://‥/", "tel:+49", "http://[::1%25eth0]/", "http://[::1%\0]/", "http://[v1.x]/",
]  # fmt: skip


@pytest.mark.parametrize(("canonical", "spelling"), [(c, s) for c, all_ in ONE_PAGE.items() for s in all_])
def test_spellings_of_one_page_have_one_canonical_url(canonical: str, spelling: str) -> None:
    assert canonical_url(spelling) == canonical
    assert canonical_url(canonical) == canonical


@pytest.mark.parametrize("url", NO_PAGES)
def test_what_cannot_be_fetched_over_http_has_no_canonical_url(url: str) -> None:
    assert canonical_url(url) == ""


SPELLING = st.text(st.sampled_from("aB0./\\%?&=#;:@[]é ü\t+~-_,'\u202e\x00") | st.characters(), max_size=60)


@given(SPELLING)
def test_a_canonical_url_is_its_own_canonical_url(rest: str) -> None:
    once = canonical_url("http://" + rest)
    assert canonical_url(once) == once
    assert once.isascii()
    assert "#" not in once
    if once:
        assert key_of(once).host


@given(st.text())
def test_no_text_breaks_the_canonical_url(url: str) -> None:
    assert canonical_url(url) == canonical_url(canonical_url(url))


def test_a_hostile_url_costs_no_more_than_its_length() -> None:
    """A regular expression that went back and back would never come to an end here."""
    for tail in (
        "a" * 2000 + "!",
        "a/" * 1000 + "!",
        "a-" * 1000 + "!/",
        "%" * 2000,
        "../" * 600,
        "a=" * 900,
        "&s=" * 600,
    ):
        canonical_url("http://" + tail)
        canonical_url("http://e.org/" + tail)
        canonical_url("http://e.org/?" + tail)


REFERENCE = st.text(st.sampled_from("ab./?=&-_~"), min_size=1, max_size=20).filter(
    lambda reference: reference != "?" and "//" not in reference  # here urljoin is not what browsers do
)


@given(REFERENCE)
def test_references_are_resolved_as_the_standard_says(reference: str) -> None:
    base = "http://e.org/a/b/c.htm?q=1"
    assert resolve(base, reference) == canonical_url(urljoin(base, reference))


@pytest.mark.parametrize(
    ("reference", "url"),
    [
        ("d.htm", "http://e.org/a/b/d.htm"),
        ("../d.htm", "http://e.org/a/d.htm"),
        ("../../../../d.htm", "http://e.org/d.htm"),
        ("/d", "http://e.org/d"),
        ("\\d", "http://e.org/d"),
        ("//f.org/d", "http://f.org/d"),
        ("?p=2", "http://e.org/a/b/c.htm?p=2"),
        ("#x", "http://e.org/a/b/c.htm?q=1"),
        ("https:d", "https://d/"),
        ("javascript:x", ""),
        ("JaVaScRiPt:x", ""),
        (" \t\n", ""),
        ("a" * 3000, ""),
    ],
)
def test_a_reference_leads_where_a_browser_would_go(reference: str, url: str) -> None:
    assert resolve("http://e.org/a/b/c.htm?q=1", reference) == url


def test_a_key_is_sixteen_bytes_and_a_host_has_no_port() -> None:
    assert key_of("http://e.org:8080/a").host == "e.org"
    assert key_of("http://[::1]:80/").host == "::1"
    assert len(key_of("http://e.org/").key) == 16
    assert key_of("http://e.org/a") != key_of("http://e.org/A")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://e.org/", ""),
        ("http://e.org/wp/a/Abstract_art.htm", "wp a Abstract art"),
        ("http://e.org/Constructivism_%2528art%2529.htm", "Constructivism art"),
        ("http://e.org/Jos%C3%A9", "José"),
        ("http://e.org/article.php?title=auto+racing&id=7", "article title auto racing id 7"),
        ("http://e.org/newsArticle/2020", "news Article 2020"),
        ("http://e.org/%FF%FE", ""),
    ],
)
def test_the_words_of_a_url_can_be_read(url: str, words: str) -> None:
    assert url_words(url) == words


@given(SPELLING)
def test_every_canonical_url_can_be_read(rest: str) -> None:
    once = canonical_url("http://" + rest)
    if once:
        url_words(once)
