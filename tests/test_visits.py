"""One way for a page: what a crawl learns and fetches hangs on no item pipeline, and items are told what pages are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import scrapy
from scrapy.exceptions import DropItem

from fcacrawler.addon import focus_of
from fcacrawler.frontier.sqlite.salvage import Items
from fcacrawler.spiders.semrank import SemRankSpider
from tests.crawling import Outcome, crawl
from tests.site import Site
from tests.spiders.test_crawls import town  # noqa: F401  # a fixture
from tests.test_addon import FOCUSED, Foreign


class DropsAll:
    """A pipeline of the user's."""

    def process_item(self, item: Any) -> Any:
        raise DropItem("not wanted")


def ours(site: Site, **settings: Any) -> Outcome:
    return crawl(SemRankSpider, {"CONCURRENT_REQUESTS": 1, **settings}, topic="auto racing", seeds=site.url("/"))


def foreign(site: Site, **settings: Any) -> Outcome:
    return crawl(Foreign, {**FOCUSED, "CLOSESPIDER_PAGECOUNT": 0, **settings}, start=site.base)


@pytest.mark.parametrize("priority", [50, 150, 500])
@pytest.mark.parametrize("spider", [ours, foreign])
def test_a_pipeline_that_drops_every_item_changes_nothing_of_what_is_fetched(
    spider: Any,
    priority: int,
    town: Site,  # noqa: F811
) -> None:
    whole = spider(town)
    fetched = list(town.fetched)
    town.hits.clear()
    dropped = spider(town, ITEM_PIPELINES={DropsAll: priority})
    assert len(whole.items) == len(fetched) > 8
    assert dropped.items == []
    assert town.fetched == fetched
    assert dropped.reason == whole.reason


class Declared(scrapy.Item):
    url = scrapy.Field()
    relevant = scrapy.Field()
    semrank = scrapy.Field()
    explanation = scrapy.Field()
    path = scrapy.Field()  # the spider's own


class Asking(Foreign):
    def parse(self, response: Any) -> Any:
        yield Declared(url=response.url, path="/own")
        yield {"url": response.url, "relevant": None}
        yield from response.follow_all(css="a", callback=self.parse)


def test_items_of_a_foreign_spider_are_told_what_they_have_fields_for(town: Site) -> None:  # noqa: F811
    found = crawl(Asking, FOCUSED, start=town.base).items
    declared, dicts = found[::2], found[1::2]
    assert all(item["relevant"] == (item["semrank"] > 0.45) for item in declared)
    assert any(item["relevant"] for item in declared)
    assert all(set(item["explanation"]) >= {"rank", "ext", "int", "w"} for item in declared)
    assert {item["path"] for item in declared} == {"/own"}
    assert [item["relevant"] for item in dicts] == [item["relevant"] for item in declared]
    assert all(item.keys() <= {"url", "relevant", "keywords"} for item in dicts)


def test_the_store_of_a_foreign_crawl_tells_of_its_pages_what_ours_does(town: Site, tmp_path: Path) -> None:  # noqa: F811
    jobs = {"ours": ours, "foreign": foreign}
    kept: dict[str, dict[str, dict[str, Any]]] = {}
    for name, spider in jobs.items():
        spider(town, JOBDIR=str(tmp_path / name))
        kept[name] = {item["url"]: item for item in map(json.loads, Items(tmp_path / name))}
    assert kept["ours"].keys() == kept["foreign"].keys()
    assert len(kept["foreign"]) > 8
    seed = kept["foreign"][town.url("/")]
    assert seed["relevant"] is True
    assert seed["explanation"]["rank"] == pytest.approx(seed["semrank"], abs=1e-6)
    assert seed["keywords"] == kept["ours"][town.url("/")]["keywords"]


class Faulty(SemRankSpider):
    """Its crawl makes a mistake when it is at the page in ``learning``, or has one in ``reading`` before it."""

    def __init__(self, learning: str = "", reading: str = "", **arguments: Any) -> None:
        super().__init__(**arguments)
        self.learning, self.reading = learning, reading

    async def start(self) -> Any:
        focus = focus_of(self.crawler)
        order, reader = focus.parts.crawl.order, focus.reader
        observe, read = order.observe, reader.read
        mistakes = [1, 2]

        def observe_or_not(page: Any, judged: Any) -> float:
            if self.learning and page.url.endswith(self.learning):
                raise ZeroDivisionError("of nothing")
            return observe(page, judged)

        def read_or_not(response: Any) -> Any:
            if self.reading and response.url.endswith(self.reading) and mistakes:
                raise KeyError(mistakes.pop())
            return read(response)

        order.observe = observe_or_not  # type: ignore[method-assign]
        reader.read = read_or_not  # type: ignore[method-assign]
        async for request in super().start():
            yield request


def faulty(site: Site, settings: dict[str, Any], **arguments: str) -> Outcome:
    return crawl(Faulty, {"CONCURRENT_REQUESTS": 1, **settings}, topic="auto racing", seeds=site.url("/"), **arguments)


@pytest.mark.parametrize("path", ["/", "/race/3"])
def test_a_page_that_is_not_read_by_a_mistake_is_asked_for_again_and_its_links_are_not_lost(
    path: str,
    town: Site,  # noqa: F811
    caplog: pytest.LogCaptureFixture,
) -> None:
    whole = {item.url for item in ours(town).items}
    town.hits.clear()
    outcome = faulty(town, {}, reading=path)
    assert {item.url for item in outcome.items} == whole
    assert town.fetched.count(path) == 3
    assert (outcome.reason, outcome.stats["fca/mistakes"]) == ("exhausted", 2)
    assert f"not read, by a mistake of fcacrawler's: {town.url(path)}: 1" in caplog.messages


def test_a_mistake_in_the_midst_of_learning_ends_the_crawl_which_goes_on_when_it_is_mended(
    town: Site,  # noqa: F811
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    whole = {item.url for item in ours(town).items}
    town.hits.clear()
    settings = {"JOBDIR": str(tmp_path / "job"), "CONCURRENT_REQUESTS": 4}
    outcome = faulty(town, settings, learning="/race/2")
    assert (outcome.reason, outcome.stats["fca/failure"]) == ("mistake", "ZeroDivisionError: of nothing")
    assert f"not learned from, by a mistake of fcacrawler's: {town.url('/race/2')}: of nothing" in caplog.messages
    assert not any("signal handler" in message for message in caplog.messages)
    gone_on = ours(town, JOBDIR=settings["JOBDIR"])
    assert {item.url for item in outcome.items + gone_on.items} == whole
    assert len(outcome.items + gone_on.items) == len(whole)
