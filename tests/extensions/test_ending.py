"""Why a crawl says that it ended."""

from __future__ import annotations

from pathlib import Path

import pytest
from aiohttp import web

from fcacrawler.addon import FAILURE
from tests.manners import crawled
from tests.site import page, serving


async def wrong(request: web.Request) -> web.Response:
    return web.Response(status=500)


def test_a_crawl_that_can_fetch_no_seed_fails_and_says_why(caplog: pytest.LogCaptureFixture) -> None:
    with serving({"/wrong": wrong, "/robots.txt": "User-agent: *\nDisallow: /shut"}) as site:
        away = site.base.replace("127.0.0.1", "127.0.0.3")
        seeds = ",".join(map(site.url, ("/wrong", "/gone", "/shut"))) + f",{away}/"
        settings = {"ROBOTSTXT_OBEY": True, "FCA_BACKOFF": 0.05, "RETRY_ENABLED": False}
        outcome = crawled(seeds, settings)
    assert outcome.reason == "no_seed"
    [line] = [r.getMessage() for r in caplog.records if r.getMessage().startswith("the crawl ends: ")]
    for kind in ("HTTP 404 (1)", "HTTP 500 (1)", "forbidden by robots.txt (1)", "not reached: 127.0.0.3: "):
        assert kind in line
    assert outcome.stats[FAILURE] in line, "so scrapy crawl ends with exit code 3"


def test_a_crawl_that_goes_on_when_everything_is_fetched_does_not_fail(tmp_path: Path) -> None:
    with serving({"/": page("One")}) as site:
        outcomes = [crawled(site.url("/"), {"JOBDIR": str(tmp_path)}) for _ in range(2)]
    assert [outcome.reason for outcome in outcomes] == ["exhausted", "exhausted"]
    assert not any(FAILURE in outcome.stats for outcome in outcomes)
