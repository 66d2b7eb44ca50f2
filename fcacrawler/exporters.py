"""Feeds that can be added to, and tables that do nothing when they are opened."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from types import MappingProxyType
from typing import Any, BinaryIO

from scrapy.exporters import BaseItemExporter, CsvItemExporter, JsonLinesItemExporter, XmlItemExporter

from fcacrawler.frontier.sqlite.export import cell

LINES = MappingProxyType(dict.fromkeys(("jsonlines", "jsonl", "jl"), "fcacrawler.exporters.WholeLines"))
TABLES = MappingProxyType({"csv": "fcacrawler.exporters.Cells"})
EXPORTERS = MappingProxyType(
    {**LINES, **TABLES, "xml": "fcacrawler.exporters.Markup", "parquet": "fcacrawler.exporters.Columns"}
)
NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)  # of an XML element


class WholeLines(JsonLinesItemExporter):
    """JSON lines. One that a kill has torn is ended, so that the next is whole; its page comes again."""

    def start_exporting(self) -> None:
        with _begun(self.file) as begun:
            if begun is not None and not _ended(begun):
                self.file.write(b"\n")


class Cells(CsvItemExporter):
    """CSV in which a stranger's text is no formula, as in ``scrapy export``. Rows are added in the columns that the
    file has; one that a kill has torn is ended."""

    def start_exporting(self) -> None:
        with _begun(self.stream.buffer) as begun:
            if begun is None:
                return
            header = next(csv.reader([begun.readline().decode(self.encoding or "utf-8", "replace")]), [])
            self.include_headers_line = False
            self.fields_to_export = self.fields_to_export or header
            begun.seek(0)
            if sum(line.count(b'"') for line in begun) % 2:
                self.stream.write('"\r\n')
            elif not _ended(begun):
                self.stream.write("\r\n")

    def serialize_field(self, field: Any, name: str, value: Any) -> Any:
        return cell(value)


class Markup(XmlItemExporter):
    """XML in which what has keys that can be no names of elements, such as keywords, stands as JSON."""

    def serialize_field(self, field: Any, name: str, value: Any) -> Any:
        named = super().serialize_field(field, name, value)
        return named if _has_names(value) else json.dumps(value, ensure_ascii=False)


def _has_names(value: Any) -> bool:
    """Whether all keys, however deep, can be names of elements.

    >>> _has_names([{"a": {"b": 1}}]), _has_names({"a": {"by text": 1}})
    (True, False)
    """
    if isinstance(value, dict):
        return all(isinstance(k, str) and NAME.fullmatch(k) and _has_names(v) for k, v in value.items())
    return not isinstance(value, list | tuple) or all(map(_has_names, value))


class Columns(BaseItemExporter):
    """Typed Parquet, as in ``scrapy export``. Columns are written when the feed ends; until then items wait as lines in
    a temporary file."""

    def __init__(self, file: Any, **options: Any) -> None:
        super().__init__(dont_fail=True, **options)
        self.file = file
        self._lines: Any = None

    def start_exporting(self) -> None:
        self._lines = TemporaryFile(  # noqa: SIM115  # closed when all is exported
            "w+", encoding="utf-8", errors="surrogatepass"
        )

    def export_item(self, item: Any) -> None:
        fields = dict(self.get_serialized_fields(item, include_empty=True))
        self._lines.write(json.dumps(fields, ensure_ascii=False, default=str) + "\n")

    def finish_exporting(self) -> None:
        from fcacrawler.formats import Card, write

        self._lines.seek(0)
        names = tuple(self.fields_to_export or ()) if not isinstance(self.fields_to_export, dict) else ()
        with self._lines, TemporaryDirectory(prefix="fca-parquet-") as folder:
            written = Path(folder) / "feed.parquet"
            write("parquet", self._lines, written, Card(fields=names))
            with written.open("rb") as source:
                shutil.copyfileobj(source, self.file)


@contextmanager
def _begun(file: Any) -> Iterator[BinaryIO | None]:
    """What stands already in a feed's file, to be read; None if it is empty, or no file."""
    path = getattr(file, "name", "")
    if isinstance(path, str) and os.path.isfile(path) and os.path.getsize(path):
        with open(path, "rb") as begun:
            yield begun
    else:
        yield None


def _ended(file: BinaryIO) -> bool:
    """Whether its last line has an end."""
    file.seek(-1, os.SEEK_END)
    return file.read() == b"\n"
