"""``scrapy forget JOB URL|HOST``, ``--before DATE``: pages go from a crawl, and from the bytes of its files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.app.forgetting import forget_in_folder, forget_in_redis
from fcacrawler.app.how_far import HowFar
from fcacrawler.commands import OurCommand, plainly, say
from fcacrawler.values.errors import FcaError

NOT_HERE = "files that were written before are yours to delete: feeds (out/), exports, recordings, logs of clicks"


class Command(OurCommand, ScrapyCommand):
    takes = "[options] JOB [URL|HOST]"
    does = "Forget a page, a host or what is old, so that nothing of it is left in the crawl's files"
    more = (
        ": store, search index, verdicts, marks, what others say of it, and feeds to come. "
        "JOB is the crawl's JOBDIR, or its name in the Redis of -s FCA_FRONTIER. The crawl must not run. It is not "
        "fetched again, unless with --again."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--before", metavar="DATE", help="all pages that were last fetched before (2026-11-01)")
        parser.add_argument("--again", action="store_true", help="it may be found and fetched again")

    @plainly
    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        assert self.settings is not None
        frontier = self.settings.get("FCA_FRONTIER") or ""
        if len(args) != (1 if opts.before else 2):
            raise UsageError(
                "name the crawl, and either a URL, a host or --before DATE: scrapy forget jobs/x a.example"
            )
        if "://" in frontier:
            if opts.before:
                raise FcaError("--before: Redis does not know when pages were fetched; name URLs or hosts")
            removed = forget_in_redis(frontier, args[0], args[1], opts.again)
        else:
            named = None if opts.before else args[1]
            told = HowFar("looking through what stays", "pages")
            removed = forget_in_folder(Path(args[0]), named, opts.before, opts.again, told)
        say(
            f"{removed.pages} pages and {removed.links} URLs are forgotten, {removed.mended} others named them.",
            end=" ",
        )
        say("They may be fetched again." if opts.again else "They are not fetched again.")
        if removed.pages and "://" not in frontier:
            say(f"What was learned from them is unlearned when the crawl goes on, or by scrapy rejudge {args[0]}")
        print(NOT_HERE, file=sys.stderr)
