"""What the browser costs: the demo web over HTTP on loopback, 5 % of the pages are built by scripts.

The same pages, all of them seeds, are crawled with ``js=never`` and ``js=auto``, without delays, in turns; each crawl
in a process of its own tells how long it took from the opening of its spider to its end, the browser's included. The
median counts.

    python bench/bench_browser.py [--pages 600] [--runs 3]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
SHARE = 0.05  # of the pages, that are built by scripts


def chosen(pages: int) -> list[str]:
    """Some of the demo web's pages, as many of them of scripts as there are to be."""
    from fcacrawler.worlds import open_world

    kinds: dict[bool, list[str]] = {True: [], False: []}
    for url in open_world("demo").urls():
        kinds["/app/" in url].append(url)
    rng = random.Random(9)
    built = round(SHARE * pages)
    urls = rng.sample(kinds[True], built) + rng.sample(kinds[False], pages - built)
    rng.shuffle(urls)
    return urls


@contextmanager
def served() -> Iterator[str]:
    """The demo web behind an HTTP proxy on loopback."""
    command = [sys.executable, "-m", "scrapy", "world", "serve", "demo", "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            told = next(line for line in server.stdout if "http://127.0.0.1:" in line)
            yield "http://127.0.0.1:" + told.partition("http://127.0.0.1:")[2].partition("/")[0].split()[0]
        finally:
            server.terminate()


def crawl(js: str, seeds: str) -> None:
    """A crawl's process: prints what it measured as JSON."""
    from scrapy import signals
    from scrapy.crawler import AsyncCrawlerProcess
    from scrapy.settings import Settings

    from fcacrawler import settings as project
    from fcacrawler.spiders.semrank import SemRankSpider

    settings = Settings()
    settings.setmodule(project)
    at_home = {"DOWNLOAD_DELAY": 0, "AUTOTHROTTLE_ENABLED": False, "CONCURRENT_REQUESTS_PER_DOMAIN": 8}
    settings.update({**at_home, "FEEDS": {}, "FCA_PROGRESS": "off", "LOG_LEVEL": "ERROR", "FCA_PATIENCE": 0})
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(SemRankSpider)
    begun: list[float] = []
    found: list[bool] = []
    crawler.signals.connect(lambda **_: begun.append(monotonic()), signals.spider_opened, weak=False)
    crawler.signals.connect(
        lambda item, **_: found.append("/app/" in item.url and bool(item.text)), signals.item_scraped, weak=False
    )
    process.crawl(crawler, topic="hockey", order="bfs", seeds=seeds, deny=".", js=js)
    process.start()
    took = monotonic() - begun[0]
    stats = crawler.stats.get_stats()
    shown, seconds = (stats.get(f"fca/browser/{name}", 0) for name in ("shown", "seconds"))
    own, browser = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = own.ru_utime + own.ru_stime + browser.ru_utime + browser.ru_stime
    told = {"seconds": took, "cpu": cpu, "pages": stats["fca/pages"], "found": sum(found)}
    print(json.dumps({**told, "shown": shown, "in browser": seconds}))


def measured(js: str, seeds: str, proxy: str) -> dict[str, Any]:
    given = ["--crawl", js, "--seeds", seeds]
    env = {**os.environ, "http_proxy": proxy, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", __file__, *given],
        env=env,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=900,
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    print(f"{js}: {told}", file=sys.stderr)
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=600)
    parser.add_argument("--runs", type=int, default=3)
    for own in ("--crawl", "--seeds"):
        parser.add_argument(own, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.crawl:
        crawl(options.crawl, options.seeds)
        return
    told: dict[str, list[dict[str, Any]]] = {"never": [], "auto": []}
    with tempfile.TemporaryDirectory() as folder, served() as proxy:
        seeds = Path(folder) / "seeds.txt"
        seeds.write_text("\n".join(chosen(options.pages)), "utf-8")
        for _ in range(options.runs):
            for js, runs in told.items():
                runs.append(measured(js, str(seeds), proxy))
    middle = {js: {k: statistics.median(r[k] for r in runs) for k in runs[0]} for js, runs in told.items()}
    for name, key, digits in (
        ("wall seconds of a crawl, 5 % of its pages built by scripts, auto against never", "seconds", 2),
        ("CPU seconds of the same, start and browser included, auto against never", "cpu", 2),
        ("pages built by scripts that were read, auto against never", "found", 0),
    ):
        value, against = (round(middle[js][key], digits) for js in ("auto", "never"))
        ratio = round(value / against, 3) if against else None
        print(json.dumps({"figure": name, "value": value, "against": against, "ratio": ratio}))
    auto = middle["auto"]
    each = round(auto["in browser"] / max(1, auto["shown"]), 3)
    print(json.dumps({"figure": "seconds in the browser a page shown", "value": each, "against": None, "ratio": None}))


if __name__ == "__main__":
    main()
