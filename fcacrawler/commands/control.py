"""``scrapy control PATH pause|resume|status|gamma=0.3|pages=5000|seed URL|block HOST``: ask a running crawl."""

from __future__ import annotations

import argparse
import json
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.app.progress import clean
from fcacrawler.commands import as_long_as_read

ALONE = ("status", "pause", "resume")
WITH = {"seed": "URL", "block": "HOST"}
NUMBERS = ("gamma", "pages")
SECONDS = 30


class Command(ScrapyCommand):
    requires_project = True
    default_settings: ClassVar = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "[options] PATH status|pause|resume|gamma=0.3|pages=5000|seed URL|block HOST …"

    def short_desc(self) -> str:
        return "Ask a running crawl: pause, go on, change it, how it goes"

    def long_desc(self) -> str:
        return f"{self.short_desc()}. PATH is that of the crawl's -a control=PATH."

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="answers as they come, for machines")

    @as_long_as_read
    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) < 2:
            raise UsageError(f"say which crawl and what: {self.syntax()}")
        asks = list(wanted(args[1:]))
        try:
            for answer in talk(args[0], asks):
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


def talk(path: str, asks: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The crawl's answers, up to the first that says no."""
    with socket.socket(socket.AF_UNIX) as to, to.makefile("rwb") as lines:
        to.settimeout(SECONDS)
        to.connect(path)
        for ask in asks:
            line = b""
            with suppress(BrokenPipeError):
                lines.write(json.dumps(ask).encode() + b"\n")
                lines.flush()
                line = lines.readline()
            if not line:
                raise ConnectionResetError
            answer = json.loads(line)
            yield answer
            if not answer["ok"]:
                return


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
        *([f"  blocked: {', '.join(s['blocked'])}"] if s["blocked"] else []),
    ]


def remedy(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such socket: does the crawl run, with -a control=PATH?"
    if isinstance(error, ConnectionRefusedError):
        return "nobody listens: the crawl has ended, or this is no crawl's socket"
    if isinstance(error, PermissionError):
        return "it belongs to another user"
    if isinstance(error, TimeoutError):
        return f"no answer for {SECONDS} s"
    if isinstance(error, ConnectionError):
        return "the crawl has ended"
    return error.strerror or str(error)
