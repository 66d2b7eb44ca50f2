"""``scrapy review JOBDIR``: asks about the pages whose marks would teach most, one key a page."""

from __future__ import annotations

import argparse
import json
import sys
import termios
import tty
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from threadpoolctl import threadpool_limits

from fcacrawler.app.how_far import HowFar
from fcacrawler.app.progress import clean
from fcacrawler.app.review import Proposal, Review
from fcacrawler.commands import OurCommand, plainly
from fcacrawler.values.marks import WORDS

KEYS = "g good, b bad, s skip, u undo, o how it was found, q quit"
LEAD = 400  # characters
TOLD = 200  # pages that are replayed until a machine is told how many
MARKS = {"g": True, "b": False}


class Command(OurCommand, ScrapyCommand):
    takes = "[options] JOBDIR"
    does = "Be asked about the pages whose marks would teach most"
    more = f": {KEYS}. A crawl that runs hears of it within seconds."

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--list", type=int, metavar="N", help="print the first N of them, and ask nothing")
        parser.add_argument(
            "--json",
            action="store_true",
            help="as JSON lines, for machines; without --list they answer on standard input",
        )

    @plainly
    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1 or (opts.list is not None and opts.list < 1):
            raise UsageError("name the folder of one crawl's -s JOBDIR=…; --list takes a number")
        if opts.list is None and not opts.json and not sys.stdin.isatty():
            raise UsageError(
                "there is no terminal to ask at: scrapy review JOBDIR --list 20 prints them, scrapy mark marks"
            )
        threadpool_limits(1)  # sums in the crawl's own order
        told = HowFar("what the crawl knows", "pages")

        def tell(n: int, count: int) -> None:
            told(n, count)
            if opts.json and opts.list is None and n % TOLD == 1:
                print(json.dumps({"replayed": n, "of": count}), flush=True)

        review = Review(Path(args[0]), tell)
        if opts.list is None and opts.json:
            conversed(review)
        elif opts.list is None:
            asked(review, key)
        else:
            listed(review, opts.list, opts.json)


def listed(review: Review, most: int, as_json: bool) -> None:
    for _ in range(most):
        if (page := review.next()) is None:
            break
        fields = {"url": page.url, "title": page.title, "rank": round(page.rank, 6), "why": page.why}
        print(json.dumps(fields, ensure_ascii=False) if as_json else "\n".join(shown(page)))
    review.job.close()


def conversed(review: Review) -> None:
    """With a machine: a page a line and what its marks have changed so far; {"mark": "good"} is an answer, bad, skip
    and undo are others. It is over when nobody answers any more."""
    said: list[str] = []
    try:
        page = review.next()
        while True:
            told = {**asdict(page), "lead": page.lead[:LEAD]} if page is not None else {"url": ""}
            print(json.dumps({**told, "said": len(said), "changed": review.changed()}), flush=True)
            word = _word(sys.stdin.readline())
            if not word:
                break
            if word == "undo" and said:
                review.mark(said.pop(), None)
            elif page is not None and word in WORDS and WORDS[word] is not None:
                review.mark(page.url, WORDS[word])
                said.append(page.url)
            if page is not None and word in ("good", "bad", "skip"):
                page = review.next()
    finally:
        review.close()


def _word(line: str) -> str:
    """ "" at the end, or for what is no answer."""
    try:
        return str(json.loads(line)["mark"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""


def asked(review: Review, read: Callable[[], str]) -> None:
    """Until the user has had enough, or there is no page left. ``read`` answers a key."""
    said: list[str] = []
    try:
        while (page := review.next()) is not None:
            print("\n".join(shown(page)))
            while (answer := read()) not in "gbsq":
                if answer == "o":
                    print("\n".join(f"  {clean(url, 200)}" for url in (*page.path, page.url)))
                elif answer == "u" and said:
                    review.mark(url := said.pop(), None)
                    print(f"  no longer marked: {clean(url, 200)}")
                else:
                    print(f"  {KEYS}")
            if answer == "q":
                break
            if answer in MARKS:
                review.mark(page.url, MARKS[answer])
                said.append(page.url)
    finally:
        more, less = review.turned()
        print(f"{len(said)} pages marked; of the others {more} have become relevant, {less} no longer are")
        review.close()


def shown(page: Proposal) -> list[str]:
    """Strangers' texts are made safe for a terminal."""
    head = f"{page.rank:.2f}  {clean(page.title, 100) or '(no title)'}"
    return ["", head, f"  {clean(page.url, 200)}", f"  {clean(page.lead, LEAD)}", f"  ({page.why})"]


def key() -> str:
    """The next one that is typed; q where there is none, or Ctrl-C."""
    print(f"[{KEYS}] ", end="", flush=True)
    place = sys.stdin.fileno()
    before = termios.tcgetattr(place)
    try:
        tty.setcbreak(place)
        typed = sys.stdin.read(1).lower() or "q"
    except KeyboardInterrupt:
        typed = "q"
    finally:
        termios.tcsetattr(place, termios.TCSADRAIN, before)
    print(typed if typed.isprintable() else "")
    return typed
