"""``scrapy export jobs/x``: the complete result of a crawl from its store, at any time, or of several harvests."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from itertools import chain
from pathlib import Path
from typing import ClassVar

from rich.console import Console
from rich.progress import Progress
from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.app.gathering import Gathered
from fcacrawler.commands import as_long_as_read
from fcacrawler.frontier.sqlite.export import write_csv, write_jsonl
from fcacrawler.frontier.sqlite.salvage import Items
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
            "SOURCEs (JOBDIRs and feeds of JSON lines) become one: each URL once, as it was fetched last."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("-o", "--output", metavar="FILE", help="FILE.jsonl or FILE.csv (default lines to stdout)")

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
            self._gather(sources, output)
        else:
            items = Items(sources[0])
            self.write(items, output)
            if items.damaged:
                print(items.told, file=sys.stderr)
        for line in chain.from_iterable(not_reached(source) for source in sources if not source.is_file()):
            print(line, file=sys.stderr)

    def _gather(self, sources: Sequence[Path], output: Path | None) -> None:
        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("gathering", total=None)
            gathered = Gathered(sources, lambda read: bar.advance(task, read))
            bar.update(task, total=gathered.size)
            self.write(gathered, output)
        for source, lines in gathered.torn.items():
            print(f"{source}: {lines} torn or damaged items are left out", file=sys.stderr)

    def write(self, found: Iterable[str], output: Path | None) -> None:
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
