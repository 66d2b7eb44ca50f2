"""Products that pages offer, as tidy and as wild as they come."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.page.html.products import amount, product_of

OFFER = {
    "price": "12.50",
    "priceCurrency": "EUR",
    "availability": "http://schema.org/InStock",
    "seller": {"name": "Quill"},
}
TOLD = {"name": "Dune", "price": 12.5, "currency": "EUR", "availability": "InStock", "seller": "Quill"}
BOOK = {"@type": "Product", "name": "Dune", "offers": OFFER}


def page(*scripts: Any) -> str:
    texts = (s if isinstance(s, str) else json.dumps(s) for s in scripts)
    body = "".join(f'<script type="application/ld+json">{t}</script>' for t in texts)
    return f"<html><head>{body}</head><body><p>Buy now</p></body></html>"


@pytest.mark.parametrize(
    "data",
    [
        {"@context": "https://schema.org", **BOOK},
        {**BOOK, "@type": ["Product", "Book"]},
        {**BOOK, "@type": "https://schema.org/Product"},
        {**BOOK, "offers": [OFFER, {"price": 99}]},
        {**BOOK, "offers": {**OFFER, "price": None, "lowPrice": 12.5}},
        {"@graph": [{"@type": "BreadcrumbList"}, BOOK]},
        [{"@type": "WebPage", "mainEntity": BOOK}],
        {**BOOK, "name": [" Dune\n"], "offers": {**OFFER, "seller": "Quill", "availability": "InStock"}},
    ],
)
def test_json_ld_in_all_its_shapes(data: Any) -> None:
    assert product_of(page({"@type": "WebSite"}, data), "http://shop.test/") == TOLD


def test_json_that_is_not_quite_json_is_read_and_what_is_none_passed_over() -> None:
    loose = "// <![CDATA[\n" + json.dumps(BOOK)[:-1] + ",}\n// ]]>"
    assert product_of(page("{ no json", loose), "") == TOLD
    assert product_of(page("{ no json"), "") is None


def test_microdata() -> None:
    html = """<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Dune</h1>
        <div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price">12,50</span>
        <meta itemprop="priceCurrency" content="EUR"><link itemprop="availability" href="http://schema.org/InStock">
        <span itemprop="seller" itemscope itemtype="https://schema.org/Organization"><b itemprop="name">Quill</b></span>
        </div></div>"""
    assert product_of(html, "http://shop.test/") == TOLD


def test_what_is_not_told_is_not_in_it() -> None:
    assert product_of(page({"@type": "Product", "name": "Dune"}), "") == {"name": "Dune"}


ITEM = '<i itemscope itemtype="https://schema.org/Product">'


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<p>ld+json schema.org/Product",
        page({"@type": "Book", "name": "a review's book"}),
        page({"@type": "ItemList", "itemListElement": [BOOK]}),
        page("[" * 100_000),
        page('{"@graph":' * 5000),
        '<i itemscope itemtype="https://schema.org/Product">' * 3000,
        "<script ld+json" * 50_000,
        ITEM + '<i itemscope itemprop="a b">' * 100,
        ITEM + f'<i itemscope itemprop="{"mainEntity " * 1000}">' * 6,
        ITEM + '<i itemscope itemprop=a itemref="r r r"></i>' * 5000 + "<i id=r>" + "<i itemprop=b>x</i>" * 5000,
        ITEM + "<i itemprop=a>" * 250 + "<p>x</p>" * 50_000,
    ],
)
def test_pages_without_one_and_hostile_pages_have_none(html: str) -> None:
    assert product_of(html, "http://shop.test/") in (None, {})


@pytest.mark.parametrize(
    ("written", "price"),
    [("0.999", 0.999), ("1 299,00", 1299.0), ("1'299.95", 1299.95), ("12", 12.0), ("9.999", 9999.0), ("-", None),
     (True, None), (float("nan"), None), ("9" * 400, None), ("12.", 12.0)],
)  # fmt: skip
def test_amounts(written: Any, price: float | None) -> None:
    assert amount(written) == price


trees = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=5),
    lambda t: (
        st.lists(t, max_size=3) | st.dictionaries(st.sampled_from(["@type", "offers", "price", "name", "@graph"]), t)
    ),
    max_leaves=20,
)


@given(trees)
def test_any_json_is_read_without_a_fall(tree: Any) -> None:
    found = product_of(page({"@type": "Product", "x": tree, "offers": tree, "name": tree}), "")
    assert found is not None
    assert set(found) <= {"name", "price", "currency", "availability", "seller"}
