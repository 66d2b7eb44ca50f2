"""``scrapy gather CRAWL --to FOLDER FILE…``: a crawl in Redis and its workers' files as one folder."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from pathlib import Path

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.app.how_far import HowFar
from fcacrawler.commands import OurCommand, plainly, say


class Command(OurCommand, ScrapyCommand):
    takes = "[options] CRAWL --to FOLDER FILE…"
    does = "Gather a crawl in Redis and the files of its workers in one folder"
    more = (
        ", which export, search, draw, explain, rejudge and pise read as a JOBDIR. CRAWL is "
        "its FCA_CRAWL or the topic's name, FILEs are what workers write with -o FILE.jsonl. Each URL is there "
        "once, as it was fetched last. Also while workers are at it; done again it adds what is new."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--to", metavar="FOLDER", help="where: a new folder, or that of the last time")
        parser.add_argument("--redis", metavar="URL", help="the Redis (default: that of -s FCA_FRONTIER)")

    @plainly
    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        from fcacrawler.app.one_harvest import Feeds, gather, judge
        from fcacrawler.frontier.redis.admin import Admin

        assert self.settings is not None
        url = opts.redis or self.settings.get("FCA_FRONTIER") or ""
        if not args or not opts.to:
            raise UsageError("say which crawl and where to: scrapy gather auto-racing --to jobs/racing worker*.jsonl")
        if "://" not in url:
            raise UsageError("say in which Redis: --redis redis://HOST:6379/0")
        with closing(Admin(url, args[0])) as admin:
            feeds = Feeds([Path(name) for name in args[1:]], admin.about["crawl.topic"])
            brought = gather(admin, Path(opts.to), feeds, HowFar("gathering", "pages"))
        judge(Path(opts.to), HowFar("judging", "pages"))
        say(f"{opts.to}: {brought.pages} pages, {brought.new} of them new, {brought.changed} known better than before")
        for line in (*feeds.told, *brought.told):
            print(line, file=sys.stderr)
