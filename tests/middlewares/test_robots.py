"""What robots.txt asks for and tells: Crawl-delay and sitemaps."""

from __future__ import annotations

import gzip
from itertools import pairwise
from math import isfinite
from typing import Any

import pytest
from aiohttp import web

from fcacrawler.app.assembly import ORDERS
from fcacrawler.downloads import hosts
from fcacrawler.middlewares import robots as rules
from fcacrawler.page import key_of, read_sitemap
from fcacrawler.values.links import Candidate, Evidence
from tests.manners import crawled, dropped
from tests.orders.pages import given
from tests.site import Handler, Site, page, serving

OBEY = {"ROBOTSTXT_OBEY": True, "FCA_SITEMAPS": 100}


def plain(text: str | bytes, kind: str = "text/plain") -> Handler:
    body = text if isinstance(text, bytes) else text.encode()

    async def answer(request: web.Request) -> web.Response:
        return web.Response(body=body, content_type=kind)

    return answer


def numbered(count: int) -> dict[str, Any]:
    links = {f"/{n}": f"page {n}" for n in range(count)}
    return {"/": page("Start", links=links), **{f"/{n}": page(f"Page {n}") for n in range(count)}}


def gaps(site: Site) -> list[float]:
    return [b - a for (a, _), (b, _) in pairwise(site.hits)]


@pytest.mark.parametrize(
    ("asked", "bound", "kept"), [("0.3", 60, 0.3), ("1000", 0.2, 0.2), ("1000", 0, 0), ("-1", 60, 0), ("soon", 60, 0)]
)
def test_a_crawl_delay_is_kept_up_to_a_bound(asked: str, bound: float, kept: float) -> None:
    robots = plain(f"User-agent: *\nCrawl-delay: {asked}\n")
    with serving({"/robots.txt": robots, **numbered(3)}) as site:
        settings = {"AUTOTHROTTLE_ENABLED": True, "AUTOTHROTTLE_START_DELAY": 0, "FCA_CRAWL_DELAY": bound}
        outcome = crawled(site.url("/"), {**OBEY, **settings, "CONCURRENT_REQUESTS": 8})
        assert min(gaps(site)) >= kept / 2  # as the server sees it: what was sent exactly arrives a little unevenly
        assert site.hits[-1][0] - site.hits[0][0] >= 4 * kept - 0.1
    assert len(outcome.items) == 4


def test_other_hosts_are_not_slowed_by_one_hosts_delay() -> None:
    pages = {"/robots.txt": plain("User-agent: *\nCrawl-delay: 1\n"), **numbered(1)}
    with serving(pages, "127.0.0.2") as slow, serving(numbered(30)) as site:
        crawled(f"{slow.url('/')},{site.url('/')}", {**OBEY, "CONCURRENT_REQUESTS": 8})
        first, last = slow.hits[1][0], slow.hits[-1][0]
        assert last - first >= 0.9
        assert len([at for at, _ in site.hits if at < last]) >= 30


def test_delays_of_more_hosts_than_are_remembered_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (rules, hosts):
        monkeypatch.setattr(module, "HOSTS", 1)
    robots = plain("User-agent: *\nCrawl-delay: 0.2\n")
    news = {f"/{n}": page(f"News {n}") for n in range(3)} | {"/": page("News", links={f"/{n}": "n" for n in range(3)})}
    old = {"/robots.txt": robots, **numbered(3)}
    with serving(old, "127.0.0.2") as one, serving({"/robots.txt": robots, **news}) as other:
        crawled(f"{one.url('/')},{other.url('/')}", {**OBEY, "CONCURRENT_REQUESTS": 8})
        for site in (one, other):
            assert site.hits[-1][0] - site.hits[0][0] >= 4 * 0.2 - 0.1


def test_a_hosts_own_delay_and_concurrency_are_kept() -> None:
    with serving(numbered(3)) as site:
        slots = {"127.0.0.1": {"delay": 0.2, "concurrency": 1}}
        crawled(site.url("/"), {"DOWNLOAD_SLOTS": slots, "CONCURRENT_REQUESTS": 8})
        assert site.hits[-1][0] - site.hits[0][0] >= 0.5


@pytest.mark.parametrize(("name", "value", "times"), [("DAY", 86_400.0, 1), ("DAY", -1.0, 4), ("HOSTS", 0, 4)])
def test_rules_are_kept_for_a_day_and_for_so_many_hosts(
    name: str, value: float, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, name, value)
    with serving({"/robots.txt": plain("User-agent: *\nDisallow: /2\n"), **numbered(4)}) as site:
        crawled(site.url("/"), OBEY)
        assert sorted(site.fetched) == ["/", "/0", "/1", "/3"]
        assert len(site.hits) - 4 in (times, times + 1)  # for /2 too


def urlset(*urls: str) -> str:
    return f"<urlset>{''.join(f'<url><loc>{u}</loc><lastmod>2030-01-01</lastmod></url>' for u in urls)}</urlset>"


def with_sitemaps(site: Site, count: int = 3) -> None:
    """robots.txt → an index → a compressed sitemap of pages that nothing links to."""
    index = f"<sitemapindex><sitemap><loc>{site.url('/pages.xml.gz')}</loc></sitemap></sitemapindex>"
    pages = urlset(*(site.url(f"/hidden/{n}") for n in range(count)), "http://elsewhere.test/", "ftp://x/")
    site.pages["/robots.txt"] = plain(f"User-agent: *\nDisallow: /private\nSitemap: {site.url('/index.xml')}\n")
    site.pages["/index.xml"] = plain(index, "application/xml")
    site.pages["/pages.xml.gz"] = plain(gzip.compress(pages.encode()), "application/gzip")
    site.pages.update({f"/hidden/{n}": page(f"Hidden {n}") for n in range(count)})


def test_pages_in_a_compressed_sitemap_behind_an_index_are_found() -> None:
    with serving({"/": page("Start")}) as site:
        with_sitemaps(site)
        outcome = crawled(site.url("/"), OBEY)
        assert set(site.fetched) >= {"/hidden/0", "/hidden/1", "/hidden/2"}
        hidden = outcome.items[1]
        assert (hidden.parent, hidden.depth, hidden.anchor) == (site.url("/pages.xml.gz"), 1, "")
    assert (outcome.stats["fca/pages"], outcome.stats["fca/sitemap_urls"]) == (4, 3)


def test_they_are_not_read_unless_asked_for() -> None:
    with serving({"/": page("Start")}) as site:
        with_sitemaps(site)
        crawled(site.url("/"), {"ROBOTSTXT_OBEY": True})
        assert site.fetched == ["/"]


def test_only_so_many_urls_are_taken_and_rules_hold_for_them() -> None:
    with serving({"/": page("Start")}) as site:
        with_sitemaps(site, 8)
        outcome = crawled(site.url("/"), {**OBEY, "FCA_SITEMAPS": 4}, deny="/hidden/2")
    assert (outcome.stats["fca/pages"], dropped(outcome)) == (4, {"deny": 1})


def test_sitemaps_that_lead_round_in_a_circle_or_cannot_be_had_end() -> None:
    with serving({"/": page("Start")}) as site:
        circle = f"<sitemapindex><loc>{site.url('/a.xml')}</loc><loc>{site.url('/none.xml')}</loc></sitemapindex>"
        site.pages["/robots.txt"] = plain(f"Sitemap: {site.url('/a.xml')}\nSitemap: http://127.0.0.1:9/x.xml\n")
        site.pages["/a.xml"] = plain(circle)
        outcome = crawled(site.url("/"), OBEY)
        assert len(site.hits) < 12
    assert outcome.reason == "exhausted"


def test_a_sitemap_that_is_refused_is_read_later() -> None:
    refusals = [web.Response(status=503, headers={"Retry-After": "0"})]
    with serving({"/": page("Start"), "/hidden": page("Hidden")}) as site:

        async def sitemap(request: web.Request) -> web.Response:
            return refusals.pop() if refusals else web.Response(text=urlset(site.url("/hidden")))

        site.pages["/robots.txt"] = plain(f"Sitemap: {site.url('/s.xml')}\n")
        site.pages["/s.xml"] = sitemap
        outcome = crawled(site.url("/"), {**OBEY, "DOWNLOAD_DELAY": 0.1})
    assert outcome.stats["fca/pages"] == 2


@pytest.mark.parametrize(
    ("body", "urls"),
    [
        (b"http://a.b/1\r\nhttp://a.b/2\n\nnonsense\n", ["http://a.b/1", "http://a.b/2"]),
        (b"\xef\xbb\xbf<urlset><url><loc><![CDATA[http://a.b/?x=1&y=2]]></loc></url>", ["http://a.b/?x=1&y=2"]),
        (b"<urlset><url><loc>http://a.b/1</loc><image:loc>http://a.b/1.jpg</image:loc>", ["http://a.b/1"]),
        (b"<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><urlset><loc>&e;</loc></urlset>", []),
        (b"<loc>http://a.b/" + b"x" * 10**6, []),
        (b"\x1f\x8bbroken", []),
        (gzip.compress(urlset("http://a.b/1").encode())[:-9], ["http://a.b/1"]),
        (b"", []),
    ],
)
def test_of_a_strange_sitemap_what_can_be_read_is_read(body: bytes, urls: list[str]) -> None:
    assert list(read_sitemap(body, 10).urls) == urls


def test_a_sitemap_that_unpacks_to_many_times_its_size_is_read_in_part() -> None:
    bomb = gzip.compress(b"<urlset><loc>http://a.b/1</loc>" + b" " * 2**26, 9)
    assert read_sitemap(bomb, 10).urls == ("http://a.b/1",)


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_can_rank_a_link_that_a_sitemap_alone_names(order: str) -> None:
    url = "http://a.test/racing"
    named = Candidate(key_of(url).key, url, "a.test", 1, (Evidence("http://a.test/sitemap.xml", "", "", 0, 100),))
    (rank,) = ORDERS[order](given("book")).rank([named])
    assert isfinite(rank)
