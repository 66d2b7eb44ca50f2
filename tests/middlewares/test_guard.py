"""Where a crawl is led: by proxies that resolve names, by names that change, and what it tells there."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from aiohttp import web

from fcacrawler.downloads.reach import Reach
from tests.hostile.answers import anchors, html, prose, static
from tests.hostile.crawling import crawl
from tests.hostile.server import serving as listening
from tests.manners import crawled
from tests.site import page, serving

INSIDE = {"inner.test": "127.0.0.2", "metadata.test": "169.254.169.254"}
HOSTS = ("localhost", "2852039166", "0x7f.1", "wiki", "db.internal", "[64:ff9b::a9fe:a9fe]", *INSIDE)
OUTSIDE = ("93.184.216.34", "unknown.test")


def test_behind_a_proxy_names_and_numbers_that_lead_inside_are_refused(tmp_path: Path) -> None:
    """The site is the proxy: it is asked for whole URLs."""
    linked = html(anchors(*(f"http://{host}/" for host in (*HOSTS, *OUTSIDE))) + prose("front"))
    rest = {f"http://{host}/": static(html(prose(host))) for host in (*HOSTS, *OUTSIDE)}
    with listening({"http://front.test/": static(linked), **rest}) as site:
        proxy = {"http_proxy": site.url(""), "no_proxy": ""}
        came = crawl(tmp_path, ["http://front.test/"], {"FCA_CONTACT": "me@e.org"}, INSIDE, proxy, order="bfs")
    assert {urlsplit(path).hostname for _, path in site.hits} == {"front.test", *OUTSIDE}
    assert came.count("fca/private_address") == len(HOSTS)


def test_a_seed_that_moves_into_another_private_network_is_not_followed_there(tmp_path: Path) -> None:
    settings = {"JOBDIR": str(tmp_path / "job")}
    linked = static(html(anchors("/more") + prose("seed")))
    with listening({"/": linked, "/more": static(html(prose("more")))}) as site:
        seed = f"http://own.test:{site.port}/"
        crawl(tmp_path, [seed], settings, {"own.test": "127.0.0.1"}, pages="1")
        came = crawl(tmp_path, [seed], settings, {"own.test": "127.1.0.1"}, pages="2")
        assert came.count("fca/private_address") == 1
        again = crawl(tmp_path, [seed], settings, {"own.test": "127.0.0.2"}, pages="3")
    assert not again.count("fca/private_address"), "in the same network it may move"


def test_a_public_seed_has_no_right_to_a_private_address_also_in_a_later_run(tmp_path: Path) -> None:
    for run in range(2):
        reach = Reach(everywhere=False, kept=tmp_path / "networks.tsv")
        reach.name("seed.test")
        assert reach.allows("seed.test", "93.184.216.34")
        reach.settle("seed.test")
        assert not reach.allows("seed.test", "169.254.169.254"), run


@pytest.mark.parametrize("damage", ["", "\0", "seed.test", "a\tb\tc\n\n", "seed.test\t\udcff"])
def test_a_damaged_record_of_networks_is_no_more_than_none(tmp_path: Path, damage: str) -> None:
    (tmp_path / "networks.tsv").write_bytes(damage.encode("utf-8", "surrogateescape"))
    reach = Reach(everywhere=False, kept=tmp_path / "networks.tsv")
    reach.name("other.test")
    assert reach.allows("other.test", "10.0.0.1")


def test_a_host_is_told_the_page_that_links_to_it_if_it_is_its_own_and_another_host_nothing_of_a_private_one() -> None:
    told: dict[str, str | None] = {}

    async def hear(request: web.Request) -> web.Response:
        told[request.path] = request.headers.get("Referer")
        return web.Response(text=page("Auto racing", "racing"), content_type="text/html")

    async def away(request: web.Request) -> web.Response:
        raise web.HTTPFound("/moved")

    with (
        serving({"/same": hear, "/away": away, "/moved": hear}) as site,
        serving({"/other": hear}, "127.0.0.2") as other,
    ):
        site.pages["/?q=secret"] = page("S", links={"/same": "s", "/away": "a", other.url("/other"): "o"})
        crawled(site.url("/?q=secret"))
    assert told == {"/same": site.url("/?q=secret"), "/moved": site.url("/away"), "/other": None}
