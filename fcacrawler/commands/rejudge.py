"""``scrapy rejudge jobs/x``: a crawl's pages with what is thought of them now, by all that it knows in the end."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import ClassVar

from rich.console import Console
from rich.progress import Progress
from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.app.config import RunOptions
from fcacrawler.app.rejudging import Rejudged
from fcacrawler.app.topics import read_topic
from fcacrawler.commands import as_long_as_read
from fcacrawler.commands.export import FORMATS, export
from fcacrawler.frontier.sqlite.export import write_jsonl
from fcacrawler.values.errors import FcaError


def share(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 1:
        raise ValueError(text)
    return value


class Command(ScrapyCommand):
    requires_project = True
    default_settings: ClassVar = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "[options] JOBDIR"

    def short_desc(self) -> str:
        return "Judge a crawl's pages again by all that it knows now, without fetching"

    def long_desc(self) -> str:
        return (
            f"{self.short_desc()}. A page's verdict is written when the page comes; much of what it takes to judge it "
            "comes later. Writes what export does, with the verdicts of now, also for another topic or γ."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("-o", "--output", metavar="FILE", help="FILE.jsonl or FILE.csv (default lines to stdout)")
        parser.add_argument("--topic", help="another topic: words or a TOML file (default the crawl's)")
        parser.add_argument(
            "--gamma", type=share, metavar="G", help="relevant is what is above (default the crawl's γ)"
        )
        parser.add_argument("--relevant", action="store_true", help="only what is above γ")
        parser.add_argument("--min", type=share, default=0.0, metavar="P", help="only what is at least so relevant")

    @as_long_as_read
    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1:
            raise UsageError("name the folder of the crawl's -s JOBDIR=…")
        output = Path(opts.output) if opts.output else None
        if output is not None and output.suffix not in FORMATS:
            raise UsageError(f"-o {output}: must end with {' or '.join(FORMATS)}")
        try:
            topic = read_topic(RunOptions(topic=opts.topic), needs_seeds=False) if opts.topic else None
            with Progress(console=Console(stderr=True), transient=True) as bar:
                task = bar.add_task("judging", total=None)

                def tell(n: int, count: int) -> None:
                    bar.update(task, completed=n, total=count)

                found = Rejudged(Path(args[0]), opts.gamma, topic, opts.min, opts.relevant, tell)
            if output is None:
                write_jsonl(found, sys.stdout)
            else:
                print(f"{export(found, output)} pages → {output}", file=sys.stderr)
            told = f"{found.changed} pages are judged otherwise than when they came (γ = {found.gamma:g})"
            print("\n".join(filter(None, (told, found.told))), file=sys.stderr)
        except FcaError as error:
            print(error, file=sys.stderr)
            self.exitcode = 1
        except BrokenPipeError:
            raise
        except OSError as error:
            print(f"{error.strerror}: {error.filename}", file=sys.stderr)
            self.exitcode = 1
