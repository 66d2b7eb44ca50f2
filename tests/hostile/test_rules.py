"""The rules behind the rows, without a crawl."""

from __future__ import annotations

import logging

import pytest

from fcacrawler.crawl.traps import CHAIN, COPIES, MISSED, Traps
from fcacrawler.middlewares.guard import without_escapes
from fcacrawler.page.identity.addresses import is_private


@pytest.mark.parametrize(
    "address",
    [
        *(
            "127.0.0.1",
            "127.8.8.8",
            "0.0.0.0",
            "10.0.0.1",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
        ),
        *("224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "ff02::1"),
        *("::ffff:127.0.0.1", "::ffff:10.0.0.1"),
        *("2852039166", "0x7f.1", "0177.1", "127.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:a9fe:a9fe::"),
        *("fec0::1", "2001:0:5db8:d822::80ff:fffe", "2001:db8::1", "5f00::1", "240.0.0.1"),
    ],
)
def test_an_address_in_somebodys_own_network_is_private(address: str) -> None:
    assert is_private(address)


@pytest.mark.parametrize(
    "address", ["93.184.216.34", "8.8.8.8", "2606:2800:220:1::1", "::ffff:8.8.8.8", "64:ff9b::808:808", "cafe", ""]
)
def test_public_addresses_and_names_are_not(address: str) -> None:
    assert not is_private(address)


def test_a_log_line_that_does_not_fit_its_arguments_is_loggings_own_business() -> None:
    assert without_escapes(logging.LogRecord("x", logging.INFO, "x.py", 1, "%d", ("many",), None))


def followed(traps: Traps, steps: int, step: str) -> str | None:
    """Goes from number to number; the rule that ends it."""
    for n in range(steps):
        traps.observe(step.format(n), step.format(n - 1) if n else "http://e.test/", duplicate=False)
    return traps.rule(step.format(steps), step.format(steps - 1))


def test_a_chain_of_numbers_ends() -> None:
    assert followed(Traps(), CHAIN, "http://e.test/list?page={}") is None
    assert followed(Traps(), CHAIN + 1, "http://e.test/list?page={}") == "trap: numbers"
    assert followed(Traps(), CHAIN + 1, "http://e{}.test/") is None, "numbers of hosts are names"


def test_links_that_are_no_steps_of_a_chain_are_followed() -> None:
    traps = Traps()
    followed(traps, CHAIN + 1, "http://e.test/list?page={}")
    assert traps.rule("http://e.test/article/7", f"http://e.test/list?page={CHAIN}") is None
    assert traps.rule(f"http://e.test/list?page={CHAIN + 1}", "http://e.test/") is None


def test_copies_end_a_kind_of_links_until_one_of_them_is_new() -> None:
    traps = Traps()
    for n in range(COPIES):
        assert traps.rule(f"http://e.test/shop/{n}?sid={n}", "http://e.test/") is None
        traps.observe(f"http://e.test/shop/{n}?sid={n}", "http://e.test/", duplicate=True)
    traps.observe("http://e.test/shop/late?sid=0", "http://e.test/", duplicate=True)
    assert traps.rule("http://e.test/shop/a?sid=b", "http://e.test/") == "trap: copies"
    assert traps.rule("http://e.test/shop/a?id=b", "http://e.test/") is None
    assert traps.rule("http://other.test/shop/a?sid=b", "http://e.test/") is None
    traps.observe("http://e.test/shop/x?sid=y", "http://e.test/", duplicate=False)
    assert traps.rule("http://e.test/shop/a?sid=b", "http://e.test/") is None


@pytest.mark.parametrize("path", ["a/b/" * 5, "x/" * 10, "/".join(f"s{n}" for n in range(50))])
def test_paths_that_repeat_themselves_are_no_places(path: str) -> None:
    assert Traps().rule(f"http://e.test/{path}", "http://e.test/") == "trap: path"


@pytest.mark.parametrize("path", ["a/a/a/a/a/a", "docs/api/v1/core/docs/api/v2/core/docs/x", "//////////////"])
def test_paths_of_usual_length_may_repeat_a_name(path: str) -> None:
    assert Traps().rule(f"http://e.test/{path}", "http://e.test/") is None


def missed(traps: Traps, times: int, url: str) -> None:
    for n in range(times):
        traps.missing(url.format(n))


def test_a_folder_where_nothing_is_is_left_until_there_is_a_page() -> None:
    traps = Traps()
    traps.observe("http://e.test/", "", duplicate=False)
    missed(traps, MISSED - 1, "http://e.test/old/{}.html")
    assert traps.rule("http://e.test/old/x.html", "http://e.test/") is None
    missed(traps, 1, "http://e.test/old/{}.html")
    assert traps.rule("http://e.test/old/x.html", "http://e.test/") == "trap: missing"
    assert traps.rule("http://e.test/new/x.html", "http://e.test/") is None, "the host has had a page"
    traps.observe("http://e.test/old/y.html", "http://e.test/", duplicate=False)
    assert traps.rule("http://e.test/old/x.html", "http://e.test/") is None


def test_a_host_that_never_had_a_page_is_left_whatever_the_folder() -> None:
    traps = Traps()
    missed(traps, MISSED, "http://e.test/a{}/b")
    assert traps.rule("http://e.test/other", "http://f.test/") == "trap: missing"
    assert traps.rule("http://e.test:8080/other", "http://f.test/") is None, "another host"
