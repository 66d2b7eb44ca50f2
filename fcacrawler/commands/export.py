"""``scrapy export jobs/x``: the complete result of a crawl from its store, at any time, or of several harvests."""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar

from rich.console import Console
from rich.progress import Progress
from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.app.gathering import Gathered
from fcacrawler.app.opinion import ItemsNow
from fcacrawler.commands import as_long_as_read
from fcacrawler.frontier.sqlite.export import write_csv, write_jsonl
from fcacrawler.frontier.sqlite.store import read_store, unreached_in
from fcacrawler.values.errors import BadRecord, BadStore, FcaError

FORMATS = {".jsonl": write_jsonl, ".csv": write_csv}


class Command(ScrapyCommand):
    requires_project = True
    default_settings: ClassVar = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "[options] JOBDIR | SOURCE…"

    def short_desc(self) -> str:
        return "Write all pages of a crawl, or of several workers' files, as JSON lines or CSV"

    def long_desc(self) -> str:
        return (
            f"{self.short_desc()}: from its store (JOBDIR), complete up to now, also while the crawl runs. Several "
            "SOURCEs (JOBDIRs and feeds of JSON lines) become one: each URL once, as it was fetched last. Of the "
            "pages of JOBDIRs it says what is thought of them now."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("-o", "--output", metavar="FILE", help="FILE.jsonl or FILE.csv (default lines to stdout)")
        parser.add_argument("--relevant", action="store_true", help="only what is relevant, as is thought now")
        parser.add_argument(
            "--top",
            type=number,
            metavar="N",
            help="the N relevant pages to look at first: between them they show the most",
        )
        parser.add_argument("--min", type=share, default=0.0, metavar="P", help="only what is at least so relevant")

    @as_long_as_read
    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if not args:
            raise UsageError("name the folder of the crawl's -s JOBDIR=…, or several sources: JOBDIRs and .jsonl files")
        output = Path(opts.output) if opts.output else None
        if output is not None and output.suffix not in FORMATS:
            raise UsageError(f"-o {output}: must end with {' or '.join(FORMATS)}")
        sources = [Path(source) for source in args]
        if output is not None and output.resolve() in [source.resolve() for source in sources]:
            raise UsageError(f"-o {output}: is one of the sources, name another file")
        try:
            self.write_all(sources, output, opts)
        except FcaError as error:
            print(error, file=sys.stderr)
            self.exitcode = 1
        except BrokenPipeError:
            raise
        except OSError as error:
            print(f"{error.strerror}: {error.filename}", file=sys.stderr)
            self.exitcode = 1

    def write_all(self, sources: Sequence[Path], output: Path | None, opts: argparse.Namespace) -> None:
        """What the command is for, once its arguments are known to be right."""
        if len(sources) > 1 or sources[0].is_file():
            self._gather(sources, output, opts)
        else:
            self.write_now(ItemsNow(sources[0]), output, opts)
        for line in chain.from_iterable(not_reached(source) for source in sources if not source.is_file()):
            print(line, file=sys.stderr)

    def _gather(self, sources: Sequence[Path], output: Path | None, opts: argparse.Namespace) -> None:
        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("gathering", total=None)
            gathered = Gathered(sources, lambda read: bar.advance(task, read))
            bar.update(task, total=gathered.size)
            write(wanted(gathered, opts), output)
        for source, lines in gathered.torn.items():
            print(f"{source}: {lines} torn or damaged items are left out", file=sys.stderr)
        for told in gathered.told:
            print(told, file=sys.stderr)

    def write_now(self, items: ItemsNow, output: Path | None, opts: argparse.Namespace) -> None:
        write(wanted(items, opts), output)
        for told in items.told:
            print(told, file=sys.stderr)


def share(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 1:
        raise ValueError(text)
    return value


def wanted(items: Iterable[str], opts: argparse.Namespace) -> Iterable[str]:
    """Those that ``--relevant``, ``--min`` and ``--top`` leave."""
    if opts.relevant or opts.min:
        items = (line for line in items if is_wanted(json.loads(line), opts))
    return first_of(items, opts.top) if opts.top else items


def number(text: str) -> int:
    value = int(text)
    if value < 1:
        raise ValueError(text)
    return value


def first_of(items: Iterable[str], n: int) -> Iterator[str]:
    """The relevant items to look at first. Items are held packed, so that many take little memory."""
    from fcacrawler.semrank.cover import KEYWORDS, cover  # and numba, which nothing else here needs

    held, ranks, keywords = list[bytes](), list[float](), list[list[str]]()
    for line in items:
        item = json.loads(line)
        if item.get("relevant"):
            held.append(zlib.compress(line.encode("utf-8", "surrogatepass"), 1))
            ranks.append(item.get("semrank") or 0.0)
            keywords.append(list(item.get("keywords") or ())[:KEYWORDS])
    for i in cover(ranks, keywords, n):
        yield zlib.decompress(held[i]).decode("utf-8", "surrogatepass")


def is_wanted(item: dict[str, Any], opts: argparse.Namespace) -> bool:
    """An item of a foreign spider may say nothing of that."""
    return (item.get("semrank") or 0.0) >= opts.min and (bool(item.get("relevant")) or not opts.relevant)


def write(found: Iterable[str], output: Path | None) -> None:
    if output is None:
        write_jsonl(found, sys.stdout)
    else:
        print(f"{export(found, output)} pages → {output}", file=sys.stderr)


def not_reached(folder: Path) -> list[str]:
    """The hosts whose pages are missing since the last run could not reach them, if that can be read."""
    with suppress(BadStore, BadRecord), closing(read_store(folder)) as db:
        return [f"not reached: {host}: {why}; run the crawl again" for host, why in unreached_in(db).items()]
    return []


def export(found: Iterable[str], output: Path) -> int:
    """The file is there when it is whole."""
    part = output.with_name(output.name + ".part")
    with part.open("w", encoding="utf-8", errors="surrogatepass", newline="") as file:
        pages = FORMATS[output.suffix](found, file)
    part.replace(output)
    return pages
