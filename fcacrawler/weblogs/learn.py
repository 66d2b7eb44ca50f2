"""Log files → Ω, from the first byte to the file on disk."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from fcacrawler.values.errors import FcaError
from fcacrawler.values.options import at_least, between, one_of, option
from fcacrawler.weblogs import store
from fcacrawler.weblogs.events import BadLine, Click, ClickColumns, Rejected, in_columns
from fcacrawler.weblogs.evidence import Canonical, Evidence, Normalise, workspace
from fcacrawler.weblogs.formats import tell
from fcacrawler.weblogs.formats.format import AtOnce, Parser
from fcacrawler.weblogs.groups import GROUPS
from fcacrawler.weblogs.lines import LONGEST_LINE, BadFile, blocks, encodings, head, lines
from fcacrawler.weblogs.relations import Thresholds, prepare, run

Progress = Callable[[str], None]
SHOWN = 5  # rejected lines that are reported by number
CLICKS = "SELECT sum(clicks)::BIGINT, sum(users)::BIGINT FROM clicking"
EVERY = 200_000  # lines between two reports of progress
LINKS_AT_ONCE = 1000


def amount(memory: str) -> str | None:
    """What is wrong with an amount of memory.

    >>> amount("2GB"), amount("500 MB"), amount("much")
    (None, None, 'must be like 500MB or 2GB')
    """
    return None if re.fullmatch(r"\d+(\.\d+)? ?[KMGT]i?B", memory) else "must be like 500MB or 2GB"


@dataclass(frozen=True, slots=True)
class LearnOptions:
    """How logs are read, and with what means."""

    groups: str = option(
        "given", "interest groups: as given by the log, learned from shared clicks, or one", one_of(*GROUPS)
    )
    bad: float = option(0.05, "share of bad lines above which a file is refused", between(0, 1))
    memory: str = option("3GB", "memory of the database; what is more goes to disk", amount)
    threads: int = option(2, "processors to use", at_least(1))
    parts: int = option(1, "parts that the log is cut into, counted one after the other", between(1, 1000))


@dataclass(slots=True)
class FileReport:
    """What became of one file's lines."""

    path: Path
    format: str
    lines: int = 0
    clicks: int = 0  # events, as they stand in the file; what is neither click nor rejected has nothing to tell
    rejected: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    first: list[Rejected] = field(default_factory=list)  # the first few


@dataclass(frozen=True, slots=True)
class Learned:
    """What a run of ``learn`` came to."""

    files: tuple[FileReport, ...]
    merged: bool  # into what had been learned before
    clicks: int
    users: int
    pages: int
    links: int  # between clicked pages
    keywords: int
    isa: int
    part_of: int
    pairs: int  # of pages clicked in one walk


def learn(
    files: Sequence[Path],
    links: Iterable[tuple[str, str]],
    out: Path,
    normalise: Normalise,
    canonical: Canonical,
    options: LearnOptions,
    thresholds: Thresholds,
    format: str = "",
    progress: Progress = lambda message: None,
) -> Learned:
    """Learn Ω from logs and write it; merge it with what was learned into ``out`` before.

    ``links`` are pairs of URLs, from page to page. The result is the same as that of learning from all logs at once, in
    whatever order their lines and files come.
    """
    key = store.key_of(out)
    with workspace(options.memory, options.threads, out.parent) as (db, folder):
        evidence = Evidence(db, normalise, canonical, key, options.parts)
        keeping = store.Keeping(db, folder)
        merged = store.load_evidence(db, out, thresholds, options.parts)
        reports = tuple(read(path, evidence, format, options.bad, progress) for path in files)
        pairs_of_urls = iter(links)
        while some := list(islice(pairs_of_urls, LINKS_AT_ONCE)):
            evidence.link(some)
        evidence.flush()
        prepare(db, thresholds)
        for now in run(db, "queries", "keywords", options.parts, keeping.keep):
            progress(now)
        ((clicks, users),) = db.execute(CLICKS).fetchall()
        if not clicks:
            raise FcaError(f"{', '.join(map(str, files)) or out}: not one click after a query")
        progress("interest groups")
        GROUPS[options.groups](db)
        for now in run(db, "places", "omega", options.parts, keeping.keep):
            progress(now)
        progress("writing")
        store.save(db, out, keeping.folder, key, thresholds)
        ((pairs,),) = db.execute("SELECT count(*) FROM pair").fetchall()
        kinds = dict(db.execute("SELECT kind, count(*) FROM omega GROUP BY kind").fetchall())
        ((pages, linked),) = db.execute("SELECT pages, links FROM linked").fetchall()
    return Learned(
        reports,
        merged,
        clicks,
        users,
        pages,
        linked,
        kinds.get("keyword", 0),
        kinds.get("isa", 0),
        kinds.get("part_of", 0),
        pairs,
    )


def read(path: Path, evidence: Evidence, format: str, bad: float, progress: Progress) -> FileReport:
    """Read one file into the evidence: many lines at once where the format can, else one by one."""
    sample = head(path)
    first = [line.decode(errors="replace").rstrip("\r") for line in sample]
    known, parse = tell(path, first, format)
    at_once = known.at_once(first) if known.at_once else None
    report, encoding = FileReport(path, known.name), encodings(sample, known.legacy)
    for block in blocks(path):
        before = report.lines
        clicks = _at_once(block, encoding[0], at_once) if at_once else None
        if clicks is None:
            clicks = in_columns(list(_one_by_one(block, encoding, parse, report)))
        else:
            report.lines += block.count(b"\n") + (block[-1:] != b"\n")
        report.clicks += len(clicks.url)
        evidence.add(clicks)
        if before // EVERY < report.lines // EVERY:
            progress(f"{path.name}: {report.lines:,} lines")
    if report.rejected > bad * report.lines:
        shown = "; ".join(f"line {r.line}: {r.why}" for r in report.first)
        raise BadFile(
            f"{path}: {report.rejected:,} of {report.lines:,} lines are not {known.name}, "
            f"more than --bad {bad:g} allows: {shown}"
        )
    if not report.clicks:
        raise BadFile(f"{path}: has no clicks")
    return report


def _at_once(block: bytes, encoding: str, parse: AtOnce) -> ClickColumns | None:
    try:
        text = block.decode(encoding).removesuffix("\n").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return None
    return None if "\r" in text or len(block) >= LONGEST_LINE else parse(text)


def _one_by_one(block: bytes, encoding: tuple[str, str], parse: Parser, report: FileReport) -> Iterator[Click]:
    for line in lines(block, encoding):
        report.lines += 1
        try:
            if isinstance(line, BadLine):
                raise line
            click = parse(line)
        except BadLine as e:
            _reject(report, Rejected(report.lines, str(e)))
            continue
        if click is not None:
            yield click


def _reject(report: FileReport, rejected: Rejected) -> None:
    report.rejected += 1
    report.reasons[rejected.why] += 1
    if len(report.first) < SHOWN:
        report.first.append(rejected)
