"""Hyperlinks from files: an edge list, or what a crawl wrote down. Pairs of URLs, from page to page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from fcacrawler.weblogs.lines import BadFile, head, lines

FIRST = 100  # lines that are looked at before a file without one link in them is refused


def links_in(path: Path) -> Iterator[tuple[str, str]]:
    """The links of a file: two URLs a line with white space between; or JSON lines with ``parent`` and ``url``, as a
    crawl's output has them, or with ``url`` and ``links``. Blank lines and those that start with # are left out.
    """
    read = _from_json if head(path)[0].lstrip().startswith(b"{") else _from_edge
    found = 0
    for number, line in enumerate(lines(path, ("utf-8", "cp1252")), start=1):
        if isinstance(line, str):
            for source, target in read(line):
                found += 1
                yield source, target
        if not found and number == FIRST:
            break
    if not found:
        raise BadFile(f"{path}: no links in its first lines; links are two URLs a line, a crawl's JSONL, or a WARC")


def _from_edge(line: str) -> Iterator[tuple[str, str]]:
    ends = line.split("\t") if "\t" in line else line.split()
    if len(ends) == 2 and not line.startswith("#"):
        yield ends[0].strip(), ends[1].strip()


def _from_json(line: str) -> Iterator[tuple[str, str]]:
    try:
        item = json.loads(line)
    except (ValueError, RecursionError):
        return
    if not isinstance(item, dict) or not isinstance(url := item.get("url"), str):
        return
    if isinstance(parent := item.get("parent"), str):
        yield parent, url
    for link in item.get("links") or ():
        target = link.get("url") if isinstance(link, dict) else link
        if isinstance(target, str):
            yield url, target
