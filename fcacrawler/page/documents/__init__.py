"""What is no HTML and can be read as a page all the same: PDF, plain text, feeds. Each is made HTML of its own words,
so that there is one way to read a page, with one set of bounds.

Why so: decision 282.
"""

from __future__ import annotations

from fcacrawler.page.documents.feeds import html_of_feed
from fcacrawler.page.documents.pdf import PdfReader
from fcacrawler.page.documents.plain import html_of_text

HTML, PDF, TEXT, FEED = KINDS = ("html", "pdf", "text", "feed")
_FEEDS = ("application/rss+xml", "application/atom+xml", "application/rdf+xml")
_XML = ("application/xml", "text/xml")
_ROOTS = (b"<rss", b"<feed", b"<rdf:RDF")
_LOOKED_AT = 2000  # bytes of a body


def kind_of(content_type: str, body: bytes) -> str:
    """By its type, and where that says little by how it begins; "" for what is none of these.

    >>> kind_of("text/plain; charset=utf-8", b"x"), kind_of("application/xml", b"<rss>"), kind_of("text/html", b"")
    ('text', 'feed', '')
    >>> kind_of("", b"%PDF-1.4"), kind_of("text/plain", b"%PDF-1.4"), kind_of("text/xml", b"<a>")
    ('pdf', 'pdf', '')
    """
    kind = content_type.partition(";")[0].strip().lower()
    if body.startswith(b"%PDF-") and kind in ("", "application/octet-stream", "text/plain", "application/pdf"):
        return PDF
    if kind in _FEEDS or (kind in _XML and any(root in body[:_LOOKED_AT] for root in _ROOTS)):
        return FEED
    return TEXT if kind == "text/plain" else ""


__all__ = ["FEED", "HTML", "KINDS", "PDF", "TEXT", "PdfReader", "html_of_feed", "html_of_text", "kind_of"]
