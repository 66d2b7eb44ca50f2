"""What was ever found is not found again, and what hypothesis makes up breaks no promise (see ``targets``)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.targets import TARGETS

CORPUS = Path(__file__).with_name("corpus")
MARKUP = (
    "<p>|</p>|<meta charset=|<a href=|<a href='../x?a=1&b=2#c'>|</a>|<base href=//h.test/>|<title>|</title>|<script>|"
    "<meta http-equiv=refresh content='0;url=|</script>|<!--|-->|<![CDATA[|'|\"|>|<|&#x202e;|&#0;|<svg>|<td>|"
    'rel=nofollow |<link rel=canonical href=|{"@type":"Product","offers":|"price":|[|]|}|itemprop=price |'
    "<script type='application/ld+json'>|<sitemapindex>|<urlset>|<img alt=|<loc>|</loc>|http://e.test/|<?xml encoding="
).split("|")
URLS = "/ ? # & = ; : . @ % [ ] \\ // http: https: .. %2e xn-- ü \u0430 a 1 utm_x= sid= \t \0".split(" ")
LINES = [
    *'\t\n"{}[]:,1- ',
    "user",
    "query",
    "url",
    "00:00:00",
    "2006-03-01",
    "GET /?q=a",
    "[10/Oct/2025:13:55:36 +0000]",
]


def joined(pieces: list[str]) -> st.SearchStrategy[bytes]:
    """Pieces and anything at all between them."""
    between = st.text(max_size=8) | st.sampled_from(pieces)
    return st.lists(between, max_size=30).map(lambda parts: "".join(parts).encode("utf-8", "surrogatepass"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.sampled_from(("keywords", "url", "x")), inner),
    max_leaves=12,
).map(lambda value: json.dumps(value).encode())
MADE_UP = {
    "page": joined(MARKUP) | st.binary(max_size=300),
    "product": joined(MARKUP),
    "sitemap": joined(MARKUP) | st.binary(max_size=100),
    "url": joined(URLS) | st.binary(max_size=60),
    "logs": joined(LINES),
    "records": JSON | st.binary(max_size=60),
}


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*/*")), ids=lambda path: "-".join(path.parts[-2:]))
def test_what_was_found_is_not_found_again(path: Path) -> None:
    TARGETS[path.parent.name](path.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_what_is_made_up_breaks_no_promise(name: str) -> None:
    target: Callable[[bytes], None] = TARGETS[name]
    settings(max_examples=200)(given(MADE_UP[name])(target))()


@pytest.mark.parametrize("name", TARGETS)
def test_what_was_found_and_is_damaged_breaks_no_promise(name: str) -> None:
    """Cut, doubled, and with other bytes in it."""
    seeds = [path.read_bytes() for path in sorted((CORPUS / name).iterdir())]

    def damage(seed: bytes, at: int, length: int, instead: bytes) -> bytes:
        at %= len(seed) + 1
        return seed[:at] + instead + seed[at + length :]

    damaged = st.builds(
        damage, st.sampled_from(seeds), st.integers(0, 5000), st.integers(0, 50), st.binary(max_size=20)
    )
    settings(max_examples=100)(given(damaged)(TARGETS[name]))()
