"""The same crawl without fcacrawler: follows every link, one item a page. For comparisons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import scrapy
from scrapy.http import Response


class Stock(scrapy.Spider):
    name = "stock"

    def __init__(self, seed: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.start_urls = [seed]

    def parse(self, response: Response) -> Iterator[Any]:
        yield {"url": response.url, "title": response.css("title::text").get()}
        yield from response.follow_all(css="a")
