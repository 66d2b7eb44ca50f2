"""``scrapy search jobs/x "words"``: search what crawls have fetched."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.app.bulk import AUTHORIZATION, Engine
from fcacrawler.app.how_far import HowFar
from fcacrawler.app.searching import check_jobs, index, opened
from fcacrawler.commands import OurCommand, at_least_one, plainly, say, share
from fcacrawler.search import Filter, Found, Hit, Query, ask
from fcacrawler.search.asking import LONGEST

BOLD, PLAIN = "\x1b[1m", "\x1b[0m"


class Command(OurCommand, ScrapyCommand):
    takes = '[options] JOBDIR… "words"'
    does = "Search the pages of one crawl or several, by words and by meaning, also while they run"
    more = (
        ". A crawl with a JOBDIR makes its pages searchable while it runs (FCA_SEARCH); what "
        "is missing is made up for first, or with --index alone."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("-n", type=at_least_one, default=10, metavar="N", help="so many pages (default 10)")
        parser.add_argument("--json", action="store_true", help="a line of JSON a page, for machines")
        parser.add_argument("--host", default="", help="only of this host")
        parser.add_argument("--language", default="", metavar="CODE", help="only in this language, such as en")
        parser.add_argument("--relevant", action="store_true", help="only what is relevant to its crawl's topic")
        parser.add_argument("--min", type=share, default=0.0, metavar="P", help="only what is at least so relevant")
        parser.add_argument(
            "--since", default="", metavar="DATE", help="only what was fetched then or later: 2026-01-31"
        )
        parser.add_argument(
            "--opensearch", default="", metavar="URL", help="in the index that scrapy export --to wrote"
        )
        parser.add_argument("--index", action="store_true", help="only make the JOBDIRs searchable")

    @plainly
    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        folders = [Path(folder) for folder in (args if opts.index else args[:-1])]
        if not folders and not (opts.opensearch and args):
            raise UsageError(f"say in which crawl and what: scrapy search {self.syntax()}")
        check_jobs(folders)
        if opts.opensearch:
            self._elsewhere(opts.opensearch, args[-1], opts)
        elif opts.index:
            self._index(folders)
        else:
            self._search(folders, args[-1], opts)

    def _elsewhere(self, url: str, words: str, opts: argparse.Namespace) -> None:
        """By an engine that keeps the pages."""
        hits = Engine.at(url, os.environ.get(AUTHORIZATION, "")).find(words[:LONGEST], opts.n)
        for n, hit in enumerate(hits, 1):
            if opts.json:
                print(json.dumps(hit))
            else:
                say(f"{n:2}  {hit.get('title')}\n    {hit.get('url')}\n    {' '.join(map(str, hit['snippet']))}")
        if not hits:
            print("nothing was found: say it in other words", file=sys.stderr)
            self.exitcode = 1

    def _index(self, folders: Sequence[Path]) -> None:
        for folder in folders:
            index(folder, HowFar(str(folder), "pages"))

    def _search(self, folders: Sequence[Path], words: str, opts: argparse.Namespace) -> None:
        only = Filter(opts.host, opts.language, opts.relevant, opts.min, opts.since)
        with opened(folders, HowFar("making pages searchable", "pages")) as jobs:
            found = ask(jobs, Query(words, opts.n, only=only))
        for note in found.notes:
            print(note, file=sys.stderr)
        if not found.hits:
            print("nothing was found: say it in other words, or leave filters out", file=sys.stderr)
            self.exitcode = 1
        self._show(found, opts.json)

    def _show(self, found: Found, as_json: bool) -> None:
        for n, hit in enumerate(found.hits, 1):
            if as_json:
                print(json.dumps(asdict(hit)))
            else:
                tell(n, hit)


def tell(n: int, hit: Hit) -> None:
    """For people; words of the query stand out."""
    about = ", ".join(filter(None, (hit.host, hit.language, f"relevance {hit.relevance:.2f}", hit.fetched[:10])))
    say(f"{n:2}  {hit.title}\n    {hit.url}\n    {about}")
    begin, end = (BOLD, PLAIN) if sys.stdout.isatty() else ("*", "*")
    print("    ", end="")
    for text, marked in hit.snippet:
        print(begin if marked else "", end="")
        say(text, end="")
        print(end if marked else "", end="")
    print()
    if hit.copies:
        say(f"    and {len(hit.copies)} with the same text: {', '.join(hit.copies[:3])}")
