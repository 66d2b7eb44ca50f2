"""What could not be fetched: a line each with URL and cause, and a count in the summary."""

from __future__ import annotations

import asyncio
import logging
import re
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from aiohttp import web
from scrapy import Request
from twisted.python.failure import Failure

from fcacrawler.addon import focus_of
from fcacrawler.extensions import report
from fcacrawler.spiders.semrank import SemRankSpider
from tests.crawling import Outcome, crawl
from tests.hostile.crawling import crawl as crawl_apart
from tests.manners import crawled
from tests.site import page, serving

ONCE = {"RETRY_ENABLED": False, "FCA_BACKOFF": 0.05}
PRIVATE = "it leads to a private address; FCA_PRIVATE=1 allows it"


@contextmanager
def port(listens: bool = True, hangs_up: bool = False) -> Iterator[str]:
    """A URL on loopback where nobody listens, or listens and says nothing, or hangs up at once."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        if listens:
            s.listen()
        if hangs_up:
            Thread(target=_hang_up, args=(s,), daemon=True).start()
        yield f"http://127.0.0.1:{s.getsockname()[1]}/page"


def _hang_up(s: socket.socket) -> None:
    try:
        while True:
            s.accept()[0].close()
    except OSError:  # closed
        pass


async def astray(request: web.Request) -> web.Response:
    raise web.HTTPFound("http://127.0.0.9/secret")


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What a user sees of ours and of Scrapy's; no line has a traceback."""
    names = (
        "fcacrawler.middlewares",
        "fcacrawler.downloads",
        "fcacrawler.scheduler",
        "scrapy.core.scraper",
        "scrapy.downloadermiddlewares",
    )
    shown = [r for r in caplog.records if r.levelno >= logging.WARNING and r.name.startswith(names)]
    assert not any(r.exc_info for r in shown)
    return [r.getMessage() for r in shown]


def urls(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Of the pages that are told of, each with some cause."""
    found = [re.fullmatch(r"not fetched: (http\S+): .+", line) for line in told(caplog)]
    return [match[1] if match else "" for match in found]


def left_out(outcome: Outcome) -> dict[str, int]:
    """What the summary says of downloads."""
    found = report.left_out(outcome.crawler, focus_of(outcome.crawler))
    return {what: n for what, n in found.items() if what.startswith(("download: ", "led to", "not reached"))}


def not_reached(outcome: Outcome, caplog: pytest.LogCaptureFixture, host: str) -> None:
    """Its one link is kept; the summary and one line tell why, however often it was tried."""
    [line], [(what, links)] = told(caplog)[-1:], left_out(outcome).items()
    assert line.startswith(f"not reached: {host}: ")
    assert what.startswith(f"not reached: {host}: ")
    assert links == 1


def test_a_connection_that_is_refused(caplog: pytest.LogCaptureFixture) -> None:
    with port(listens=False) as url:
        outcome = crawled(url, ONCE)
    not_reached(outcome, caplog, "127.0.0.1")


def test_a_host_that_has_no_address(caplog: pytest.LogCaptureFixture) -> None:
    url = f"http://{'x' * 70}.test/page"  # a longer name than names can be: nobody is asked for it
    outcome = crawled(url, {**ONCE, "FCA_CONTACT": "me@example.org"})
    assert urls(caplog) == [url]
    assert sum(left_out(outcome).values()) == 1


def test_an_answer_that_does_not_come(caplog: pytest.LogCaptureFixture) -> None:
    with port() as url:
        outcome = crawled(url, {**ONCE, "DOWNLOAD_TIMEOUT": 0.2})
    not_reached(outcome, caplog, "127.0.0.1")


def test_a_page_that_does_not_come_from_a_host_that_answers(caplog: pytest.LogCaptureFixture) -> None:
    async def never(request: web.Request) -> web.Response:
        while request.transport is not None:  # until the other side has had enough
            await asyncio.sleep(0.02)
        return web.Response()

    with serving({"/": page("S", links={"/never": "never", "/n": "n"}), "/n": page("N"), "/never": never}) as site:
        outcome = crawled(site.url("/"), {**ONCE, "DOWNLOAD_TIMEOUT": 0.3})
    assert urls(caplog) == [site.url("/never")]
    assert left_out(outcome) == {"download: DownloadTimeoutError": 1}
    assert [item.title for item in outcome.items] == ["S", "N"]


def test_an_answer_that_breaks_off(caplog: pytest.LogCaptureFixture) -> None:
    with port(hangs_up=True) as url, serving({"/": page("S", links={url: "cut", "/n": "n"}), "/n": page("N")}) as site:
        outcome = crawled(site.url("/"), ONCE)
    assert urls(caplog) == [url]
    assert [item.title for item in outcome.items] == ["S", "N"]
    assert left_out(outcome) == {"download: DownloadFailedError": 1}


def test_a_redirect_to_a_private_address(caplog: pytest.LogCaptureFixture) -> None:
    with serving({"/": astray}) as site:
        outcome = crawled(site.url("/"), {"FCA_PRIVATE": False})
    assert told(caplog) == [f"not fetched: http://127.0.0.9/secret: {PRIVATE}"]
    assert left_out(outcome) == {"led to a private address (FCA_PRIVATE)": 1}


def test_rules_that_cannot_be_had(caplog: pytest.LogCaptureFixture) -> None:
    with port(listens=False) as url:
        outcome = crawled(url, {**ONCE, "ROBOTSTXT_OBEY": True})
    not_reached(outcome, caplog, "127.0.0.1")


def test_an_errback_gets_the_failure_as_it_is(caplog: pytest.LogCaptureFixture) -> None:
    heard: list[str] = []

    class Asking(SemRankSpider):
        name = "asking"

        async def start(self) -> AsyncIterator[Any]:
            yield Request(url, errback=self.failed)

        def failed(self, failure: Failure) -> None:
            heard.append(type(failure.value).__name__)

    with port(listens=False) as url:
        crawl(Asking, {**ONCE, "ROBOTSTXT_OBEY": False}, topic="auto racing", seeds=url)
    assert heard == ["DownloadConnectionRefusedError"]
    assert told(caplog) == []


@pytest.mark.parametrize("url", ["file:///etc/passwd", "data:text/html,x", "http://a:0/", "http://a%00b/"])
def test_a_request_of_ours_that_is_not_for_the_web(url: str, caplog: pytest.LogCaptureFixture) -> None:
    class Misled(SemRankSpider):
        name = "misled"

        async def start(self) -> AsyncIterator[Any]:
            yield Request(url)

    outcome = crawl(Misled, {}, topic="auto racing", seeds="http://127.0.0.1/")
    assert not outcome.items
    assert told(caplog) == [f"not fetched: {url}: it is no URL of the web"]
    assert left_out(outcome) == {"download: BadURL": 1}


def test_a_mistake_of_ours_keeps_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    class Mistaken:
        def process_request(self, request: Request) -> None:
            raise KeyError("ours")

    crawled("http://127.0.0.1/", {"DOWNLOADER_MIDDLEWARES": {Mistaken: 543}})
    assert [r.exc_info[0] for r in caplog.records if r.exc_info] == [KeyError]


@pytest.mark.slow
def test_the_command_shows_a_line_each(tmp_path: Path) -> None:
    with port(listens=False) as nobody, port(hangs_up=True) as cut, serving({"/": astray}) as site:
        seeds = [nobody.replace("127.0.0.1", "127.0.0.2"), cut, site.url("/"), "http://nowhere.invalid/"]
        came = crawl_apart(tmp_path, seeds, {"FCA_PROGRESS": "lines", "RETRY_ENABLED": True, "FCA_BACKOFF": 0.1})
    assert "Traceback" not in came.log
    for what in (cut, "http://127.0.0.9/secret"):
        assert came.log.count(f"not fetched: {what}: ") == 1
    for host in ("127.0.0.2", "nowhere.invalid"):
        assert came.log.count(f"WARNING: not reached: {host}: ") == 1
    assert sum(n for name, n in came.stats.items() if name.startswith("fca/failed/")) == 1
