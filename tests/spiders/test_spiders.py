"""The spiders that ``scrapy list`` shows."""

from __future__ import annotations

from scrapy.settings import Settings
from scrapy.spiderloader import SpiderLoader

from fcacrawler import settings as project
from fcacrawler.app.assembly import ORDERS
from tests.crawling import crawl
from tests.site import Site
from tests.spiders.test_crawls import town  # noqa: F401  # a fixture


def loader() -> SpiderLoader:
    settings = Settings()
    settings.setmodule(project)
    return SpiderLoader.from_settings(settings)


def test_every_order_is_a_spider() -> None:
    assert set(ORDERS) <= set(loader().list())


def test_a_spider_named_after_an_order_crawls_in_it(town: Site) -> None:  # noqa: F811
    outcome = crawl(loader().load("mean-parent"), topic="auto racing", seeds=town.base, pages="3")
    assert "meanrel" not in outcome.items[1].explanation["features"]
    assert outcome.crawler.spider.arguments["order"] == "mean-parent"
    assert len(town.fetched) == 3
