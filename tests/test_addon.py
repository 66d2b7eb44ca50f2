"""Somebody else's spider, focused by the add-on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import attrs
import pytest
import scrapy
from scrapy.http import HtmlResponse

from tests.crawling import crawl
from tests.redis_server import serving
from tests.site import Site, page
from tests.spiders.test_crawls import RACING, text, town  # noqa: F401  # a fixture

FOCUSED = {
    "ADDONS": {"fcacrawler.addon.FocusedCrawl": 500},
    "FCA_TOPIC": "auto racing",
    "CONCURRENT_REQUESTS": 1,
    "CLOSESPIDER_PAGECOUNT": 8,
}


class Foreign(scrapy.Spider):
    """A spider as in Scrapy's tutorial."""

    name = "foreign"

    def __init__(self, start: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.start_urls = [start]

    def parse(self, response: HtmlResponse) -> Iterator[Any]:
        yield {"url": response.url, "title": response.css("title::text").get()}
        yield from response.follow_all(css="a", callback=self.parse)


def test_a_foreign_spider_fetches_pages_about_the_topic_first(town: Site) -> None:  # noqa: F811
    unfocused = crawl(Foreign, {"CONCURRENT_REQUESTS": 1, "CLOSESPIDER_PAGECOUNT": 8, "ADDONS": {}}, start=town.base)
    order = list(town.fetched)
    town.hits.clear()
    focused = crawl(Foreign, FOCUSED, start=town.base)
    assert len(town.fetched) > 5
    assert all(path.startswith("/race") for path in town.fetched[1:])
    assert not all(path.startswith("/race") for path in order[1:])
    assert unfocused.items[0] == focused.items[0]


def test_nothing_that_a_foreign_spider_asks_for_is_lost(town: Site) -> None:  # noqa: F811
    crawl(Foreign, {**FOCUSED, "CLOSESPIDER_PAGECOUNT": 0, "FCA_TUNNEL": "1000"}, start=town.base)
    assert sorted(town.fetched) == sorted(town.pages)


def test_a_form_a_callback_by_name_and_a_repeated_request_survive_the_frontier(site: Site) -> None:
    class Careful(Foreign):
        def parse(self, response: HtmlResponse) -> Iterator[Any]:
            yield scrapy.FormRequest(response.urljoin("/form"), formdata={"q": "racing"}, callback=self.answer)
            yield scrapy.Request(response.url, callback=self.again, dont_filter=True, cb_kwargs={"n": 2})
            yield scrapy.Request(response.urljoin("/late"), callback=lambda r: [{"late": r.status}])

        def answer(self, response: HtmlResponse) -> Iterator[Any]:
            yield {"method": response.request.method, "body": response.request.body}  # type: ignore[union-attr]

        def again(self, response: HtmlResponse, n: int) -> Iterator[Any]:
            yield {"again": n}

    for path in ("/", "/form", "/late"):
        site.pages[path] = page("Auto racing", text(RACING, path))
    outcome = crawl(Careful, {**FOCUSED, "CLOSESPIDER_PAGECOUNT": 0}, start=site.base)
    assert {"method": "POST", "body": b"q=racing"} in outcome.items
    assert {"again": 2} in outcome.items
    assert {"late": 200} in outcome.items


class Careless(Foreign):
    def parse(self, response: HtmlResponse) -> Iterator[Any]:
        yield scrapy.Request(response.urljoin("/late"), callback=lambda r: [{"late": r.status}])


def test_a_request_that_workers_cannot_share_is_refused_by_name(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    site.pages["/"] = page("Auto racing", text(RACING, 0))
    with serving() as redis:
        outcome = crawl(Careless, {**FOCUSED, "FCA_FRONTIER": redis.url}, start=site.base)
    assert site.fetched == ["/"]
    assert outcome.stats["fca/requests_refused"] == 1
    assert "/late> is left out, workers cannot share it" in caplog.text


def test_what_only_a_process_that_is_gone_could_ask_for_is_left_out_by_name(
    site: Site, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    site.pages["/"] = page("Auto racing", text(RACING, 0))
    settings = {**FOCUSED, "JOBDIR": str(tmp_path), "FCA_PAGES": "1"}
    crawl(Careless, settings, start=site.base)
    crawl(Foreign, {**settings, "FCA_PAGES": "0"}, start=site.base)
    assert set(site.fetched) == {"/"}
    assert "/late is left out: only the process that found it" in caplog.text


@dataclass
class AsDataclass:
    url: str
    text: str
    keywords: dict[str, float] = field(default_factory=dict)


@attrs.define
class AsAttrs:
    url: str
    text: str
    keywords: dict[str, float] = attrs.Factory(dict)


class AsItem(scrapy.Item):  # type: ignore[misc]
    url = scrapy.Field()
    text = scrapy.Field()


def test_items_of_every_kind_get_keywords_where_they_have_room(site: Site) -> None:
    class Kinds(Foreign):
        def parse(self, response: HtmlResponse) -> Iterator[Any]:
            words = text(RACING, "kinds")
            yield {"url": response.url, "text": words}
            yield AsDataclass(response.url, words)
            yield AsAttrs(response.url, words)
            yield AsItem(url=response.url, text=words)

    site.pages["/"] = page("Auto racing", text(RACING, "kinds"))
    as_dict, as_dataclass, as_attrs, as_item = crawl(Kinds, FOCUSED, start=site.base).items
    assert as_dict["keywords"] == as_dataclass.keywords == as_attrs.keywords
    assert max(as_dict["keywords"].values()) == 1.0
    assert "keywords" not in as_item
