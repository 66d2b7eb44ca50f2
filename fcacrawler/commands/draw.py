"""``scrapy draw topic|lattice|hierarchy FILE``: pictures of what a crawl has found, of contexts, and of Ω."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from concepts import Context
from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.commands import as_long_as_read
from fcacrawler.evaluation.topic_map import draw_topic, harvested
from fcacrawler.frontier.sqlite.salvage import Items
from fcacrawler.semrank.context import Table, table, table_of
from fcacrawler.semrank.draw import Why, draw_hierarchy, draw_lattice, why_of
from fcacrawler.semrank.hierarchy import hierarchy
from fcacrawler.values.errors import FcaError
from fcacrawler.values.files import check_plain
from fcacrawler.weblogs import load_omega

CONTEXTS = (".csv", ".cxt", ".txt")  # the formats of the concepts package


def topic(source: Path, opts: Namespace) -> str:
    """The harvest of a crawl as an iceberg lattice of its keywords."""
    found = list(read_items(source))
    pages = harvested(found)
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


DRAWINGS: dict[str, Callable[[Path, Namespace], str]] = {
    "topic": topic,
    "lattice": lattice,
    "hierarchy": whole_and_parts,
}


class Command(ScrapyCommand):
    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012

    def syntax(self) -> str:
        return f"{'|'.join(DRAWINGS)} JOBDIR|ITEMS.jsonl|CONTEXT.csv|OMEGA.parquet [options]"

    def short_desc(self) -> str:
        return "Draw as SVG: the topic map of a crawl, the concept lattice of its pages, the hierarchy of its keywords"

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("-o", "--out", default="", help="file to write (default out/topic.svg and so on)")
        parser.add_argument("--concepts", type=int, default=40, help="boxes at the most (default 40)")
        parser.add_argument("--url", default="", help="lattice: mark how this URL came to its rank")
        parser.add_argument("--keywords", type=int, default=8, help="lattice: keywords of a page (default 8)")
        parser.add_argument("--query", default="", help="hierarchy: the words that stand beneath the root")

    @as_long_as_read
    def run(self, args: list[str], opts: Namespace) -> None:
        if len(args) != 2 or args[0] not in DRAWINGS:
            raise UsageError("say what to draw of which crawl, as in: scrapy draw topic jobs/x")
        if opts.concepts < 1 or opts.keywords < 1:
            raise UsageError("--concepts and --keywords must be at least 1", print_help=False)
        try:
            picture = DRAWINGS[args[0]](Path(args[1]), opts)
            out = Path(opts.out or f"out/{args[0]}.svg")
            out.parent.mkdir(parents=True, exist_ok=True)
            out.write_text(picture, encoding="utf-8")
        except (FcaError, OSError) as error:
            raise UsageError(str(error), print_help=False) from error
        print(f"Written to {out}")


def read_items(source: Path) -> Iterable[dict[str, Any]]:
    """Of a crawl's folder, or of a file of JSON lines."""
    if not source.exists():
        raise FcaError(f"{source} does not exist: name a crawl's JOBDIR, or its items as JSON lines")
    check_plain(source)
    if source.is_dir():
        items = Items(source)
        found = list(map(json.loads, items))
        if items.damaged:
            print(items.told, file=sys.stderr)
        return found
    try:
        return [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (ValueError, RecursionError) as error:
        raise FcaError(f"{source} is not a file of JSON lines ({error})") from error
