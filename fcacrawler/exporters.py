"""Feeds that lose nothing when the process is killed."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from scrapy.exporters import JsonLinesItemExporter

LINES = MappingProxyType(dict.fromkeys(("jsonlines", "jsonl", "jl"), "fcacrawler.exporters.WholeLines"))


class WholeLines(JsonLinesItemExporter):
    """JSON lines, each of which has left the process before its page is done."""

    def export_item(self, item: Any) -> None:
        super().export_item(item)
        self.file.flush()


def continued(feeds: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The feeds of a crawl that goes on: lines are added to those that are there.

    >>> continued({"out.jsonl": {"format": "jsonlines", "overwrite": True}})
    {'out.jsonl': {'format': 'jsonlines', 'overwrite': False}}
    """
    return {
        str(uri): {**options, "overwrite": False} if options.get("format") in LINES else dict(options)
        for uri, options in feeds.items()
    }
