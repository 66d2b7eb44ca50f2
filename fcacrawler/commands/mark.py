"""``scrapy mark JOB URL… good|bad``: say of pages of a crawl whether they are about the topic, also while it runs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.app.marking import Marked, marked
from fcacrawler.app.marks import read_marks, said, standing
from fcacrawler.app.progress import clean
from fcacrawler.commands import OurCommand, plainly, say
from fcacrawler.page import canonical_url
from fcacrawler.values.marks import LONGEST, WORDS, Mark, dump_mark

VERDICTS = ("good", "bad")
FORMATS = (".tsv", ".jsonl")
HEARD = "a crawl that runs hears of it within seconds, another one when it goes on"


class Command(OurCommand, ScrapyCommand):
    takes = "[options] JOB URL… good|bad"
    does = "Say of pages whether they are about the topic: good or bad"
    more = (
        ". JOB is the folder of the crawl's -s JOBDIR=…, or its name in the Redis of -s "
        f"FCA_FRONTIER=URL. Judge and order learn from it; {HEARD}. Of several marks of a page the last counts. A "
        "page that has not been read is fetched next if it is good, and not at all if it is bad."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--undo", action="store_true", help="take the marks of these URLs back")
        parser.add_argument("--import", metavar="FILE", dest="import_", help="mark what a file says (as -a marks=FILE)")
        parser.add_argument("--list", action="store_true", help="print the marks that count, with tabs between")
        parser.add_argument("--export", metavar="FILE", help="write them to FILE.tsv or FILE.jsonl")
        parser.add_argument("--who", default="", help="who says so (default your login)")

    @plainly
    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        assert self.settings is not None
        verdict, urls = asked(args[1:], opts)
        if not args or not (urls or opts.import_ or opts.list or opts.export):
            raise UsageError(f"say of which crawl, which pages, and what they are: scrapy mark {self.syntax()}")
        output = Path(opts.export) if opts.export else None
        if output is not None and output.suffix not in FORMATS:
            raise UsageError(f"--export {output}: must end with {' or '.join(FORMATS)}")
        job = marked(args[0], self.settings.get("FCA_FRONTIER") or "")
        if urls:
            mark(job, [said(url, verdict, opts.who) for url in urls])
        if opts.import_:
            import_(job, Path(opts.import_))
        if opts.list:
            print("".join(f"{line(one)}\n" for one in standing(job.marks()).values()), end="")
        if output is not None:
            print(f"{export(job, output)} marks → {output}", file=sys.stderr)


def asked(words: Sequence[str], opts: argparse.Namespace) -> tuple[bool | None, list[str]]:
    """What is said, and of which URLs, canonical. The verdict may stand before them or behind them."""
    verdicts = [word for word in words if word in VERDICTS]
    said_of = [word for word in words if word not in VERDICTS]
    if said_of and len(verdicts) != (0 if opts.undo else 1):
        raise UsageError("say good or bad of them, once" if not opts.undo else "--undo takes back good as well as bad")
    urls = {word: canonical_url(word) for word in said_of}
    if wrong := [word for word, url in urls.items() if not url]:
        raise UsageError(f"{', '.join(map(repr, wrong))}: no URL that begins with http:// or https://")
    return (WORDS[verdicts[0]] if verdicts else None), list(urls.values())


def mark(job: Marked, marks: Sequence[Mark]) -> None:
    before = standing(job.marks())
    job.mark(marks)
    for one in marks:
        say(f"{one.url}: {told(one, before.get(one.url), job.state(one.url))}")
    print(HEARD, file=sys.stderr)


def told(mark: Mark, before: Mark | None, state: str) -> str:
    """
    >>> told(Mark("u", True), Mark("u", False, "ann", "2026-01-02"), "read")
    'good; was bad (ann, 2026-01-02), the later counts'
    >>> told(Mark("u", False), None, "unknown"), told(Mark("u", None), None, "read")
    ('bad; not known to this crawl: it will not be fetched', 'it had no mark')
    """
    if mark.good is None:
        return f"no longer {before.word}" if before else "it had no mark"
    of = ", ".join(filter(None, (before.who, before.when))) if before else ""
    other = (
        f"; was {before.word} ({of or 'by somebody'}), the later counts" if before and before.good != mark.good else ""
    )
    unread = {"found": "not read yet", "unknown": "not known to this crawl"}.get(state, "")
    what = "it is fetched next, as an example" if mark.good else "it will not be fetched"
    return mark.word + other + (f"; {unread}: {what}" if unread else "")


def import_(job: Marked, path: Path) -> None:
    read = read_marks(path)
    there = set(job.marks())
    new = [one for one in read.marks if one not in there]
    job.mark(new)
    print(
        *filter(None, (read.told, f"{len(new)} marks are new, of {len(read.marks)}; {HEARD}")),
        sep="\n",
        file=sys.stderr,
    )


def line(mark: Mark) -> str:
    return "\t".join(clean(field, LONGEST) for field in (mark.url, mark.word, mark.who, mark.when))


def export(job: Marked, path: Path) -> int:
    """How many."""
    marks = standing(job.marks()).values()
    made = line if path.suffix == ".tsv" else dump_mark
    path.write_text("".join(f"{made(one)}\n" for one in marks), "utf-8", "surrogatepass")
    return len(marks)
