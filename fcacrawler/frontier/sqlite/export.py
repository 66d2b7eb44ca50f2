"""A crawl's items as lines of JSON or as a table."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any, TextIO

from fcacrawler.items import NOW, PageItem

FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r")  # what a spreadsheet computes instead of showing it


def write_jsonl(items: Iterable[str], file: TextIO) -> int:
    """How many there were."""
    n = 0
    for n, item in enumerate(items, 1):  # noqa: B007
        file.write(item + "\n")
    return n


def write_csv(items: Iterable[str], file: TextIO, names: Sequence[str] = ()) -> int:
    """One column a name, or a field of the item; lists and mappings as JSON. How many there were."""
    names = names or [*(f.name for f in fields(PageItem)), *NOW]
    table = csv.writer(file)
    table.writerow(names)
    n = 0
    for n, item in enumerate(items, 1):  # noqa: B007
        values = json.loads(item)
        table.writerow([cell(values.get(name)) for name in names])
    return n


def cell(value: Any) -> Any:
    """A stranger's text must not become a formula.

    >>> cell("=1+1"), cell("a = b"), cell(-0.5), cell(None), cell({"a": 1})
    ("'=1+1", 'a = b', -0.5, '', '{"a": 1}')
    >>> cell("＝1+1"), cell("＋1"), cell("－1"), cell("＠SUM(1)")  # full-width, which some take for the others
    ("'＝1+1", "'＋1", "'－1", "'＠SUM(1)")
    """
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, str):
        return f"'{value}" if value.startswith(FORMULA) else value
    return "" if value is None else value
