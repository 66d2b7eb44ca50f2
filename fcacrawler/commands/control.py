"""``scrapy control PATH pause|resume|status|gamma=0.3|pages=5000|seed URL|good URL …``: ask a running crawl."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.app.asking import remedy, talk
from fcacrawler.app.metrics import metrics
from fcacrawler.app.progress import clean
from fcacrawler.commands import OurCommand, plainly

ALONE = ("status", "pause", "resume")
WITH = {"seed": "URL", "block": "HOST", "good": "URL", "bad": "URL", "undo": "URL"}
NUMBERS = ("gamma", "pages")


class Command(OurCommand, ScrapyCommand):
    takes = "[options] PATH status|pause|resume|gamma=0.3|pages=5000|seed URL|block HOST|good URL|bad URL|undo URL …"
    does = "Ask a running crawl: pause, go on, change it, how it goes"
    more = ". PATH is that of the crawl's -a control=PATH."

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="answers as they come, for machines")
        parser.add_argument("--metrics", action="store_true", help="the state that is answered, as Prometheus reads it")

    @plainly
    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) < 2:
            raise UsageError(f"say which crawl and what: {self.syntax()}")
        asks = list(wanted(args[1:]))
        try:
            for answer in talk(args[0], asks):
                if opts.metrics and answer["ok"]:
                    print(metrics({answer["status"]["topic"]: answer["status"]}), end="")
                else:
                    print(json.dumps(answer, ensure_ascii=False) if opts.json else "\n".join(told(answer)))
                self.exitcode = self.exitcode or int(not answer["ok"])
        except BrokenPipeError:  # of what is printed
            raise
        except OSError as error:
            print(f"{args[0]}: {remedy(error)}", file=sys.stderr)
            self.exitcode = 1


def wanted(words: Sequence[str]) -> Iterator[dict[str, Any]]:
    """
    >>> list(wanted(["gamma=0.3", "seed", "http://a.test/", "status"]))
    [{'ask': 'gamma', 'value': '0.3'}, {'ask': 'seed', 'value': 'http://a.test/'}, {'ask': 'status'}]
    """
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if word in ALONE:
            yield {"ask": word}
        elif equals and name in NUMBERS:
            yield {"ask": name, "value": value}
        elif word in WITH:
            value = next(rest, "")
            if not value:
                raise UsageError(f"{word} what? scrapy control PATH {word} {WITH[word]}")
            yield {"ask": word, "value": value}
        else:
            known = [*ALONE, *(f"{n}=NUMBER" for n in NUMBERS), *(f"{n} {v}" for n, v in WITH.items())]
            raise UsageError(f"{word!r} cannot be asked; what can: {', '.join(known)}")


def told(answer: dict[str, Any]) -> list[str]:
    """For people; a stranger's text cannot reach the terminal as it is."""
    if not answer["ok"]:
        return [f"no: {clean(answer['error'], 400)}"]
    s = answer["status"]
    dropped = ", ".join(f"{n} {clean(rule, 40)}" for rule, n in s["dropped"].items())
    return [
        clean(answer["said"], 400),
        f"  {clean(s['topic'], 60)}, {s['order']}, γ {s['gamma']:g}: {s['pages']} of {s['budget'] or 'any'} pages, "
        f"{s['relevant']} relevant, lately {100 * s['lately']:.0f} %",
        f"  {s['running']} above γ, {s['waiting']} below it, {s['leased']} in flight, {s['done']} done",
        *([f"  links not followed: {dropped}"] if dropped else []),
        *([f"  {s['marks']} pages are marked"] if s["marks"] else []),
        *([f"  blocked: {', '.join(s['blocked'])}"] if s["blocked"] else []),
    ]
