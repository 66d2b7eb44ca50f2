"""A sitemap (sitemaps.org) → the URLs that it lists: XML or a URL a line, compressed or not; pages or sitemaps."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from html import unescape

from fcacrawler.page.identity.urls import LONGEST, canonical_url

LARGEST = 16 << 20  # bytes that are read, unpacked
_LOC = re.compile(rb"<loc>([^<]{1,%d}|<!\[CDATA\[[^\]]{1,%d})" % (2 * LONGEST, 2 * LONGEST))
_INDEX = re.compile(rb"<(?:\w+:)?sitemapindex\b")


@dataclass(frozen=True, slots=True)
class Sitemap:
    """URLs in the order of the file, canonical, each once."""

    urls: tuple[str, ...]
    index: bool  # they are sitemaps, not pages


def read_sitemap(body: bytes, most: int) -> Sitemap:
    """The first ``most`` URLs. What is broken is passed over; nothing outside the body is looked at.

    >>> read_sitemap(b"<urlset><url><loc> http://a.b/?x=1&amp;y=2 </loc></url></urlset>", 10)
    Sitemap(urls=('http://a.b/?x=1&y=2',), index=False)
    """
    if body.startswith(b"\x1f\x8b"):
        try:
            body = zlib.decompressobj(31).decompress(body, LARGEST)
        except zlib.error:
            body = b""
    body = body[:LARGEST]
    markup = body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
    found: dict[str, None] = {}
    for match in (_LOC if markup else re.compile(rb"([^\r\n]+)")).finditer(body):
        text = match[1].removeprefix(b"<![CDATA[").decode("utf-8", "replace")
        if url := canonical_url(unescape(text) if markup else text):
            found[url] = None
            if len(found) >= most:
                break
    return Sitemap(tuple(found), markup and _INDEX.search(body[:4096]) is not None)
