"""``scrapy export jobs/x``: the complete result of a crawl from its store, at any time, or of several harvests."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from itertools import chain
from pathlib import Path
from typing import Any

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.app.assembly import retold
from fcacrawler.app.bulk import AUTHORIZATION, Engine
from fcacrawler.app.gathering import Gathered
from fcacrawler.app.how_far import HowFar
from fcacrawler.app.opinion import ItemsNow
from fcacrawler.app.unfetched import Unfetched
from fcacrawler.commands import OurCommand, at_least_one, plainly, share
from fcacrawler.formats import KINDS, Card, Choice, kind_of, only, write
from fcacrawler.frontier.sqlite.export import write_jsonl
from fcacrawler.frontier.sqlite.store import read_store, told, unreached_in
from fcacrawler.page.signals import USES
from fcacrawler.page.text.quality import RULES
from fcacrawler.values.errors import BadOptions, BadRecord, BadStore


class Command(OurCommand, ScrapyCommand):
    takes = "[options] JOBDIR | SOURCE…"
    does = "Write all pages of a crawl, or of several workers' files, in the form that you need"
    more = (
        ": from its store (JOBDIR), complete up to now, also while the crawl runs. Several "
        "SOURCEs (JOBDIRs and feeds of JSON lines) become one: each URL once, as it was fetched last. Of the "
        "pages of JOBDIRs it says what is thought of them now."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        endings = ", ".join(kind.ending for kind in KINDS.values() if kind.ending)
        add = parser.add_argument
        place = f"a file ({endings}), replaced if it is there, or a new folder (default lines to stdout)"
        add("-o", "-O", "--output", metavar="PLACE", help=place)
        add("--as", dest="kind", choices=KINDS, metavar="KIND", help=f"if its ending does not say: {', '.join(KINDS)}")
        add("--relevant", action="store_true", help="only what is relevant, as is thought now")
        add(
            "--top",
            type=at_least_one,
            metavar="N",
            help="the N relevant pages to look at first: between them they show the most",
        )
        add("--min", type=share, default=0.0, metavar="P", help="only what is at least so relevant")
        add(
            "--since",
            type=moment,
            default=None,
            metavar="DATE",
            help="only what was fetched then or later (2026-11-01)",
        )
        add("--language", type=several, default=(), metavar="CODE,…", help="only pages in these languages (en,de)")
        add("--host", type=several, default=(), metavar="HOST,…", help="only pages of these hosts and those below them")
        add("--usage", choices=USES, default="", help="only pages whose owners do not refuse this use")
        add(
            "--clean",
            type=rules,
            default=(),
            metavar="RULES",
            help=f"only texts that break no rule of {','.join(RULES)}",
        )
        add("--distinct", action="store_true", help="of pages with nearly the same text the first")
        add("--quality", action="store_true", help="with what those rules count, and which are broken")
        add("--fields", type=several, default=(), metavar="NAME,…", help="these fields of items, in this order")
        add(
            "--part", type=at_least_one, default=10_000, metavar="N", help="items of a file, where a folder has several"
        )
        add("--recordings", metavar="FOLDER", help="where the recordings are whose records CDXJ and WACZ need")
        add(
            "--to",
            nargs=2,
            metavar=("opensearch", "URL"),
            help="into an index of OpenSearch or Elasticsearch, such as http://127.0.0.1:9200/pages",
        )
        add("--seen", action="store_true", help="not pages, but the URLs that were seen and not fetched, and why not")

    @plainly
    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if not args:
            raise UsageError("name the folder of the crawl's -s JOBDIR=…, or several sources: JOBDIRs and .jsonl files")
        output = Path(opts.output) if opts.output else None
        try:
            self.kind = kind_of(output, opts.kind or "") if output is not None else "jsonl"
        except BadOptions as error:
            raise UsageError(str(error)) from None
        if opts.to and (opts.to[0] != "opensearch" or output is not None or opts.seen):
            raise UsageError("--to opensearch URL is all that there is, and goes without -o and --seen")
        sources = [Path(source) for source in args]
        if output is not None and output.resolve() in [source.resolve() for source in sources]:
            raise UsageError(f"-o {output}: is one of the sources, name another file")
        self.write_all(sources, output, opts)

    def write_all(self, sources: Sequence[Path], output: Path | None, opts: argparse.Namespace) -> None:
        """What the command is for, once its arguments are known to be right."""
        if opts.seen:
            self._seen(sources, output, opts)
            return
        if len(sources) > 1 or sources[0].is_file():
            self._gather(sources, output, opts)
        else:
            self.write_now(ItemsNow(sources[0]), sources, output, opts)
        for line in chain.from_iterable(not_reached(source) for source in sources if not source.is_file()):
            print(line, file=sys.stderr)

    def _seen(self, sources: Sequence[Path], output: Path | None, opts: argparse.Namespace) -> None:
        if len(sources) != 1 or self.kind not in ("jsonl", "csv"):
            raise UsageError("--seen: name the folder of one crawl's -s JOBDIR=…, and -o FILE.jsonl or FILE.csv")
        found = Unfetched(sources[0], HowFar("replaying", "pages"))
        self._write(found, output, Card(fields=opts.fields or found.NAMES), opts)

    def _gather(self, sources: Sequence[Path], output: Path | None, opts: argparse.Namespace) -> None:
        gathered = Gathered(sources, HowFar("gathering", "pages"))
        self._choose(gathered, sources, output, opts)
        for source, lines in gathered.torn.items():
            print(f"{source}: {lines} torn or damaged items are left out", file=sys.stderr)
        for line in gathered.told:
            print(line, file=sys.stderr)

    def write_now(
        self, items: ItemsNow, sources: Sequence[Path], output: Path | None, opts: argparse.Namespace
    ) -> None:
        self._choose(items, sources, output, opts)
        for line in items.told:
            print(line, file=sys.stderr)

    def _choose(
        self, items: Iterable[str], sources: Sequence[Path], output: Path | None, opts: argparse.Namespace
    ) -> None:
        """What of the items is wanted, written."""
        choice = Choice(
            opts.relevant, opts.min, opts.since or "", opts.language, opts.host, opts.usage, opts.clean, opts.quality,
            opts.distinct,
        )  # fmt: skip
        chosen: Iterable[str] = items if choice == Choice() else choice.of(items)
        if opts.top:
            chosen = first_of(chosen, opts.top)
        folders = (
            [opts.recordings] if opts.recordings else [".", *(str(s if s.is_dir() else s.parent) for s in sources)]
        )
        card = Card(
            chosen=" ".join(word for word in CHOOSING if getattr(opts, word)),
            recordings=tuple(folders),
            fields=opts.fields,
            part=opts.part,
            left_out=choice.left_out,
        )
        if len(sources) == 1 and sources[0].is_dir():
            card.topic, card.order, card.gamma = crawl_of(sources[0])
        self._write(only(opts.fields, chosen) if opts.fields else chosen, output, card, opts)
        for why, count in choice.left_out.most_common():
            print(f"left out: {why}: {count}", file=sys.stderr)

    def _write(self, found: Iterable[str], output: Path | None, card: Card, opts: argparse.Namespace) -> None:
        if opts.to:
            send(map(json.loads, found), Engine.at(opts.to[1], os.environ.get(AUTHORIZATION, "")))
        elif output is None:
            write_jsonl(found, sys.stdout)
        else:
            print(
                f"{write(self.kind, found, output, card)} {'URLs' if opts.seen else 'pages'} → {output}",
                file=sys.stderr,
            )


def send(items: Iterable[dict[str, Any]], engine: Engine) -> None:
    engine.make()
    done, tell = 0, HowFar(engine.index, "pages")
    for done in engine.add(items):
        tell(done, 0)
    print(f"{done} pages → {engine.server}/{engine.index}", file=sys.stderr)


CHOOSING = ("relevant", "top", "since", "usage", "distinct")  # options that a card tells


def crawl_of(folder: Path) -> tuple[str, str, float | None]:
    """Topic, order and γ of the crawl in a folder, if that can be read."""
    with (
        suppress(BadStore, BadRecord, ValueError, TypeError, KeyError, AttributeError),
        closing(read_store(folder)) as db,
    ):
        config, topic = retold(told(db))
        return topic.words, config.run.order, config.crawl.gamma
    return "", "", None


def moment(text: str) -> str:
    if not re.fullmatch(r"\d{4}(-\d\d(-\d\d([T ]\d\d:\d\d(:\d\d)?)?)?)?", text):
        raise ValueError(text)
    return text.replace(" ", "T")


def several(text: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, text.split(","))))


def rules(text: str) -> tuple[str, ...]:
    if unknown := set(several(text)) - {*RULES}:
        raise argparse.ArgumentTypeError(f"no rules of that name: {', '.join(unknown)} (known: {', '.join(RULES)})")
    return several(text)


def first_of(items: Iterable[str], n: int) -> Iterator[str]:
    """The relevant items to look at first. Items are held packed, so that many take little memory."""
    from fcacrawler.semrank.cover import KEYWORDS, cover  # and numba, which nothing else here needs

    held, ranks, keywords = list[bytes](), list[float](), list[list[str]]()
    for line in items:
        item = json.loads(line)
        if item.get("relevant"):
            held.append(zlib.compress(line.encode("utf-8", "surrogatepass"), 1))
            ranks.append(item.get("semrank") or 0.0)
            keywords.append(list(item.get("keywords") or ())[:KEYWORDS])
    for i in cover(ranks, keywords, n):
        yield zlib.decompress(held[i]).decode("utf-8", "surrogatepass")


def not_reached(folder: Path) -> list[str]:
    """The hosts whose pages are missing since the last run could not reach them, if that can be read."""
    with suppress(BadStore, BadRecord), closing(read_store(folder)) as db:
        return [f"not reached: {host}: {why}; run the crawl again" for host, why in unreached_in(db).items()]
    return []
