"""CPU a page of our whole crawl against a stock Scrapy spider that extracts the same links.

Real HTTP on loopback, server and crawls in processes of their own; a crawl tells its CPU time
from the opening of its spider to the end. Pages: 2,000 made ones with 21 links each, and those of the wikispeedia
world where it is. Runs take turns, the median counts.

    python bench/bench_crawl.py [--pages 1000] [--runs 3]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import process_time
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
WIKI = ROOT.parent / "shared" / "worlds" / "wikispeedia"
WORDS = (
    "lattice concept crawler formal context attribute object extent intent relevance frontier semantic ranking domain "
    "queue heap politeness scheduler page topic sea ship port cargo engine driver circuit race team season"
).split()


def made_pages(count: int = 2000, links: int = 21, size: int = 8000) -> dict[str, bytes]:
    rng = random.Random(7)
    pages = {}
    for n in range(count):
        targets = [*rng.sample(range(count), links - 1), (n + 1) % count]
        paragraphs, length = [], 0
        while length < size:
            text = " ".join(rng.choices(WORDS, k=40))
            paragraphs.append(f"<p>{text}</p>")
            length += len(text)
        anchors = "".join(f'<li><a href="/p/{t}">{" ".join(rng.choices(WORDS, k=3))}</a></li>' for t in targets)
        html = f"<!doctype html><html lang=en><head><title>Page {n}</title></head><body><h1>Page {n}</h1>"
        pages[f"/p/{n}"] = f"{html}{''.join(paragraphs)}<ul>{anchors}</ul></body></html>".encode()
    return pages


def wiki_pages() -> dict[str, bytes]:
    from urllib.parse import urlsplit

    from fcacrawler.worlds import open_world

    world = open_world(str(WIKI))
    return {urlsplit(u).path: a.body for u in world.urls() if (a := world.answer(u)) is not None}


def serve(kind: str) -> None:
    """The server's process: prints its port."""
    from aiohttp import web

    pages = wiki_pages() if kind == "wikispeedia" else made_pages()

    async def answer(request: web.Request) -> web.Response:
        body = pages.get(request.raw_path)
        if body is None:
            return web.Response(status=404)
        return web.Response(body=body, content_type="text/html", charset="utf-8")

    async def main() -> None:
        app = web.Application()
        app.router.add_get("/{path:.*}", answer)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        print(runner.addresses[0][1], flush=True)
        await asyncio.Event().wait()

    asyncio.run(main())


def crawl(who: str, start: str, pages: int) -> None:
    """A crawl's process: prints CPU seconds and pages as JSON."""
    import scrapy
    from scrapy import signals
    from scrapy.crawler import AsyncCrawlerProcess
    from scrapy.settings import Settings

    class Stock(scrapy.Spider):
        name = "stock"
        start_urls = (start,)
        custom_settings = {  # noqa: RUF012  # breadth first, as Scrapy's documentation says: the same pages as ours
            "CLOSESPIDER_PAGECOUNT": pages,
            "DEPTH_PRIORITY": 1,
            "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
        }

        def parse(self, response: Any) -> Iterator[Any]:
            yield {"url": response.url, "title": response.css("title::text").get()}
            yield from response.follow_all(css="a[href]")

    polite = {"CONCURRENT_REQUESTS_PER_DOMAIN": 8, "DOWNLOAD_DELAY": 0, "AUTOTHROTTLE_ENABLED": False}
    settings = Settings({"LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False, "REMOTE_CONTROL_ENABLED": False})
    spider: Any = Stock
    arguments: dict[str, Any] = {}
    if who != "stock":
        from fcacrawler import settings as project
        from fcacrawler.app.assembly import ORDERS
        from fcacrawler.spiders.semrank import SemRankSpider

        ORDERS["arrival"] = lambda given: arrival()
        settings.setmodule(project)
        settings.update({"FEEDS": {}, "FCA_PROGRESS": "off", "FCA_PATIENCE": 0, "FCA_TUNNEL": 10**6})
        spider, arguments = SemRankSpider, {"topic": "racing driver", "seeds": start, "pages": pages, "order": who}
    settings.update({**polite, "ROBOTSTXT_OBEY": False, "LOG_LEVEL": "ERROR"})
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(spider)
    cpu: list[float] = []
    for signal in (signals.spider_opened, signals.spider_closed):
        crawler.signals.connect(lambda **_: cpu.append(process_time()), signal, weak=False)
    process.crawl(crawler, **arguments)
    process.start()
    told = {name: crawler.stats.get_value(f"downloader/response_{name}") for name in ("count", "bytes")}
    print(json.dumps({"cpu": cpu[1] - cpu[0], "pages": told["count"], "bytes": told["bytes"]}))


def arrival() -> Any:
    """No ranking: first come, first served, which is breadth first."""
    from fcacrawler.orders.plain import PlainOrder

    class Arrival(PlainOrder):
        epoch = 0

        def learn(self, page: Any, relevance: float) -> None: ...

        def score(self, candidate: Any) -> float:
            return 0.5

    return Arrival()


@contextmanager
def server(kind: str) -> Iterator[str]:
    process = subprocess.Popen([sys.executable, __file__, "--serve", kind], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        port = process.stdout.readline().strip()
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)


def measured(who: str, start: str, pages: int) -> float:
    """CPU milliseconds a page."""
    command = [sys.executable, "-W", "ignore", __file__, "--crawl", who, "--start", start, "--pages", str(pages)]
    out = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, timeout=600)
    told = json.loads(out.stdout.splitlines()[-1])
    print(f"{who}: {told}", file=sys.stderr)
    return 1000 * float(told["cpu"]) / int(told["pages"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=3)
    for own in ("--serve", "--crawl", "--start"):
        parser.add_argument(own, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve)
        return
    if options.crawl:
        crawl(options.crawl, options.start, options.pages)
        return
    starts = {"made": "/p/0"}
    if WIKI.exists():
        starts["wikispeedia"] = "/wp/f/Football_%2528soccer%2529.htm"
    for kind, path in starts.items():
        times: dict[str, list[float]] = {"stock": [], "arrival": [], "semrank": []}
        with server(kind) as base:
            measured("semrank", base + path, 30)  # the first crawl of a version compiles its loops
            for run in range(options.runs):
                for who, found in times.items():
                    found.append(measured(who, base + path, options.pages))
                    print(f"{kind} run {run + 1}: {who} {found[-1]:.2f} ms a page", file=sys.stderr)
        middle = {who: statistics.median(found) for who, found in times.items()}
        for figure, who in (("without ranking", "arrival"), ("semrank", "semrank")):
            value, against = round(middle[who], 3), round(middle["stock"], 3)
            name = f"crawl CPU ms a page, {kind}, {figure} against stock Scrapy"
            print(json.dumps({"figure": name, "value": value, "against": against, "ratio": round(value / against, 3)}))


if __name__ == "__main__":
    main()
