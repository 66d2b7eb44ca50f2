"""crawl4ai's best-first crawl with its keyword scorer, over plain HTTP (no browser)."""

import asyncio

from loopback import task

TASK = task()

from crawl4ai import AsyncWebCrawler, CrawlerRunConfig  # noqa: E402
from crawl4ai.async_crawler_strategy import AsyncHTTPCrawlerStrategy  # noqa: E402
from crawl4ai.deep_crawling import BestFirstCrawlingStrategy  # noqa: E402
from crawl4ai.deep_crawling.scorers import KeywordRelevanceScorer  # noqa: E402


async def main() -> None:
    seeds = TASK["seeds"]
    strategy = BestFirstCrawlingStrategy(
        max_depth=100,
        url_scorer=KeywordRelevanceScorer(keywords=TASK["words"].split()),
        include_external=True,
        max_pages=TASK["pages"],
        resume_state={  # its way to begin with several pages
            "queue_items": [{"score": -1.0, "depth": 0, "url": url, "parent_url": None} for url in seeds],
            "depths": dict.fromkeys(seeds, 0),
        },
    )
    manners = (
        {"mean_delay": TASK["delay"], "max_range": 0.0, "semaphore_count": TASK["at_once"]} if "delay" in TASK else {}
    )
    config = CrawlerRunConfig(deep_crawl_strategy=strategy, verbose=False, stream=True, **manners)
    async with AsyncWebCrawler(crawler_strategy=AsyncHTTPCrawlerStrategy(), verbose=False) as crawler:
        async for _ in await crawler.arun(seeds[0], config=config):
            pass


asyncio.run(main())
