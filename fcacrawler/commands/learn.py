"""``scrapy learn``: web logs → Ω."""

from __future__ import annotations

import argparse
import dataclasses
import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.commands import OurCommand, plainly, say
from fcacrawler.frontier.sqlite.salvage import Salvage
from fcacrawler.frontier.sqlite.store import read_store
from fcacrawler.page import canonical_url, normalise_query, read_page
from fcacrawler.values.errors import BadOptions, FcaError
from fcacrawler.values.omega import Pair, Support
from fcacrawler.weblogs import (
    FORMATS,
    FileReport,
    Learned,
    LearnOptions,
    Room,
    Thresholds,
    clicks_of,
    learn,
    links_in,
    neighbourhood,
    room_for,
    strongest,
)

HAN = re.compile(r"[\u4e00-\u9fff]")
SECTIONS = (LearnOptions, Thresholds)
LARGE = 1e9  # bytes of disk that are told of


class Command(OurCommand, ScrapyCommand):
    requires_crawler_process = False
    takes = "[options] [LOG ...]"
    does = "Learn from web logs how keywords belong together"
    more = (
        ". Reads logs of what users searched and clicked and writes Ω: keywords with their clicks, and which of them"
        " mean the same (ISA) or are part of another (Part-Of). What was learned into --out before is merged."
        " Without a LOG, --show looks at what was learned; without both it is learned again, with other thresholds."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        group = parser.add_argument_group(title="Logs")
        group.add_argument(
            "--out", type=Path, default=Path("omega.parquet"), metavar="FILE", help="default: %(default)s"
        )
        group.add_argument(
            "--links",
            type=Path,
            action="append",
            default=[],
            metavar="FILE",
            help="hyperlinks among the clicked pages: a WARC, a crawl's JOBDIR or JSONL, or an edge list (repeatable)",
        )
        group.add_argument("--format", default="", choices=["", *FORMATS], help="default: told from the content")
        group.add_argument("--language", default="en", metavar="CODE", help="of the queries; default: %(default)s")
        group.add_argument("--site", default="", metavar="URL", help="access logs: where their paths belong to")
        group.add_argument("--show", default="", metavar="KEYWORD", help="print what is known of a keyword")
        group.add_argument("--top", type=int, default=30, metavar="N", help="relations printed; default: %(default)s")
        group = parser.add_argument_group(title="Learning")
        for section in SECTIONS:
            for f in dataclasses.fields(section):
                group.add_argument(
                    f"--{f.name.replace('_', '-')}",
                    type=type(f.default),
                    default=f.default,
                    metavar=type(f.default).__name__.upper(),
                    help=f"{f.metadata['meaning']}; default: %(default)s",
                )

    @plainly
    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        try:
            if args or not opts.show:
                self._learn([Path(a) for a in args], opts)
            if opts.show:
                _print_neighbourhood(opts.out, opts.show, opts.language, opts.top)
        except BadOptions:
            raise
        except FcaError as error:
            _say("")
            raise FcaError(f"Nothing was learned. {error}") from error
        except KeyboardInterrupt:
            _say("")
            print(f"Interrupted: {opts.out} is as it was.", file=sys.stderr)
            self.exitcode = 130

    def _learn(self, files: Sequence[Path], opts: argparse.Namespace) -> None:
        if not files and not opts.links and not opts.out.exists():
            raise UsageError("give at least one LOG (or --show KEYWORD)", print_help=False)
        options, thresholds = (checked(section, opts) for section in SECTIONS)
        language = opts.language

        def normalise(query: str) -> tuple[str, ...]:
            return normalise_query(query, "zh" if HAN.search(query) else language)

        def canonical(url: str) -> str:
            return canonical_url(urljoin(opts.site, url)) or url

        _print_room(room_for(files, opts.out, options.parts))
        started = time.monotonic()
        report = learn(
            files, links_of(opts.links), opts.out, normalise, canonical, options, thresholds, opts.format, _say
        )
        _say("")
        _print_report(report, opts.out, time.monotonic() - started)
        _print_strongest("ISA", "~", report.isa, strongest(opts.out, "isa", opts.top))
        _print_strongest("Part-Of", "⊃", report.part_of, strongest(opts.out, "part_of", opts.top))


def checked(section: type[Any], opts: argparse.Namespace) -> Any:
    """The section with the values of the command line; everything wrong with them in one error."""
    values = {f.name: getattr(opts, f.name) for f in dataclasses.fields(section)}
    problems = [
        f"--{f.name.replace('_', '-')} is {values[f.name]!r}, {wrong}"
        for f in dataclasses.fields(section)
        if (check := f.metadata["check"]) and (wrong := check(values[f.name]))
    ]
    if problems:
        raise BadOptions(problems)
    return section(**values)


def links_of(paths: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """Hyperlinks from files and crawls' folders."""
    for path in paths:
        if path.is_dir():
            with closing(read_store(path)) as db:
                for _, page in Salvage(db).pages():
                    yield from ((page.url, link.url) for link in page.links)
        else:
            yield from links_in(path, _read_links)


def _read_links(url: str, body: bytes, content_type: str) -> list[str]:
    return [link.url for link in read_page(url, url, body, content_type=content_type).links]


def _say(message: str) -> None:
    """Progress, where a human is looking."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{message}", end="", file=sys.stderr, flush=True)


def _print_room(room: Room) -> None:
    """Before long work, and where the disk is too small."""
    enough = room.needed <= room.free
    if room.needed > LARGE or not enough:
        say(
            f"About {room.clicks:,} clicks: learning from them takes about {room.needed / 1e9:.1f} GB of disk in "
            f"{room.folder}, where {room.free / 1e9:.1f} GB are free"
            + ("" if enough else ". That will not be enough: make room there, or give an --out on a larger disk")
        )
        sys.stdout.flush()


def _print_report(report: Learned, out: Path, seconds: float) -> None:
    for file in report.files:
        say(f"{file.path}: {file.format}, {file.lines:,} lines, {file.clicks:,} clicks, {file.rejected:,} rejected")
        _print_rejected(file)
    say(
        f"{out}{' (merged)' if report.merged else ''}: {report.clicks:,} clicks by {report.users:,} users on"
        f" {report.pages:,} pages with {report.links:,} links\n"
        f"{report.keywords:,} keywords, {report.isa:,} ISA, {report.part_of:,} Part-Of in {seconds:.1f} s"
    )
    if not report.isa + report.part_of:
        say("No relation passes the thresholds: lower --keyword-users, --users, --pages or the lifts (see -h)")


def _print_rejected(file: FileReport) -> None:
    for rejected in file.first:
        say(f"  line {rejected.line}: {rejected.why}")
    if file.rejected > len(file.first):
        reasons = ", ".join(f"{n:,} × {why}" for why, n in file.reasons.most_common(5))
        say(f"  in all: {reasons}")


def _print_strongest(name: str, sign: str, of: int, relations: Sequence[tuple[Pair, Support]]) -> None:
    if relations:
        say(f"\nThe strongest {name} (of {of:,}):")
    for (a, b), support in relations:
        say(f"  {a} {sign} {b}  ({_told(support)})")


def _print_neighbourhood(out: Path, text: str, language: str, top: int) -> None:
    keyword, clicks, of = known(out, text, language)
    say(f"{keyword}: {clicks:,} clicks of {of:,}")
    for n in neighbourhood(out, keyword, top):
        say(f"  {n.relation:6} {n.keyword}  ({_told(n.support)})")
        for page in n.pages:
            say(f"         {page}")


def known(out: Path, text: str, language: str) -> tuple[str, int, int]:
    """The keyword of an Ω that a text means, its clicks, and those of all keywords."""
    for keyword in (text, *reversed(normalise_query(text, "zh" if HAN.search(text) else language))):
        clicks, of = clicks_of(out, keyword)
        if clicks:
            return keyword, clicks, of
    raise FcaError(f"{text!r}: no such keyword was learned")


def _told(s: Support) -> str:
    return f"{s.users} users, {s.pages} pages, {s.count:,} clicks, lift {s.lift:.3g}, confidence {s.confidence:.2g}"
