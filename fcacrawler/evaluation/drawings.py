"""What ``scrapy draw`` draws: a crawl's topic map, the concept lattice of its pages or of a context, Ω's hierarchy."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from concepts import Context

from fcacrawler.app.opinion import ItemsNow
from fcacrawler.evaluation.merged import isa_in
from fcacrawler.evaluation.topic_map import draw_topic, harvested
from fcacrawler.semrank.context import Table, table, table_of
from fcacrawler.semrank.draw import Why, draw_hierarchy, draw_lattice, why_of
from fcacrawler.semrank.hierarchy import hierarchy
from fcacrawler.values.errors import FcaError
from fcacrawler.values.files import check_plain
from fcacrawler.weblogs import load_omega

CONTEXTS = (".csv", ".cxt", ".txt")  # the formats of the concepts package


def topic(source: Path, opts: Namespace) -> str:
    """The harvest of a crawl as an iceberg lattice of its keywords; the links of one in a folder say which are one."""
    found = list(read_items(source))
    pages = harvested(found, isa_in(source) if source.is_dir() else ())
    if not pages:
        raise FcaError(f"{source} holds {len(found)} pages, none of them relevant: there is nothing to draw")
    return draw_topic(pages, str(found[0].get("topic", "")), opts.concepts)


def lattice(source: Path, opts: Namespace) -> str:
    """The concept lattice of a context in a file, or of a crawl's pages with their keywords."""
    if source.suffix in CONTEXTS:
        return drawn(read_context(source), source.name, opts, Why(opts.url) if opts.url else None)
    found = {str(item["url"]): item for item in read_items(source) if isinstance(item, dict) and item.get("url")}
    if opts.url and opts.url not in found:
        raise FcaError(f"{opts.url} is not among the {len(found)} pages of {source}")
    why = why_of(opts.url, found[opts.url].get("explanation") or {}) if opts.url else None
    pages = table({url: list(item.get("keywords") or {}) for url, item in found.items()}, opts.keywords)
    return drawn(pages, str(next(iter(found.values()), {}).get("topic") or source.name), opts, why)


def drawn(pages: Table, title: str, opts: Namespace, why: Why | None) -> str:
    try:
        return draw_lattice(pages, title, opts.concepts, why)
    except ValueError as error:
        raise FcaError(str(error)) from error


def read_context(source: Path) -> Table:
    if not source.is_file():
        raise FcaError(f"{source} does not exist: name a context in a format of the concepts package")
    try:
        return table_of(Context.fromfile(str(source), frmat=None, encoding="utf-8"))
    except (ValueError, IndexError, StopIteration) as error:
        raise FcaError(f"{source} is not a context that the concepts package reads: {error}") from error


def whole_and_parts(source: Path, opts: Namespace) -> str:
    """The hierarchy of an Ω, for the words of a query."""
    if source.is_dir():
        raise FcaError(
            f"{source} is a folder; a hierarchy is drawn of what scrapy learn wrote: scrapy learn LOG --links {source} "
            "--out omega.parquet, and then scrapy draw hierarchy omega.parquet"
        )
    omega = load_omega(source)
    if not omega.clicks:
        raise FcaError(f"{source} knows no keyword: nothing to draw")
    query = [opts.query, *opts.query.split()] if opts.query else []
    return draw_hierarchy(hierarchy(omega, query), opts.query or source.name, opts.concepts)


def read_items(source: Path) -> Iterable[dict[str, Any]]:
    """Of a crawl's folder, or of a file of JSON lines."""
    if not source.exists():
        raise FcaError(f"{source} does not exist: name a crawl's JOBDIR, or its items as JSON lines")
    check_plain(source)
    if source.is_dir():
        items = ItemsNow(source)
        found = list(map(json.loads, items))
        for told in items.told:
            sys.stderr.write(f"{told}\n")
        return found
    try:
        return [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (ValueError, RecursionError) as error:
        raise FcaError(f"{source} is not a file of JSON lines ({error})") from error


DRAWINGS: dict[str, Callable[[Path, Namespace], str]] = {
    "topic": topic,
    "lattice": lattice,
    "hierarchy": whole_and_parts,
}
