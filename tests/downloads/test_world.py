"""Scrapy on a world: the same spider, through the same downloader, without a socket."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.crawler import AsyncCrawlerRunner, Crawler
from scrapy.exceptions import DownloadCancelledError
from scrapy.http import HtmlResponse, Response, TextResponse

from fcacrawler.downloads.world import WorldHandler, world_settings
from fcacrawler.worlds import open_world
from fcacrawler.worlds.demo import DemoWorld

BARE = {"TWISTED_REACTOR_ENABLED": False, "TELNETCONSOLE_ENABLED": False, "REMOTE_CONTROL_ENABLED": False}


@pytest.fixture(scope="module")
def world() -> DemoWorld:
    return DemoWorld()


def answers(*requests: Request, **settings: Any) -> list[Response]:
    """What the handler downloads for each."""
    crawler = Crawler(Spider, {"FCA_WORLD": "demo", **settings})

    async def run() -> list[Response]:
        handler = WorldHandler(crawler)
        responses = await asyncio.gather(*(handler.download_request(request) for request in requests))
        await handler.close()
        return responses

    return asyncio.run(run())


def test_a_response_is_of_the_class_that_its_content_type_says(world: DemoWorld) -> None:
    site = "http://www.dailycourant.test"
    page, robots, file, lost = answers(
        *(Request(url) for url in (next(world.urls()), f"{site}/robots.txt", f"{site}/files/1.pdf", "http://no.test/"))
    )
    assert type(page) is HtmlResponse
    assert page.css("h1::text").get()
    assert type(robots) is TextResponse
    assert type(file) is Response
    assert (page.status, robots.status, file.status, lost.status) == (200, 200, 200, 404)


def test_head_conditions_and_other_methods_are_answered_as_a_server_would(world: DemoWorld) -> None:
    url = next(world.urls())
    tag = dict(world.answer(url).headers)["ETag"]  # type: ignore[union-attr]
    head, kept, post = answers(
        Request(url, method="HEAD"), Request(url, headers={"If-None-Match": tag}), Request(url, method="POST")
    )
    assert (head.status, head.body) == (200, b"")
    assert (kept.status, kept.body) == (304, b"")
    assert post.status == 405


def test_a_body_larger_than_allowed_is_cancelled() -> None:
    with pytest.raises(DownloadCancelledError, match="DOWNLOAD_MAXSIZE"):
        answers(Request("http://www.openlore.test/all"), DOWNLOAD_MAXSIZE=1 << 20)


def test_a_slow_answer_holds_nobody_up(world: DemoWorld) -> None:
    slow = next(url for url in world.urls() if (answer := world.answer(url)) and answer.delay)
    come: list[str] = []

    async def run() -> None:
        handler = WorldHandler(Crawler(Spider, {"FCA_WORLD": "demo"}))

        async def fetch(url: str) -> None:
            come.append((await handler.download_request(Request(url))).url)

        await asyncio.gather(fetch(slow), fetch("http://www.sportsdesk.test/"))

    asyncio.run(run())
    assert come == ["http://www.sportsdesk.test/", slow]


def test_a_crawl_obeys_robots_and_follows_redirects(world: DemoWorld) -> None:
    seen: list[str] = []

    class Walk(Spider):
        name = "walk"
        custom_settings = {**BARE, **world_settings(), "FCA_WORLD": "demo", "ROBOTSTXT_OBEY": True}  # noqa: RUF012

        async def start(self) -> Any:
            for url in ("http://click.adfarm.test/c/1", "http://www.sportsdesk.test/login", "http://www.gameday.test/"):
                yield Request(url)

        def parse(self, response: Response) -> Iterator[Any]:
            seen.append(response.url)
            yield from ()

    async def run() -> dict[str, Any]:
        crawler = Crawler(Walk, BARE)
        await AsyncCrawlerRunner(BARE).crawl(crawler)
        assert crawler.stats
        return crawler.stats.get_stats()

    stats = asyncio.run(run())
    assert stats["robotstxt/forbidden"] == 1
    assert len(seen) == 2
    assert not any("adfarm" in url or "login" in url for url in seen)


@pytest.mark.skipif(not Path("../shared/worlds/wikispeedia").is_dir(), reason="../shared/worlds/wikispeedia is absent")
def test_wikispeedia_is_a_world_with_its_labels_and_clicks() -> None:
    world = open_world("../shared/worlds/wikispeedia")
    assert world.notes == ()
    assert sum(1 for _ in world.urls()) == 4604
    assert {name: len(world.relevant(name)) for name in world.topics} == {
        "sport": 115, "astronomy": 149, "chemistry": 191, "music": 140, "railway": 84, "religion": 169,
        "computing": 92, "medicine": 109,
    }  # fmt: skip
    assert next(world.clicks()) == "user\ttime\tquery\tstep\turl"
    world.close()
