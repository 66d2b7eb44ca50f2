"""Feeds that lose nothing when the process is killed, and tables that do nothing when they are opened."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from scrapy.exporters import CsvItemExporter, JsonLinesItemExporter

from fcacrawler.frontier.sqlite.export import cell

LINES = MappingProxyType(dict.fromkeys(("jsonlines", "jsonl", "jl"), "fcacrawler.exporters.WholeLines"))
EXPORTERS = MappingProxyType({**LINES, "csv": "fcacrawler.exporters.Cells"})


class WholeLines(JsonLinesItemExporter):
    """JSON lines, each of which has left the process before its page is done. One that a kill has torn is ended, so
    that the next is whole; its page comes again."""

    def start_exporting(self) -> None:
        if _torn(getattr(self.file, "name", "")):
            self.file.write(b"\n")

    def export_item(self, item: Any) -> None:
        super().export_item(item)
        self.file.flush()


def _torn(path: object) -> bool:
    """Whether a file's last line has no end."""
    if not isinstance(path, str) or not os.path.isfile(path) or not os.path.getsize(path):
        return False
    with open(path, "rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read() != b"\n"


class Cells(CsvItemExporter):
    """CSV in which a stranger's text is no formula, as in ``scrapy export``."""

    def serialize_field(self, field: Any, name: str, value: Any) -> Any:
        return cell(value)


def continued(feeds: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The feeds of a crawl that goes on: lines are added to those that are there.

    >>> continued({"out.jsonl": {"format": "jsonlines", "overwrite": True}})
    {'out.jsonl': {'format': 'jsonlines', 'overwrite': False}}
    """
    return {
        str(uri): {**options, "overwrite": False} if options.get("format") in LINES else dict(options)
        for uri, options in feeds.items()
    }
