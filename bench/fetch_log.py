"""A Scrapy extension for bench_soak.py: a line for every page that has come, before anything is done with it."""

from __future__ import annotations

import os

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.http import Response

from fcacrawler.page import is_html
from fcacrawler.requests import asked_url


class FetchLog:
    """Settings: SOAK_LOG is the file."""

    def __init__(self, path: str) -> None:
        self.file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> FetchLog:
        log = cls(crawler.settings["SOAK_LOG"])
        crawler.signals.connect(log.response_received, signals.response_received)
        return log

    def response_received(self, response: Response, request: Request) -> None:
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
        page = response.status == 200 and is_html(content_type, response.body)
        if not response.url.endswith("/robots.txt"):
            os.write(self.file, f"{'page' if page else response.status} {asked_url(response)}\n".encode())
