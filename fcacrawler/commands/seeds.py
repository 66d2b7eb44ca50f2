"""``scrapy seeds "words"``: search engines are asked where a crawl about these words might begin."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.addon import agent_of
from fcacrawler.app.assembly import check
from fcacrawler.app.beginning import FILE, SEEDS, Desk, engines_file
from fcacrawler.app.config import read_config
from fcacrawler.commands import OurCommand, at_least_one, plainly, say
from fcacrawler.engines import Keyword, Suggestion
from fcacrawler.values.errors import BadOptions
from fcacrawler.values.names import nearest


class Command(OurCommand, ScrapyCommand):
    takes = '[options] "words"'
    does = "Ask search engines where a crawl about these words might begin"
    more = (
        f": those of {FILE} (or -s FCA_ENGINES=FILE). Their results are fused by rank, dead "
        "links are left out; scrapy crawl semrank -a topic=WORDS does the same where no seeds are given."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("-n", type=at_least_one, default=SEEDS, metavar="N", help="so many (default %(default)s)")
        parser.add_argument("--engine", action="append", default=[], metavar="NAME", help="only this one (again: more)")
        parser.add_argument("--keyword", action="append", default=[], metavar="WORDS", help="ask for this too")
        parser.add_argument("--alone", action="store_true", help="ask for the words alone, without keywords")
        parser.add_argument("--no-check", action="store_true", help="do not look whether the pages answer")
        parser.add_argument("--json", action="store_true", help="a line of JSON a page, for machines")
        parser.add_argument("--urls", action="store_true", help="addresses only, as -a seeds=FILE reads them")

    @plainly
    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        words = " ".join(" ".join(args).split())
        if not any(c.isalnum() for c in words):
            raise UsageError(f"say what to look for: scrapy seeds {self.syntax()}")
        assert self.settings is not None
        config = read_config(self.settings)
        check(config)
        desk = Desk(config, agent_of(self.settings))
        if engines_file(config) is None:
            raise BadOptions([f"no engines: name some in {FILE}, or in -s FCA_ENGINES=FILE (docs/use/engines.md)"])
        names = [engine.name for engine in desk.engines]
        problems = [f"--engine {name}: is unknown{nearest(name, names)}" for name in opts.engine if name not in names]
        if problems:
            raise BadOptions(problems)
        keywords = opts.keyword if opts.keyword or opts.alone else None
        heard, proposed = desk.ask(words, keywords, opts.engine)
        for note in heard.notes:
            print(f"no answer of {note}", file=sys.stderr)
        found = desk.suggested(words, heard, opts.n, not opts.no_check)
        dead = [one for one in found if one.alive is False]
        kept = [one for one in found if one.alive is not False][: opts.n]
        if not opts.json and not opts.urls:
            tell(kept, dead, proposed, desk.performance(words, desk.engines))
        for one in kept:
            if opts.json:
                print(json.dumps(asdict(one)))
            elif opts.urls:
                print(one.url)
        if not kept:
            print("no page was named: say it in other words, or name other engines", file=sys.stderr)
            self.exitcode = 1


def tell(
    kept: list[Suggestion], dead: list[Suggestion], proposed: list[Keyword], performance: dict[str, float]
) -> None:  # fmt: skip
    """For people."""
    for n, one in enumerate(kept, 1):
        who = ", ".join(f"{name} {rank}" for name, rank in one.engines)
        unsure = "" if one.alive else ", nobody has looked" if not one.state else f", {one.state}"
        say(f"{n:2}  {one.title or one.url}\n    {one.url}\n    {one.score:.2f}: {who}{unsure}")
        if one.snippet:
            say(f"    {one.snippet}")
    for one in dead:
        say(f"left out: {one.url} ({one.state})")
    if proposed:
        say("keywords: " + "; ".join(f"{k.words} ({k.source})" for k in proposed))
    good = ", ".join(f"{name} {share:.2f}" for name, share in performance.items())
    say(f"performance: {good}")
