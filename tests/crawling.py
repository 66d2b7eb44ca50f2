"""Runs a spider in this process, without a reactor, and answers what came of it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from scrapy import Spider, signals
from scrapy.crawler import AsyncCrawlerRunner, Crawler
from scrapy.settings import Settings

from fcacrawler import settings as project


@dataclass
class Outcome:
    items: list[Any]
    stats: dict[str, Any]
    crawler: Crawler

    @property
    def reason(self) -> str:
        return str(self.stats["finish_reason"])


def crawl(spider: type[Spider], settings: dict[str, Any] | None = None, **arguments: Any) -> Outcome:
    """The project's settings without delays and feeds; ``settings`` win, and None means the project's own."""
    base = Settings()
    base.setmodule(project)
    given = {
        "TWISTED_REACTOR_ENABLED": False,
        "FEEDS": {},
        "DOWNLOAD_DELAY": 0,
        "AUTOTHROTTLE_ENABLED": False,
        "LOG_LEVEL": "ERROR",
        "FCA_PROGRESS": "off",
        "FCA_JS": "never",
        **(settings or {}),
    }
    base.update({name: value for name, value in given.items() if value is not None}, priority="cmdline")
    items: list[Any] = []

    async def run() -> Crawler:
        runner = AsyncCrawlerRunner(base)
        crawler = runner.create_crawler(spider)
        crawler.signals.connect(lambda item: items.append(item), signals.item_scraped, weak=False)
        await runner.crawl(crawler, **arguments)
        return crawler

    crawler = asyncio.run(run())
    return Outcome(items, crawler.stats.get_stats(), crawler)
