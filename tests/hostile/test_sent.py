"""Answers that are too much, too slow, or broken on the way. A row of docs/results/hostile.md each."""

from __future__ import annotations

import pytest

from tests.hostile.answers import MEGABYTE
from tests.hostile.crawling import Crawled
from tests.hostile.server import Site

pytestmark = pytest.mark.slow
UNREAD = 64 * MEGABYTE  # what may wait in buffers of the system, and be lost with them


def test_a_body_of_a_gigabyte(sent: Crawled, site: Site) -> None:
    assert sent.item("/gigabyte") is None
    assert site.sent["127.0.0.1/gigabyte"] < UNREAD


def test_a_body_without_an_end(sent: Crawled, site: Site) -> None:
    assert sent.item("/endless") is None
    assert site.sent["127.0.0.1/endless"] < UNREAD


def test_a_film(sent: Crawled, site: Site) -> None:
    assert sent.item("/film") is None
    assert sent.count("fca/not_html") == 1
    assert site.sent["127.0.0.1/film"] < 16 * MEGABYTE, "less than is taken of a page"


def test_a_body_that_drips(sent: Crawled) -> None:
    assert sent.item("/dripping") is None
    assert sent.count("fca/failed/DownloadTimeoutError") >= 3


def test_headers_that_drip(sent: Crawled, site: Site) -> None:
    assert sent.item("/dripping-headers") is None
    assert site.sent["127.0.0.1/dripping-headers"] < 1000


def test_a_server_that_says_nothing(sent: Crawled) -> None:
    assert sent.item("/silent") is None
    assert sent.item("/plain") is not None, "others are served meanwhile"


def test_headers_without_an_end(sent: Crawled, site: Site) -> None:
    assert sent.item("/flood") is None
    assert site.sent["127.0.0.1/flood"] < UNREAD


def test_interim_answers_without_an_end(sent: Crawled, site: Site) -> None:
    assert sent.item("/interims") is None
    assert site.sent["127.0.0.1/interims"] < UNREAD


def bombed(sent: Crawled, path: str) -> bool:
    """Given up while it was unpacked, and told in the log."""
    told = "".join(sent.log.split())  # a terminal breaks lines
    return sent.item(path) is None and f"{path}>becauseitsbody" in told and "exceededDOWNLOAD_MAXSIZE" in told


def test_a_gzip_bomb(sent: Crawled) -> None:
    assert bombed(sent, "/gzip")


def test_a_deflate_bomb(sent: Crawled) -> None:
    assert bombed(sent, "/deflate")


def test_a_brotli_bomb(sent: Crawled) -> None:
    assert bombed(sent, "/brotli")


def test_a_zstandard_bomb(sent: Crawled) -> None:
    assert bombed(sent, "/zstd")


def test_a_gzip_bomb_in_gzip(sent: Crawled) -> None:
    assert bombed(sent, "/gzip-twice")


def test_a_length_that_is_too_long(sent: Crawled) -> None:
    assert sent.item("/too-short") is None
    assert sent.count("fca/failed/ResponseDataLossError") == 1


def test_a_length_that_is_too_short(sent: Crawled) -> None:
    item = sent.item("/too-long")
    assert item is not None
    assert (item["title"], item["text"]) == ("Auto racing", "")


def test_a_length_that_is_none(sent: Crawled) -> None:
    assert sent.item("/no-length") is None


def test_an_answer_that_is_no_http(sent: Crawled) -> None:
    assert sent.item("/no-http") is None
    assert sent.item("/nothing") is None
    assert "\x1b]0;" not in sent.log


def test_a_robots_txt_of_a_hundred_megabytes(sent: Crawled, site: Site) -> None:
    assert 0 < site.sent["127.0.0.2/robots.txt"] < UNREAD
    assert ("127.0.0.2", "/start") in site.hits
    assert ("127.0.0.2", "/forbidden") not in site.hits, "its beginning is obeyed"


def test_a_robots_txt_with_errors(sent: Crawled, site: Site) -> None:
    assert ("127.0.0.3", "/allowed") in site.hits
    assert ("127.0.0.3", "/forbidden") not in site.hits, "what can be read in it is obeyed"


def test_a_robots_txt_that_redirects_without_an_end(sent: Crawled, site: Site) -> None:
    assert site.hits.count(("127.0.0.4", "/robots.txt")) <= 21
    assert ("127.0.0.4", "/start") in site.hits


def test_sitemaps_that_are_a_loop_or_a_bomb_or_broken(sent: Crawled, site: Site) -> None:
    asked = [path for address, path in site.hits if address == "127.0.0.5"]
    assert {"/loop.xml", "/bomb.xml.gz", "/broken.xml", "/endless.xml"} <= set(asked)
    assert len(asked) < 30
    assert ("127.0.0.5", "/start") in site.hits


def test_all_of_them_together_take_little_memory(sent: Crawled) -> None:
    assert sent.megabytes < 600, "some 240 of them are those of a crawl of one plain page"
    assert sent.stats["finish_reason"] == "not_reached", "the host that says nothing"
