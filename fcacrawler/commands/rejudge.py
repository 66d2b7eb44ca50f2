"""``scrapy rejudge jobs/x``: a crawl's pages are judged by all that it knows, and that is kept beside its store."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from scrapy.exceptions import UsageError

from fcacrawler.app.config import RunOptions
from fcacrawler.app.explain import Job
from fcacrawler.app.how_far import HowFar
from fcacrawler.app.opinion import ItemsNow, Opinion, keep, opinion_of
from fcacrawler.app.topics import read_topic
from fcacrawler.commands import share
from fcacrawler.commands.export import Command as Export


class Command(Export):
    takes = "[options] JOBDIR"
    does = "Judge a crawl's pages again by all that it knows now, without fetching"
    more = (
        ", also for another topic or γ. The verdicts are kept with the crawl: export, explain "
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
    with closing(Job(folder, HowFar("judging", "pages"), topic, opts.gamma)) as job:
        return opinion_of(job.replayed(), job.topic.words)
