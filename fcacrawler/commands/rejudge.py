"""``scrapy rejudge jobs/x``: a crawl's pages with what is thought of them now, by all that it knows in the end."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from scrapy.exceptions import UsageError

from fcacrawler.app.config import RunOptions
from fcacrawler.app.rejudging import Rejudged
from fcacrawler.app.topics import read_topic
from fcacrawler.commands.export import Command as Export


def share(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 1:
        raise ValueError(text)
    return value


class Command(Export):
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
        parser.add_argument("--topic", help="another topic: words or a TOML file (default the crawl's)")
        parser.add_argument(
            "--gamma", type=share, metavar="G", help="relevant is what is above (default the crawl's γ)"
        )
        parser.add_argument("--relevant", action="store_true", help="only what is above γ")
        parser.add_argument("--min", type=share, default=0.0, metavar="P", help="only what is at least so relevant")

    def write_all(self, sources: Sequence[Path], output: Path | None, opts: argparse.Namespace) -> None:
        if len(sources) != 1:
            raise UsageError("name the folder of one crawl's -s JOBDIR=…")
        topic = read_topic(RunOptions(topic=opts.topic), needs_seeds=False) if opts.topic else None
        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("judging", total=None)

            def tell(n: int, count: int) -> None:
                bar.update(task, completed=n, total=count)

            found = Rejudged(sources[0], opts.gamma, topic, opts.min, opts.relevant, tell)
        self.write(found, output)
        told = f"{found.changed} pages are judged otherwise than when they came (γ = {found.gamma:g})"
        print("\n".join(filter(None, (told, found.told))), file=sys.stderr)
