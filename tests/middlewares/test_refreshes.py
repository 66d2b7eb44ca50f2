"""A page's refresh is followed as Scrapy follows it, and other pages are not decoded for it."""

import pytest
from scrapy import Request
from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware
from scrapy.http import HtmlResponse, Response
from scrapy.utils.test import get_crawler

from fcacrawler.middlewares.refreshes import Refreshes

URL = "http://e.test/a"
REFRESH = '<html><head><meta http-equiv="Refresh" content="0; url=/b"></head></html>'
BODIES = [
    REFRESH.encode(),
    REFRESH.upper().encode(),
    b"<noscript>" + REFRESH.encode() + b"</noscript>",
    b"<!-- " + REFRESH.encode() + b" -->",
    ("<p>" + "\u65e5" * 4000 + REFRESH).encode(),
    b" " * 4200 + REFRESH.encode(),
    b"<p>Refresh yourself.",
    b"<p>Nothing.",
    b"",
]


def followed(body: bytes, kind: type[MetaRefreshMiddleware] = Refreshes, encoding: str = "utf-8") -> Request | Response:
    response = HtmlResponse(URL, body=body, encoding=encoding)
    return kind.from_crawler(get_crawler()).process_response(Request(URL), response)


@pytest.mark.parametrize("body", BODIES)
def test_refreshes_are_followed_as_by_scrapy(body: bytes) -> None:
    ours, its = followed(body), followed(body, MetaRefreshMiddleware)
    assert type(ours) is type(its)
    assert ours.url == its.url


def test_letters_of_two_bytes_are_read_as_pages_are_read() -> None:
    assert followed(REFRESH.encode("utf-16"), encoding="utf-16").url == "http://e.test/b"


@pytest.mark.parametrize("where", ["http://[", "http://a:99999/", "http://a b/", "http://a%00b/", "file:///etc/passwd"])
def test_a_refresh_to_no_url_of_the_web_is_none(where: str) -> None:
    assert isinstance(followed(REFRESH.replace("/b", where).encode()), Response)


@pytest.mark.parametrize("codec", ["punycode", "idna", "rot13", "hex", "zlib", "unicode_escape", "utf-7"])
def test_no_codec_of_pythons_own_is_asked_for_it(codec: str) -> None:
    """Some take a time that grows with the square of the page's length, some fail."""
    page = f"<meta charset={codec}>{REFRESH}"
    assert followed(page.encode(), encoding=codec).url == "http://e.test/b"


def test_a_page_without_the_word_is_not_decoded() -> None:
    response = HtmlResponse(URL, body=b"<p>Nothing.")
    assert Refreshes.from_crawler(get_crawler()).process_response(Request(URL), response) is response
    assert response._cached_ubody is None
