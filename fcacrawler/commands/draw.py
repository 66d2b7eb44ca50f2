"""``scrapy draw topic FILE``: pictures of what a crawl has found."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.errors import FcaError
from fcacrawler.evaluation.topic_map import draw, harvested, iceberg
from fcacrawler.frontier.store import items


def topic(source: Path, opts: Namespace) -> str:
    """The harvest of a crawl as an iceberg lattice of its keywords."""
    found = list(read_items(source))
    pages = harvested(found)
    if not pages:
        raise FcaError(f"{source} holds {len(found)} pages, none of them relevant: there is nothing to draw")
    return draw(iceberg(pages, opts.concepts), str(found[0].get("topic", "")))


DRAWINGS: dict[str, Callable[[Path, Namespace], str]] = {"topic": topic}


class Command(ScrapyCommand):
    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012

    def syntax(self) -> str:
        return f"{'|'.join(DRAWINGS)} JOBDIR|ITEMS.jsonl [options]"

    def short_desc(self) -> str:
        return "Draw the topic map of a crawl as SVG: keywords, pages that share them, and how they rank"

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("-o", "--out", default="", help="file to write (default: out/topic.svg)")
        parser.add_argument("--concepts", type=int, default=40, help="boxes at the most (default: 40)")

    def run(self, args: list[str], opts: Namespace) -> None:
        if len(args) != 2 or args[0] not in DRAWINGS:
            raise UsageError("say what to draw of which crawl, as in: scrapy draw topic jobs/x")
        if opts.concepts < 1:
            raise UsageError("--concepts must be at least 1", print_help=False)
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
    lines: Iterable[str] = items(source) if source.is_dir() else source.read_text(encoding="utf-8").splitlines()
    try:
        return [json.loads(line) for line in lines if line.strip()]
    except ValueError as error:
        raise FcaError(f"{source} is not a file of JSON lines ({error})") from error
