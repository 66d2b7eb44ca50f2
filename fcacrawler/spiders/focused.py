"""What our spiders share: they fetch, read a page and hand it on. What leaves next is not their business."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

from scrapy import Request, Spider
from scrapy.http import Response

from fcacrawler.addon import focus_of
from fcacrawler.app.config import Config
from fcacrawler.crawl.traps import GONE
from fcacrawler.items import PageItem
from fcacrawler.reading import Reader
from fcacrawler.requests import ENTRY
from fcacrawler.revisits import COPY, UNCHANGED, as_before, has_changed


class FocusedSpider(Spider):
    """Arguments (``-a``) are read by ``config``; ones that nobody knows are accepted, as scrapyd passes some."""

    focused = True
    defaults: ClassVar[dict[str, str]] = {}  # arguments that a subclass fixes unless they are given

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args)
        self.arguments = {**self.defaults, **kwargs}

    @classmethod
    def check(cls, config: Config) -> None:
        """Raises FcaError if what a spider does besides crawling cannot be done."""

    async def start(self) -> AsyncIterator[Any]:
        topic = focus_of(self.crawler).parts.topic
        for url in dict.fromkeys((*topic.examples, *topic.seeds)):
            yield Request(url)

    @cached_property
    def reader(self) -> Reader:
        return focus_of(self.crawler).reader

    def parse(self, response: Response, **kwargs: Any) -> Iterator[PageItem]:
        if COPY in response.meta and response.status in (UNCHANGED, *GONE):
            self.crawler.stats.inc_value("fca/unchanged" if response.status == UNCHANGED else "fca/gone")
            same = as_before(focus_of(self.crawler), response, response.meta[ENTRY])
            yield from [same] if same is not None else []
            return
        item = self.reader.item(response)
        if item is None:
            self.crawler.stats.inc_value("fca/not_html")
        else:
            yield replace(item, changed=has_changed(response, item.content_hash))
