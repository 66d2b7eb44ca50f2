"""Which links a crawl does not follow, over HTTP; each is counted by its rule."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from aiohttp import web

from fcacrawler.app.config import read_config
from fcacrawler.app.explain import Job
from fcacrawler.crawl.rules import RuleOptions, Rules
from fcacrawler.values.errors import BadOptions
from tests.manners import crawled, dropped
from tests.redis_server import serving as redis
from tests.site import Handler, page, serving

ROOT = Path(__file__).parents[2]


def test_allow_and_deny_choose_links_by_their_urls() -> None:
    links = {"/race/1": "one", "/race/2?print=1": "two", "/about": "about"}
    pages = {"/": page("Start", links=links), "/race/1": page("One"), "/race/2": page("Two"), "/about": page("About")}
    with serving(pages) as site:
        outcome = crawled(site.url("/"), allow="/race/", deny="print=")
        assert site.fetched == ["/", "/race/1"]
    assert dropped(outcome) == {"deny": 1, "not in allow": 1}


def test_a_redirect_leads_no_farther_than_a_link_would() -> None:
    async def moved(request: web.Request) -> web.Response:
        return web.Response(status=302, headers={"Location": "/private/1"})

    pages = {"/": page("Start", links={"/moved": "moved"}), "/moved": moved, "/private/1": page("Private")}
    with serving(pages) as site:
        outcome = crawled(site.url("/"), deny="/private/")
        assert site.fetched == ["/", "/moved"]
    assert dropped(outcome) == {"deny": 1}


def test_links_that_are_too_long_or_not_to_be_followed_are_counted() -> None:
    links = {"/" + "x" * 5000: "long", "data:," + "x" * 5000: "no link", "mailto:a@b": "mail"}
    shut = page("Shut", links={"/2": "two", "/3": "three"}).replace(
        "<head>", "<head><meta name=robots content=nofollow>"
    )
    with serving({"/": page("Start", links={**links, "/shut": "shut"}), "/shut": shut}) as site:
        outcome = crawled(site.url("/"))
        assert site.fetched == ["/", "/shut"]
    assert dropped(outcome) == {"URL too long": 1, "nofollow": 2}


def test_where_a_seed_leads_is_home_too() -> None:
    with serving({"/": page("New home", links={"/2": "two"}), "/2": page("Two")}, "127.0.0.2") as new:

        async def moved(request: web.Request) -> web.Response:
            return web.Response(status=301, headers={"Location": new.url("/")})

        with serving({"/": moved}) as old:
            assert len(crawled(old.url("/"), stay="host").items) == 2


@pytest.mark.parametrize("store", ["sqlite", "redis"])
def test_home_is_known_wherever_the_crawl_goes_on(store: str, tmp_path: Path) -> None:
    """Also where a seed led an earlier run, or another worker; and it is what explain goes by."""
    pages: dict[str, str | Handler] = {"/": page("New home", links={f"/{n}": f"page {n}" for n in range(6)})}
    with serving({**pages, **{f"/{n}": page(f"Page {n}") for n in range(6)}}, "127.0.0.2") as new, ExitStack() as open_:

        async def moved(request: web.Request) -> web.Response:
            return web.Response(status=301, headers={"Location": new.url("/")})

        old = open_.enter_context(
            serving({"/": page("Start", links={"/1": "one"}), "/1": page("One"), "/moved": moved})
        )
        frontier = open_.enter_context(redis()).url if store == "redis" else "sqlite"
        for pages_so_far in (3, 20):
            outcome = crawled(
                f"{old.base},{old.url('/moved')}",
                {"JOBDIR": str(tmp_path), "FCA_FRONTIER": frontier, "CONCURRENT_REQUESTS": 1},
                stay="host",
                order="bfs",
                pages=str(pages_so_far),
            )
            if store == "sqlite" and pages_so_far == 3:
                with closing(Job(tmp_path)) as job:
                    assert "off-site" not in job.explain(new.url("/5")).why
        assert dropped(outcome) == {}
        assert sorted(new.fetched) == ["/", *(f"/{n}" for n in range(6))]
        assert sorted(old.fetched) == ["/", "/1", "/moved"]


def test_a_seed_is_fetched_whatever_the_rules_say() -> None:
    with serving({"/start": page("Start", links={"/other": "other"})}) as site:
        crawled(site.url("/start"), allow="/nowhere", stay="site")
        assert site.fetched == ["/start"]


def test_staying_on_the_site_leaves_other_hosts_alone() -> None:
    with serving({"/": page("Other")}) as other:
        away = other.base.replace("127.0.0.1", "127.0.0.2")
        with serving({"/": page("Start", links={away + "/": "away", "/2": "two"}), "/2": page("Two")}) as site:
            assert dropped(crawled(site.url("/"), stay="site")) == {"off-site": 1}
            assert site.fetched == ["/", "/2"]
        assert other.fetched == []


@pytest.mark.parametrize(
    ("stay", "host", "rule"),
    [
        ("site", "example.co.uk", None),
        ("site", "shop.example.co.uk", None),
        ("site", "other.co.uk", "off-site"),
        ("site", "co.uk", "off-site"),
        ("host", "www.example.co.uk", None),
        ("host", "example.co.uk", None),
        ("host", "shop.example.co.uk", "off-site"),
        ("any", "other.co.uk", None),
    ],
)
def test_a_site_is_what_one_owner_has_under_a_public_suffix(stay: str, host: str, rule: str | None) -> None:
    rules = Rules(RuleOptions(stay=stay)).at_home_on(["www.example.co.uk"])
    assert rules.against(f"http://{host}/", host, 1) == rule


def test_tenants_of_one_suffix_are_strangers() -> None:
    rules = Rules(RuleOptions(stay="site")).at_home_on(["me.github.io"])
    assert rules.against("https://you.github.io/", "you.github.io", 1) == "off-site"
    assert rules.against("https://a.me.github.io/", "a.me.github.io", 1) is None


def test_a_bad_pattern_is_told_together_with_everything_else_that_is_wrong() -> None:
    with pytest.raises(BadOptions) as raised:
        read_config({}, {"allow": "(", "deny": "[", "stay": "home"})
    first, second, third = raised.value.problems
    assert "-a allow=(: is not a regular expression" in first
    assert "-a deny=[: is not a regular expression" in second
    assert "must be one of site, host, any" in third


def test_the_list_of_suffixes_is_read_without_network_and_only_where_it_is_needed() -> None:
    code = (
        "import socket, sys; socket.socket.connect = lambda *a: sys.exit('network')\n"
        "from fcacrawler.crawl.rules import Rules, site_of; Rules().against('http://a.b/', 'a.b', 1)\n"
        "assert 'tldextract' not in sys.modules\n"
        "assert site_of('a.b.co.uk') == 'b.co.uk'"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
