"""A page's refresh is followed as Scrapy follows it, and other pages are not decoded for it."""

import pytest
from scrapy import Request
from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware
from scrapy.http import HtmlResponse
from scrapy.utils.test import get_crawler

from fcacrawler.middlewares.observation import Refreshes

URL = "http://e.test/a"
REFRESH = '<html><head><meta http-equiv="Refresh" content="0; url=/b"></head></html>'
BODIES = [
    REFRESH.encode(),
    REFRESH.upper().encode(),
    REFRESH.encode("utf-16"),
    b"<noscript>" + REFRESH.encode() + b"</noscript>",
    b"<!-- " + REFRESH.encode() + b" -->",
    ("<p>" + "\u65e5" * 4000 + REFRESH).encode(),
    b" " * 4200 + REFRESH.encode(),
    b"<p>Refresh yourself.",
    b"<p>Nothing.",
    b"",
]


@pytest.mark.parametrize("body", BODIES)
def test_refreshes_are_followed_as_by_scrapy(body: bytes) -> None:
    request, encoding = Request(URL), "utf-16" if b"\0" in body else "utf-8"
    ours, its = (
        kind.from_crawler(get_crawler()).process_response(request, HtmlResponse(URL, body=body, encoding=encoding))
        for kind in (Refreshes, MetaRefreshMiddleware)
    )
    assert type(ours) is type(its)
    assert ours.url == its.url


def test_a_page_without_the_word_is_not_decoded() -> None:
    response = HtmlResponse(URL, body=b"<p>Nothing.")
    assert Refreshes.from_crawler(get_crawler()).process_response(Request(URL), response) is response
    assert response._cached_ubody is None
