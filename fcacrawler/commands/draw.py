"""``scrapy draw topic|lattice|hierarchy FILE``: pictures of what a crawl has found, of contexts, and of Ω."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.commands import OurCommand, at_least_one, plainly


class Command(OurCommand, ScrapyCommand):
    requires_crawler_process = False
    takes = "topic|lattice|hierarchy JOBDIR|ITEMS.jsonl|CONTEXT.csv|OMEGA.parquet [options]"
    does = "Draw as SVG: the topic map of a crawl, the concept lattice of its pages, the hierarchy of its keywords"

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("-o", "--out", default="", help="file to write (default out/topic.svg and so on)")
        parser.add_argument("--concepts", type=at_least_one, default=40, help="boxes at the most (default 40)")
        parser.add_argument("--url", default="", help="lattice: mark how this URL came to its rank")
        parser.add_argument("--keywords", type=at_least_one, default=8, help="lattice: keywords of a page (default 8)")
        parser.add_argument("--query", default="", help="hierarchy: the words that stand beneath the root")

    @plainly
    def run(self, args: list[str], opts: Namespace) -> None:
        from fcacrawler.evaluation.drawings import DRAWINGS

        if len(args) != 2 or args[0] not in DRAWINGS:
            raise UsageError("say what to draw of which crawl, as in: scrapy draw topic jobs/x")
        picture = DRAWINGS[args[0]](Path(args[1]), opts)
        out = Path(opts.out or f"out/{args[0]}.svg")
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(picture, encoding="utf-8")
        print(f"Written to {out}")
