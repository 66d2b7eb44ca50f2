"""What is fuzzed: one function a target, of any bytes; it raises where a promise is broken."""

from __future__ import annotations

import json
import unicodedata
import zlib
from collections.abc import Callable
from contextlib import suppress

from fcacrawler.crawl.traps import Traps
from fcacrawler.frontier.records import dump_candidate, dump_page, load_candidate, load_page
from fcacrawler.frontier.redis.records import load_link
from fcacrawler.page import (
    PageOptions,
    canonical_url,
    is_html,
    key_of,
    keywords,
    product_of,
    read_page,
    read_sitemap,
    terms,
    url_words,
)
from fcacrawler.page.identity.urls import resolve
from fcacrawler.values.errors import BadRecord
from fcacrawler.weblogs.events import BadLine
from fcacrawler.weblogs.formats import FORMATS

SEEN = set("\u200c\u200d\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
SEEN |= set(map(chr, range(0x13430, 0x13440)))  # joiners, signs before numbers, and those that arrange hieroglyphs
BASE = "http://e.test/a/b?c=d"
OPTIONS = PageOptions(body_bytes=20_000, elements=500, links=50, text_chars=2_000)
KINDS = ("", "text/html", "text/html; charset=latin-1", "text/html; charset=gb18030", "text/html;charset=\xff")


def harmless(text: str) -> bool:
    """Neither controls nor surrogates nor what hides or turns text."""
    odd = {c for c in text if not c.isprintable()} - SEEN
    return not any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in odd)


def page(data: bytes) -> None:
    """The first byte chooses the declared type, the second the headers."""
    kind = KINDS[data[0] % len(KINDS)] if data else ""
    more = {"x-robots-tag": "none", "refresh": data[:200].decode("latin-1")} if data[1:2] > b"\x80" else {}
    is_html(kind, data)
    read = read_page(BASE, BASE, data[2:], content_type=kind, headers=more, options=OPTIONS)
    shown = (read.title, read.description, *read.headings, *read.text.split("\n"))
    assert all(map(harmless, shown))
    assert len(read.title) <= 300
    assert len(read.description) <= 1000
    assert len(read.text) <= OPTIONS.text_chars
    assert len(read.links) <= OPTIONS.links
    assert len({link.url for link in read.links}) == len(read.links)
    for link in read.links:
        assert canonical_url(link.url) == link.url
        assert len(link.anchor) <= 300
        assert harmless(link.anchor + link.context)
    found = keywords(read)
    assert all(0 < weight <= 1 for _, weight in found)
    terms(read.text, read.language)


def product(data: bytes) -> None:
    offered = product_of(data.decode("utf-8", "replace"), BASE)
    assert all(harmless(str(value)) for value in (offered or {}).values())
    json.dumps(offered, ensure_ascii=False, allow_nan=False).encode()


def sitemap(data: bytes) -> None:
    found = read_sitemap(data, 20)
    assert len(found.urls) <= 20
    assert all(canonical_url(url) == url for url in found.urls)


def url(data: bytes) -> None:
    """A reference, as it stands on a page; and by itself."""
    reference = data.decode("utf-8", "surrogateescape")
    for found in (canonical_url(reference), canonical_url("http://" + reference), resolve(BASE, reference)):
        if found:
            assert canonical_url(found) == found, found
            assert found.isascii()
            assert found.isprintable()
            assert len(found) <= 2048
            assert found.startswith(("http://", "https://"))
            key, host = key_of(found)
            assert len(key) == 16
            assert host
            url_words(found)
            traps = Traps()
            traps.observe(found, BASE, duplicate=True)
            traps.rule(found, BASE)


def logs(data: bytes) -> None:
    """The first line may be a header."""
    lines = data.decode("utf-8", "replace").split("\n")
    for format in FORMATS.values():
        parser = format.parser(lines)
        for line in lines if parser else ():
            with suppress(BadLine):
                click = parser(line)
                assert click is None or click.user is not None


def records(data: bytes) -> None:
    """What is read is written as it was."""
    with suppress(BadRecord):
        candidate = load_candidate(b"k", data)
        assert load_candidate(b"k", dump_candidate(candidate)) == candidate
    with suppress(BadRecord):
        load_link(b"k", data)
    for packed in (data, zlib.compress(data, 1)):
        with suppress(BadRecord):
            seen = load_page(packed)
            assert load_page(dump_page(seen)) == seen


TARGETS: dict[str, Callable[[bytes], None]] = {
    "page": page,
    "product": product,
    "sitemap": sitemap,
    "url": url,
    "logs": logs,
    "records": records,
}
