"""Hyperlinks from files: a WARC, what a crawl wrote down, or an edge list. Pairs of URLs, from page to page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from fcacrawler.weblogs.lines import BadFile, head, lines_of, opened

ReadLinks = Callable[[str, bytes, str], Iterable[str]]  # URL, body, content type → the URLs that it links to

FIRST = 100  # lines that are looked at before a file without one link in them is refused


def links_in(path: Path, read_links: ReadLinks) -> Iterator[tuple[str, str]]:
    """The links of a file: of the pages of a WARC, as ``read_links`` finds them; two URLs a line with white space
    between; or JSON lines with ``parent`` and ``url``, as a crawl's output has them, or with ``url`` and ``links``.
    Blank lines and those that start with # are left out.
    """
    with opened(path) as file:
        start = file.read(5)
    if start == b"WARC/":
        yield from _from_warc(path, read_links)
        return
    read = _from_json if head(path)[0].lstrip().startswith(b"{") else _from_edge
    found = 0
    for number, line in enumerate(lines_of(path, ("utf-8", "cp1252")), start=1):
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


def _from_warc(path: Path, read_links: ReadLinks) -> Iterator[tuple[str, str]]:
    with path.open("rb") as file:
        try:
            for record in ArchiveIterator(file):
                url = record.rec_headers.get_header("WARC-Target-URI") or ""
                if record.rec_type == "response" and url:
                    kind = record.http_headers.get_header("Content-Type", "") if record.http_headers else ""
                    for target in read_links(url, record.content_stream().read(), kind):
                        yield url, target
        except (ArchiveLoadFailed, EOFError, OSError) as e:
            raise BadFile(f"{path}: the WARC is cut off or damaged ({e})") from e
