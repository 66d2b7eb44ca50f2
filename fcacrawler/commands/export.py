"""``scrapy export jobs/x``: the complete result of a crawl from its store, at any time."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from pathlib import Path
from typing import ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.commands import as_long_as_read
from fcacrawler.frontier.sqlite.export import write_csv, write_jsonl
from fcacrawler.frontier.sqlite.store import items, read_store, unreached_in
from fcacrawler.values.errors import FcaError

FORMATS = {".jsonl": write_jsonl, ".csv": write_csv}


class Command(ScrapyCommand):
    requires_project = True
    default_settings: ClassVar = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "[options] JOBDIR"

    def short_desc(self) -> str:
        return "Write all pages of a crawl with a JOBDIR as JSON lines or CSV"

    def long_desc(self) -> str:
        return f"{self.short_desc()}: from its store, complete up to now, also while the crawl runs."

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("-o", "--output", metavar="FILE", help="FILE.jsonl or FILE.csv (default lines to stdout)")

    @as_long_as_read
    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1:
            raise UsageError("name one folder: that of the crawl's -s JOBDIR=…")
        output = Path(opts.output) if opts.output else None
        if output is not None and output.suffix not in FORMATS:
            raise UsageError(f"-o {output}: must end with {' or '.join(FORMATS)}")
        try:
            if output is None:
                write_jsonl(items(Path(args[0])), sys.stdout)
            else:
                pages = export(Path(args[0]), output)
                print(f"{pages} pages → {output}", file=sys.stderr)
            for line in not_reached(Path(args[0])):
                print(line, file=sys.stderr)
        except FcaError as error:
            print(error, file=sys.stderr)
            self.exitcode = 1
        except BrokenPipeError:
            raise
        except OSError as error:
            print(f"{error.strerror}: {error.filename}", file=sys.stderr)
            self.exitcode = 1


def not_reached(folder: Path) -> list[str]:
    """The hosts whose pages are missing since the last run could not reach them."""
    with closing(read_store(folder)) as db:
        return [f"not reached: {host}: {why}; run the crawl again" for host, why in unreached_in(db).items()]


def export(folder: Path, output: Path) -> int:
    """The file is there when it is whole."""
    part = output.with_name(output.name + ".part")
    with part.open("w", encoding="utf-8", errors="surrogatepass", newline="") as file:
        pages = FORMATS[output.suffix](items(folder), file)
    part.replace(output)
    return pages
