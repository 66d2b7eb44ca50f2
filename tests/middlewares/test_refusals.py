"""A host that wants to be left alone is, while others go on; what it refused is fetched later, and counted once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from aiohttp import web

from fcacrawler.crawl.manners import MannersOptions
from fcacrawler.downloads.cooling import Cooling
from tests.manners import crawled
from tests.site import Site, page, serving

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def refusing(times: int, status: int = 429, **headers: str) -> Handler:
    """A page that is refused so many times and then answered."""
    left = [times]

    async def answer(request: web.Request) -> web.Response:
        if left[0]:
            left[0] -= 1
            return web.Response(status=status, headers={k.replace("_", "-"): v for k, v in headers.items()})
        return web.Response(text=page("At last", "auto racing"), content_type="text/html")

    return answer


def times(site: Site, path: str) -> list[float]:
    return [at for at, hit in site.hits if hit == path]


def gaps(site: Site, path: str) -> list[float]:
    return [b - a for a, b in pairwise(times(site, path))]


def test_the_host_is_left_alone_for_as_long_as_it_asks_while_another_goes_on() -> None:
    with serving({"/busy": refusing(1, Retry_After="1"), "/b2": page("B2")}, "127.0.0.2") as busy:
        links = {busy.url("/b2"): "b2", **{f"/{n}": f"page {n}" for n in range(20)}}
        pages = {"/": page("Start", links=links), **{f"/{n}": page(f"Page {n}") for n in range(20)}}
        with serving(pages) as other:
            outcome = crawled(f"{busy.url('/busy')},{other.url('/')}", order="bfs")  # which knows no γ
            (pause,) = gaps(busy, "/busy")
            first, again = times(busy, "/busy")
            assert pause >= 0.99
            assert [path for at, path in busy.hits if first < at < again] == []
            assert sum(first < at < again for at, _ in other.hits) > 10
    assert outcome.stats["fca/pages"] == 23
    assert outcome.stats["fca/refused"] == 1


def test_what_is_below_gamma_need_not_wait_for_a_pause() -> None:
    with serving({"/race": refusing(1, Retry_After="1")}, "127.0.0.2") as busy:
        links = {busy.url("/race"): "auto racing", "/x": "nothing of the kind"}
        pages = {"/": page("Auto racing", "auto racing " * 20, links), "/x": page("X")}
        with serving(pages) as site:
            crawled(site.url("/"), {"FCA_GAMMA": 0.3}, order="keyword")
            assert [path for _, path in busy.hits] == ["/race", "/race"]
            assert busy.hits[0][0] < site.hits[-1][0] < busy.hits[1][0]


def test_it_may_say_so_by_a_date() -> None:
    date = datetime.now(UTC)
    soon = {"Date": format_datetime(date, usegmt=True), "Retry_After": format_datetime(date + timedelta(seconds=1))}
    with serving({"/": refusing(1, status=503, **soon)}) as site:
        outcome = crawled(site.url("/"))
        assert gaps(site, "/")[0] >= 0.99
    assert len(outcome.items) == 1


def test_without_a_word_the_pause_doubles() -> None:
    with serving({"/": refusing(3, status=503)}) as site:
        outcome = crawled(site.url("/"), {"FCA_BACKOFF": 0.1})
        first, second, third = gaps(site, "/")
        assert (first >= 0.1, second >= 0.2, third >= 0.4) == (True, True, True)
    assert (outcome.stats["fca/pages"], len(outcome.items)) == (1, 1)


def test_an_hour_is_not_waited_if_the_user_has_less_patience() -> None:
    with serving({"/": refusing(1, Retry_After="3600")}) as site:
        assert len(crawled(site.url("/"), {"FCA_LONGEST_BACKOFF": 0.1}).items) == 1


def test_what_is_refused_again_and_again_is_given_up() -> None:
    pages = {"/": page("Start", links={"/never": "never", "/2": "two"}), "/never": refusing(10**6), "/2": page("Two")}
    with serving(pages) as site:
        outcome = crawled(site.url("/"), {"FCA_BACKOFF": 0.01, "FCA_ATTEMPTS": 3})
        assert Counter(site.fetched) == {"/": 1, "/never": 3, "/2": 1}
    assert (outcome.stats["fca/pages"], outcome.reason) == (2, "exhausted")


def test_a_server_that_refuses_at_random_gives_all_its_pages_in_the_end(tmp_path: Path) -> None:
    dice = Random(7)
    answered: Counter[str] = Counter()

    async def answer(request: web.Request) -> web.Response:
        if dice.random() < 0.3:
            return web.Response(status=dice.choice((429, 503)), headers={"Retry-After": "0"})
        answered[request.path] += 1
        links = {f"/{n}": f"page {n}" for n in range(60)} if request.path == "/" else {}
        return web.Response(text=page(f"Page {request.path}", links=links), content_type="text/html")

    with serving({"/": answer, **{f"/{n}": answer for n in range(60)}}) as site:
        settings = {"CONCURRENT_REQUESTS": 8, "FCA_TRAPS": False, "JOBDIR": str(tmp_path)}
        outcome = crawled(site.url("/"), settings)
        assert len(site.fetched) == 61 + outcome.stats["fca/refused"] > 70
    assert (len(answered), set(answered.values())) == (61, {1})
    assert (len(outcome.items), outcome.stats["fca/pages"], outcome.reason) == (61, 61, "exhausted")


def test_a_refused_page_is_counted_once_against_the_budget() -> None:
    links = {f"/{n}": f"page {n}" for n in range(9)}
    pages = {"/": page("Start", links=links), **{f"/{n}": refusing(1, Retry_After="0") for n in range(9)}}
    with serving(pages) as site:
        outcome = crawled(site.url("/"), pages=5)
    assert (len(outcome.items), outcome.stats["fca/pages"], outcome.reason) == (5, 5, "budget")


def test_a_redirect_to_a_host_that_refuses_holds_up_nobody() -> None:
    with serving({"/busy": refusing(1, Retry_After="1")}, "127.0.0.2") as busy:

        async def moved(request: web.Request) -> web.Response:
            return web.Response(status=302, headers={"Location": busy.url("/busy")})

        pages = {"/": page("Start", links={"/moved": "moved", "/2": "two"}), "/moved": moved, "/2": page("Two")}
        with serving(pages) as site:
            outcome = crawled(site.url("/"))
            assert Counter(site.fetched) == {"/": 1, "/moved": 1, "/2": 1}
            assert gaps(busy, "/busy")[0] >= 0.99
    assert [item.title for item in outcome.items] == ["Start", "Two", "At last"]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_nothing_is_fetched_of_a_host_whose_robots_txt_cannot_be_had(status: int) -> None:
    pages = {"/robots.txt": refusing(2, status), "/": page("Start", links={"/2": "two"}), "/2": page("Two")}
    with serving(pages) as site:
        assert len(crawled(site.url("/"), {"ROBOTSTXT_OBEY": True, "FCA_BACKOFF": 0.1}).items) == 2
        assert [path for _, path in site.hits] == ["/robots.txt"] * 3 + ["/", "/2"]
        first, second = gaps(site, "/robots.txt")
        assert (first >= 0.1, second >= 0.2) == (True, True)


def test_what_was_under_way_when_a_pause_began_makes_the_next_one_no_longer() -> None:
    now = [0.0]
    cooling = Cooling(MannersOptions(backoff=1.0, longest_backoff=100.0), lambda: now[0])
    for _ in range(5):
        cooling.refused("a", None)
    assert (cooling.left("a"), cooling.left("b"), cooling.next()) == (1.0, 0.0, 1.0)
    now[0] = 1.5
    cooling.refused("a", None)
    assert cooling.left("a") == 2.0
    cooling.refused("a", 10**9)
    assert cooling.left("a") == 100.0
    now[0] = 200.0
    cooling.answered("a")
    cooling.refused("a", 0.0, least=0.5)
    assert cooling.left("a") == 0.5


def test_of_hosts_without_end_those_are_remembered_that_are_to_be_left_alone_longest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("fcacrawler.downloads.cooling.HOSTS", 2)
    cooling = Cooling(MannersOptions(), lambda: 0.0)
    for seconds in (3.0, 9.0, 1.0, 7.0, 5.0):
        cooling.refused(f"host{seconds:.0f}", seconds)
    assert (cooling.left("host9"), cooling.left("host7"), len(cooling)) == (9.0, 7.0, 2)
