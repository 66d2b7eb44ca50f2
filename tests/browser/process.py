"""A crawl in a process of its own, for scrapy-playwright needs Twisted's reactor: ``crawl`` runs this file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Outcome:
    items: list[dict[str, Any]]
    stats: dict[str, Any]
    tabs: list[str]  # URLs of the tabs that were open when the spider closed
    started: bool  # was Playwright imported?
    told: str  # on standard error

    @property
    def summary(self) -> str:
        """What was told in one line, however wide the screen is."""
        return " ".join(self.told.replace("│", " ").split())

    def item(self, url: str) -> dict[str, Any]:
        return next(item for item in self.items if item["url"] == url)


def crawl(
    settings: dict[str, Any] | None = None, environment: dict[str, str] | None = None, **arguments: Any
) -> Outcome:
    """The project's settings without delays and feeds; ``settings`` win."""
    command = [sys.executable, __file__, json.dumps([settings or {}, arguments])]
    env = {**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    assert "[asyncio]" not in done.stderr  # nothing is left over
    return Outcome(**json.loads(done.stdout.splitlines()[-1]), told=done.stderr)


def main(given: dict[str, Any], arguments: dict[str, Any]) -> None:
    from scrapy import signals
    from scrapy.crawler import AsyncCrawlerProcess
    from scrapy.settings import Settings

    from fcacrawler import settings as project
    from fcacrawler.middlewares.javascript import JavaScript
    from fcacrawler.spiders.semrank import SemRankSpider

    settings = Settings()
    settings.setmodule(project)
    plain = {"FEEDS": {}, "DOWNLOAD_DELAY": 0, "AUTOTHROTTLE_ENABLED": False, "FCA_PROGRESS": "lines"}
    settings.update({**plain, **given}, priority="cmdline")
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(SemRankSpider)
    items: list[dict[str, Any]] = []
    tabs: list[str] = []

    def scraped(item: Any) -> None:
        items.append({name: getattr(item, name) for name in ("url", "final_url", "title", "text", "out_links")})

    def closed() -> None:
        for middleware in crawler.engine.downloader.middleware.middlewares:
            if isinstance(middleware, JavaScript) and middleware._renderer and middleware._renderer._handler:
                contexts = middleware._renderer._handler.context_wrappers.values()
                tabs.extend(page.url for wrapper in contexts for page in wrapper.context.pages)

    crawler.signals.connect(scraped, signals.item_scraped)
    crawler.signals.connect(closed, signals.spider_closed)
    process.crawl(crawler, **arguments)
    process.start()
    stats = {k: v for k, v in crawler.stats.get_stats().items() if isinstance(v, (int, float, str))}
    started = "playwright.async_api" in sys.modules
    sys.stdout.write(json.dumps({"items": items, "stats": stats, "tabs": tabs, "started": started}))


if __name__ == "__main__":
    main(*json.loads(sys.argv[1]))
