"""``scrapy rejudge jobs/x``: a crawl's pages are judged by all that it knows, and that is kept beside its store."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from scrapy.exceptions import UsageError

from fcacrawler.app.config import RunOptions
from fcacrawler.app.explain import Job
from fcacrawler.app.opinion import ItemsNow, Opinion, keep, opinion_of
from fcacrawler.app.topics import read_topic
from fcacrawler.commands.export import Command as Export
from fcacrawler.commands.export import share


class Command(Export):
    def syntax(self) -> str:
        return "[options] JOBDIR"

    def short_desc(self) -> str:
        return "Judge a crawl's pages again by all that it knows now, without fetching"

    def long_desc(self) -> str:
        return (
            f"{self.short_desc()}, also for another topic or γ. The verdicts are kept with the crawl: export, explain "
            "and draw tell them from then on, until it goes on or is judged again. Writes what export does."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--topic", help="another topic: words or a TOML file (default the crawl's)")
        parser.add_argument(
            "--gamma", type=share, metavar="G", help="relevant is what is above (default the crawl's γ)"
        )

    def write_all(self, sources: Sequence[Path], output: Path | None, opts: argparse.Namespace) -> None:
        if len(sources) != 1:
            raise UsageError("name the folder of one crawl's -s JOBDIR=…")
        (folder,) = sources
        opinion = judged_again(folder, opts)
        try:
            keep(opinion, folder)
        except OSError as error:
            print(f"{error.strerror}: {error.filename}: what is thought now is not kept there", file=sys.stderr)
        items = ItemsNow(folder, opinion)
        self.write_now(items, sources, output, opts)
        print(
            f"{items.changed} pages are judged otherwise than when they came (γ = {opinion.gamma:g})", file=sys.stderr
        )


def judged_again(folder: Path, opts: argparse.Namespace) -> Opinion:
    topic = read_topic(RunOptions(topic=opts.topic), needs_seeds=False) if opts.topic else None
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("judging", total=None)

        def tell(n: int, count: int) -> None:
            bar.update(task, completed=n, total=count)

        with closing(Job(folder, tell, topic, opts.gamma)) as job:
            return opinion_of(job.replayed(), job.topic.words)
