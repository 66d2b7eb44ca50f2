"""Item pipelines: keywords go into the formal context of what is collected, and items into the crawl's store.

They decorate, and keep: what the crawl learns and fetches does not hang on them, so an item may be dropped before or
after. Items of foreign spiders pass through itemadapter, so that dicts, dataclasses and attrs classes work.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from itemadapter.adapter import ItemAdapter
from scrapy.crawler import Crawler

from fcacrawler.addon import FocusedCrawl, focus_of
from fcacrawler.items import PageItem, as_json
from fcacrawler.page import keywords, language_of
from fcacrawler.values.pages import Page

TEXT_FIELDS = ("text", "content", "body", "description")  # where a foreign item's text may be, in this order


class Keywords:
    """TF-IDF keywords of every item go into the collection's formal context (page has keyword)."""

    def __init__(self, focus: FocusedCrawl) -> None:
        self.focus = focus

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Keywords:
        return cls(focus_of(crawler))

    def process_item(self, item: Any) -> Any:
        adapter = ItemAdapter(item)
        found = adapter.get("keywords")
        if not found and _takes(adapter, "keywords"):
            text = next((t for f in TEXT_FIELDS if isinstance(t := adapter.get(f), str) and t), "")
            found = dict(keywords(Page("", "", "", language_of("", text), text, ())))
            if found:
                adapter["keywords"] = found
        if found and isinstance(found, Mapping) and isinstance(url := adapter.get("url"), str):
            self.focus.context.add(url, found)
        return item


class Keeping:
    """Our spiders' items go into the crawl's store, as they are now."""

    def __init__(self, focus: FocusedCrawl) -> None:
        self.focus = focus

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Keeping:
        return cls(focus_of(crawler))

    def process_item(self, item: Any) -> Any:
        crawl = self.focus.parts.crawl
        if crawl.store and isinstance(item, PageItem):
            crawl.keep(item.url, as_json(item))
        return item


def _takes(adapter: ItemAdapter, field: str) -> bool:
    """A dict takes any field; a declared item those that it declares."""
    return isinstance(adapter.item, dict) or field in adapter.field_names()
