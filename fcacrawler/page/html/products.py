"""What a shop's page says of its product in the words of schema.org: as JSON-LD, or as microdata."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from itertools import chain, islice
from typing import Any

from fcacrawler.page.html.shown import shown

KINDS = {"Product", "IndividualProduct", "ProductModel", "ProductGroup", "Book"}
HOLDERS = ("@graph", "mainEntity", "itemReviewed")  # where a page may keep its product
DEEPEST = 4
ELEMENTS = 50_000  # in properties and items of microdata, each as often as it is in one
NAMES = 5  # that one property may have
MOST, LONGEST = 20, 200_000  # scripts of a page that are looked at, and their characters
logger = logging.getLogger(__name__)
_NUMBER = re.compile(r"\d[\d.,' \u00a0]*")


def product_of(html: str, url: str) -> dict[str, Any] | None:
    """The product that a page offers: name, price, currency, availability, seller, as far as told; None if none is.

    Found by extruct, which is only asked about pages that mention such data.
    """
    if not _reads():
        return None
    found = next(_products(_json_ld(html)), None)
    if found is None and "schema.org/Product" in html:
        found = next(_products(_microdata(html, url)), None)
    return found


@cache
def _reads() -> bool:
    found = find_spec("extruct") is not None
    if not found:
        logger.warning("pages here say what they sell; to have that in items: pip install 'fcacrawler[ontology]'")
    return found


def _json_ld(html: str) -> Iterator[Any]:
    """The JSON-LD scripts of a page; what is no JSON even to extruct is passed over."""
    at = 0
    for _ in range(MOST):
        at = html.find("ld+json", at)
        start, end = html.find(">", at) + 1, html.find("</script", at)
        if at < 0 or not start or end < start:
            return
        if end - start <= LONGEST:
            yield from _scripted(html[start:end])
        at = end


def _scripted(script: str) -> list[Any]:
    from extruct.jsonld import JsonLdExtractor  # takes 0.2 s, so not before a shop is met

    try:
        found: list[Any] = JsonLdExtractor().extract(f'<script type="application/ld+json">{script}\n</script>')
    except (ValueError, TypeError, RecursionError):
        return []
    return found


def _microdata(html: str, url: str) -> Iterator[Any]:
    """The microdata of a page, unless reading it costs more than a page may: extruct reads what is in a property for
    each of the properties around it, and again for each reference to it."""
    from extruct.utils import parse_html
    from extruct.w3cmicrodata import MicrodataExtractor
    from lxml.etree import LxmlError

    try:
        tree = parse_html(html, "utf-8")
        for element in tree.iterfind(".//*[@itemref]"):
            del element.attrib["itemref"]
        for element in tree.iterfind(".//*[@itemprop]"):
            element.set("itemprop", " ".join(dict.fromkeys(element.get("itemprop").split()[:NAMES])))
        read = chain.from_iterable(e.iter() for e in tree.xpath("//*[@itemprop or @itemscope]"))
        if next(islice(read, ELEMENTS, None), None) is not None:
            return
        items = MicrodataExtractor().extract_items(tree, url)
    except (LxmlError, ValueError, RecursionError):
        return
    known: dict[int, Any] = {}
    for item in items:
        yield _plain(item, known)


def _plain(item: Any, known: dict[int, Any]) -> Any:
    """A microdata item as if it had been JSON-LD. One with two names is in two places, and those in it in four."""
    if isinstance(item, dict) and "properties" in item:
        if id(item) not in known:
            inner = {name: _plain(value, known) for name, value in item["properties"].items()}
            known[id(item)] = {"@type": item.get("type", ""), **inner}
        return known[id(item)]
    return [_plain(i, known) for i in item] if isinstance(item, list) else item


def _products(trees: Iterator[Any], depth: int = 0) -> Iterator[dict[str, Any]]:
    for tree in trees:
        if isinstance(tree, list) and depth < DEEPEST:
            yield from _products(iter(tree), depth + 1)
        elif isinstance(tree, dict):
            offers = [o for o in _list(tree.get("offers")) if isinstance(o, dict)]
            kinds = {_end(t) for t in _list(tree.get("@type"))}
            if kinds & KINDS and (offers or "Product" in kinds):
                yield _product(tree, offers[0] if offers else {})
            elif depth < DEEPEST:
                yield from _products((tree[h] for h in HOLDERS if h in tree), depth + 1)


def _product(item: dict[str, Any], offer: dict[str, Any]) -> dict[str, Any]:
    price = next((offer[k] for k in ("price", "lowPrice") if offer.get(k) not in (None, "")), None)
    told = {
        "name": _text(item.get("name")),
        "price": amount(price),
        "currency": _text(offer.get("priceCurrency")),
        "availability": _end(offer.get("availability")),
        "seller": _text(offer.get("seller") or offer.get("offeredBy")),
    }
    return {k: v for k, v in told.items() if v not in (None, "")}


def amount(price: Any) -> float | None:
    """A price as a number, however it is written; None if it is none.

    >>> amount("1.299,00 €"), amount("£1,299.50"), amount(12), amount("12.5"), amount("1,299"), amount("on request")
    (1299.0, 1299.5, 12.0, 12.5, 1299.0, None)
    """
    if isinstance(price, int | float) and not isinstance(price, bool):
        return float(price) if price == price and abs(price) < 1e12 else None
    match = _NUMBER.search(_text(price))
    if not match:
        return None
    digits = re.sub(r"[' \u00a0]", "", match.group()).rstrip(".,")
    last = max(digits.rfind("."), digits.rfind(","))
    if last >= 0 and (len(digits) - last != 4 or (digits.count(digits[last]) == 1 and digits[0] == "0")):
        digits = re.sub(r"[.,]", "", digits[:last]) + "." + digits[last + 1 :]
    else:
        digits = re.sub(r"[.,]", "", digits)
    return float(digits) if len(digits) < 16 else None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _text(value: Any) -> str:
    """A text, or the name of a thing, or the first of several.

    >>> _text([{"@type": "Organization", "name": " Quill &  Co "}]), _text(None), _text(5)
    ('Quill & Co', '', '5')
    """
    for _ in range(DEEPEST):
        if isinstance(value, list):
            value = value[0] if value else ""
        elif isinstance(value, dict):
            value = value.get("name") or value.get("@value") or ""
    return shown(str(value)[:1000])[:500] if isinstance(value, str | int | float) else ""


def _end(value: Any) -> str:
    """The last part of an IRI.

    >>> _end("https://schema.org/InStock"), _end("InStock"), _end(None)
    ('InStock', 'InStock', '')
    """
    return _text(value).rstrip("/").rpartition("/")[2]
