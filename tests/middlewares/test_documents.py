"""PDF, plain text and feeds come in as pages where they are asked for, and only there."""

from __future__ import annotations

from typing import Any

import pytest
from aiohttp import web

from tests.manners import crawled
from tests.page.test_documents import pdf, written
from tests.site import Handler, page, serving

FEED = b"<rss><channel><title>News</title><item><title>Tea</title><link>/tea</link></item></channel></rss>"


def sending(body: bytes, kind: str) -> Handler:
    async def answer(request: web.Request) -> web.Response:
        return web.Response(body=body, content_type=kind)

    return answer


SITE: dict[str, Any] = {
    "/": page("Start", links={"/a.pdf": "on paper", "/news.rss": "news", "/notes.txt": "notes"}),
    "/a.pdf": sending(pdf(written("Tea on paper, printed well."), about=b"/Title (Paper)"), "application/pdf"),
    "/news.rss": sending(FEED, "application/rss+xml"),
    "/notes.txt": sending(b"Notes\n\nSee http://127.0.0.1/x", "text/plain"),
    "/tea": page("Tea"),
}


@pytest.mark.parametrize(
    ("read", "kinds"),
    [
        ("", {"Start": "html"}),
        ("text,feed", {"Start": "html", "News": "feed", "Tea": "html", "Notes": "text"}),
        ("pdf", {"Start": "html", "Paper": "pdf"}),
    ],
)
def test_what_is_asked_for_is_read(read: str, kinds: dict[str, str]) -> None:
    with serving(SITE) as site:
        outcome = crawled(site.url("/"), {"FCA_READ": read}, allow="127.0.0.1:")
        assert ("/a.pdf" in site.fetched) == ("pdf" in read)
    assert {item.title: item.kind for item in outcome.items} == kinds
    texts = {item.title: item.text for item in outcome.items}
    if "pdf" in read:
        assert texts["Paper"] == "Tea on paper, printed well."
        assert outcome.stats["fca/documents/pdf"] == 1


def test_a_pdf_that_cannot_be_read_is_counted() -> None:
    with serving({**SITE, "/a.pdf": sending(b"%PDF-1.4 broken", "application/pdf")}) as site:
        outcome = crawled(site.url("/"), {"FCA_READ": "pdf", "LOG_LEVEL": "CRITICAL"})
    assert [item.title for item in outcome.items] == ["Start"]
    assert outcome.stats["fca/documents/pdf_not_read"] == 1
