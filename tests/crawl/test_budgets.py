"""No more than so many pages of a host and of a site, exactly."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from fcacrawler.addon import focus_of
from fcacrawler.crawl.budgets import Budgets
from fcacrawler.crawl.rules import RuleOptions
from tests.manners import crawled, dropped
from tests.site import page, serving


def numbered(count: int) -> dict[str, Any]:
    links = {f"/{n}": f"page {n}" for n in range(count)}
    return {"/": page("Start", links=links), **{f"/{n}": page(f"Page {n}") for n in range(count)}}


@pytest.mark.parametrize("at_once", [1, 8])
def test_every_host_gives_as_many_pages_as_it_may_and_the_crawl_ends(at_once: int) -> None:
    with serving(numbered(30)) as one, serving(numbered(3), "127.0.0.2") as other:
        settings = {"FCA_HOST_PAGES": 7, "CONCURRENT_REQUESTS": at_once}
        outcome = crawled(f"{one.url('/')},{other.url('/')}", settings)
        assert (len(one.fetched), len(other.fetched)) == (7, 4)
    assert (outcome.reason, dropped(outcome)) == ("exhausted", {"host budget": 24})


def test_a_fetch_without_a_response_does_not_count() -> None:
    async def broken(request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    with serving(numbered(6)) as site:
        site.pages.update({"/0": broken, "/1": broken})
        outcome = crawled(site.url("/"), {"FCA_HOST_PAGES": 4, "RETRY_ENABLED": False})
    assert len(outcome.items) == 4


def test_a_continued_crawl_goes_on_counting(tmp_path: Path) -> None:
    with serving(numbered(30)) as site:
        settings = {"JOBDIR": str(tmp_path), "FCA_HOST_PAGES": 7}
        crawled(site.url("/"), settings, pages=4)
        assert len(site.fetched) == 4
        outcome = crawled(site.url("/"), settings)
        assert len(site.fetched) == 7
    assert focus_of(outcome.crawler).parts.crawl.fetched == 7


def test_the_hosts_of_a_site_share_its_budget() -> None:
    budgets = Budgets(RuleOptions(host_pages=2, site_pages=3), {"a.x.co.uk": 1})
    assert budgets.used_up("a.x.co.uk") is None
    budgets.landed("a.x.co.uk", responded=True)
    assert (budgets.used_up("a.x.co.uk"), budgets.used_up("b.x.co.uk")) == ("host budget", None)
    budgets.left("b.x.co.uk")
    assert [budgets.full(host) for host in ("b.x.co.uk", "c.x.co.uk", "y.co.uk")] == [True, True, False]
    budgets.landed("b.x.co.uk", responded=True)
    assert budgets.used_up("c.x.co.uk") == "site budget"


def test_sites_are_counted_over_http() -> None:
    with serving(numbered(9)) as site:
        outcome = crawled(site.url("/"), {"FCA_SITE_PAGES": 5, "CONCURRENT_REQUESTS": 4})
        assert Counter(site.fetched).total() == 5
    assert dropped(outcome) == {"site budget": 5}
