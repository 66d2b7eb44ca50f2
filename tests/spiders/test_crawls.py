"""The real spider against a real HTTP site."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path
from random import Random

import pytest
from aiohttp import web

from fcacrawler.items import PageItem
from fcacrawler.spiders.semrank import SemRankSpider
from tests.crawling import crawl
from tests.site import Site, page

RACING = "auto racing driver wins grand prix racing car laps circuit pit crew changes tyres engine speed track".split()
COOKING = "stir soup gently add salt bread butter serve stew glass wine onion garlic oven roast pepper spoon".split()
OTHER = "winter river village market street garden violin piano doctor teacher sailor cloud window letter song".split()


def text(words: list[str], seed: object) -> str:
    """120 words, mostly these, in an order of their own: no two texts are near-duplicates."""
    rng = Random(str(seed))
    return " ".join(rng.choices(words * 3 + OTHER, k=120))


RACE = text(RACING, "seed")


@pytest.fixture
def town(site: Site) -> Site:
    """A seed that links to a racing branch and a cooking branch, five pages each with three pages below."""
    kinds = (("cook", "soup recipe"), ("race", "auto racing"))
    links = {f"/{kind}/{n}": f"{anchor} {n}" for n in range(5) for kind, anchor in kinds}
    site.pages["/"] = page("Auto racing and more", RACE, links)
    for n in range(5):
        site.pages[f"/race/{n}"] = page(
            f"Auto racing {n}", text(RACING, n), {f"/race/{n}/{k}": f"racing car {k}" for k in "abc"}
        )
        site.pages[f"/cook/{n}"] = page(f"Soup {n}", text(COOKING, n), {f"/cook/{n}/{k}": f"bread {k}" for k in "abc"})
        for k in "abc":
            site.pages[f"/race/{n}/{k}"] = page(f"Racing car {n} {k}", text(RACING, (n, k)))
            site.pages[f"/cook/{n}/{k}"] = page(f"Bread {n} {k}", text(COOKING, (n, k)))
    return site


def test_pages_about_the_topic_are_fetched_first(town: Site) -> None:
    crawl(SemRankSpider, {"CONCURRENT_REQUESTS": 1}, topic="auto racing", seeds=town.base, pages="12")
    assert town.fetched[0] == "/"
    assert len(town.fetched) == 12
    assert all(path.startswith("/race") for path in town.fetched[1:])


def test_a_crawl_ends_where_so_much_is_found_as_was_asked_for(town: Site, tmp_path: Path) -> None:
    settings = {"CONCURRENT_REQUESTS": 1, "FCA_TUNNEL": "1000", "JOBDIR": str(tmp_path / "job")}
    asked = ("0.7", "0.7", "0")
    told = [crawl(SemRankSpider, settings, topic="auto racing", seeds=town.base, recall=recall) for recall in asked]
    assert [outcome.reason for outcome in told] == ["recall_reached", "recall_reached", "exhausted"]
    first, none, rest = (len(outcome.items) for outcome in told)
    assert 21 < first < 41 == first + rest == len(set(town.fetched))
    assert none == 0
    assert told[0].stats["fca/recall"] == told[1].stats["fca/recall"] > 0.7


def test_the_budget_is_exact(town: Site) -> None:
    outcome = crawl(
        SemRankSpider, {"CONCURRENT_REQUESTS_PER_DOMAIN": 8}, topic="auto racing", seeds=town.base, pages="7"
    )
    assert len(town.fetched) == 7
    assert outcome.stats["fca/pages"] == 7
    assert outcome.reason == "budget"


def test_an_item_has_every_field_and_no_nan(town: Site) -> None:
    outcome = crawl(SemRankSpider, topic="auto racing", seeds=town.base, pages="4")
    names = {f.name for f in dataclasses.fields(PageItem)}
    for item in outcome.items:
        written = {f: getattr(item, f) for f in names}
        assert json.loads(json.dumps(written, allow_nan=False))["topic"] == "auto racing"
        assert 0 <= item.semrank <= 1
        assert not math.isnan(item.rank_before_fetch)
    first, *others = outcome.items
    assert (first.depth, first.parent, first.path) == (0, None, [])
    assert all(item.path == [first.url] and item.parent == first.url and item.anchor for item in others)
    assert {"ext", "int", "w", "base_concept", "current_concept", "matched"} <= first.explanation.keys()


def test_the_text_can_be_left_out(town: Site) -> None:
    outcome = crawl(SemRankSpider, {"FCA_TEXT": "0"}, topic="auto racing", seeds=town.base, pages="2")
    assert [item.text for item in outcome.items] == ["", ""]


def test_a_crawl_ends_when_nothing_is_above_gamma_and_says_so(town: Site) -> None:
    outcome = crawl(SemRankSpider, {"FCA_TUNNEL": "3"}, topic="auto racing", seeds=town.base)
    assert outcome.reason == "nothing_above_gamma"
    assert 1 <= sum(item.rank_before_fetch <= 0.45 for item in outcome.items) <= 3


def test_a_crawl_ends_when_the_frontier_is_exhausted(site: Site) -> None:
    site.pages["/"] = page("Auto racing", RACE)
    outcome = crawl(SemRankSpider, topic="auto racing", seeds=site.base)
    assert outcome.reason == "exhausted"


def test_redirects_and_retries_are_one_page_each(site: Site) -> None:
    failures = iter([503, 503])

    async def flaky(request: web.Request) -> web.Response:
        status = next(failures, 200)
        body = page("Auto racing", text(RACING, "flaky"))
        return web.Response(status=status, text=body, content_type="text/html")

    async def moved(request: web.Request) -> web.Response:
        raise web.HTTPFound("/race/new")

    site.pages["/"] = page("Auto racing", RACE, {"/flaky": "auto racing", "/race/old": "grand prix"})
    site.pages["/flaky"] = flaky
    site.pages["/race/old"] = moved
    site.pages["/race/new"] = page("Grand prix", text(RACING, "new"))
    outcome = crawl(SemRankSpider, {"RETRY_TIMES": 2, "RETRY_BACKOFF": 0}, topic="auto racing", seeds=site.base)
    assert site.fetched.count("/flaky") == 3
    assert {item.final_url for item in outcome.items} >= {site.url("/race/new")}
    assert outcome.stats["fca/pages"] == 3


def test_robots_txt_is_obeyed(site: Site) -> None:
    async def robots(request: web.Request) -> web.Response:
        return web.Response(text="User-agent: *\nDisallow: /private/\n")

    site.pages["/robots.txt"] = robots
    site.pages["/"] = page("Auto racing", RACE, {"/private/1": "auto racing", "/open": "auto racing"})
    site.pages["/private/1"] = site.pages["/open"] = page("Auto racing open", text(RACING, "open"))
    crawl(SemRankSpider, topic="auto racing", seeds=site.base)
    assert site.fetched == ["/", "/open"]


def test_a_host_is_asked_no_sooner_than_its_delay_and_then_by_the_best_link(town: Site) -> None:
    crawl(SemRankSpider, {"DOWNLOAD_DELAY": 0.1}, topic="auto racing", seeds=town.base, pages="6")
    times = [t for t, path in town.hits if path != "/robots.txt"]
    assert times[-1] - times[0] >= 0.4  # five delays, less what a busy machine holds a request back
    assert all(path.startswith("/race") for path in town.fetched[1:])
