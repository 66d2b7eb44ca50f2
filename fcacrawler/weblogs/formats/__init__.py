"""One log format a file; which one a file has is told from its content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from fcacrawler.weblogs.events import BadLine
from fcacrawler.weblogs.formats.access import ACCESS
from fcacrawler.weblogs.formats.aol import AOL
from fcacrawler.weblogs.formats.format import Format, Parser
from fcacrawler.weblogs.formats.orcas import ORCAS
from fcacrawler.weblogs.formats.own import JSONL, TSV
from fcacrawler.weblogs.formats.sogou import SOGOU
from fcacrawler.weblogs.lines import BadFile

FORMATS: Mapping[str, Format] = {f.name: f for f in (TSV, JSONL, AOL, ORCAS, SOGOU, ACCESS)}


def tell(path: Path, head: Sequence[str], name: str = "") -> tuple[Format, Parser]:
    """The format of a file (``name`` if it is given) and the parser of its lines.

    Every format reads the head; the one that understands most lines has it, if they are more than half.
    """
    best: tuple[float, Format, Parser] | None = None
    for format in [FORMATS[name]] if name else FORMATS.values():
        parser = format.parser(head)
        share = understood(parser, head) if parser else 0.0
        if parser and share > 0.5 and (best is None or share > best[0]):
            best = (share, format, parser)
    if best is None:
        if name:
            raise BadFile(f"{path}: does not look like {name}; leave --format out to have the format told")
        raise BadFile(
            f"{path}: no format fits its first lines; known are {', '.join(FORMATS)} (data/weblogs/README.md)"
        )
    return best[1:]


def understood(parser: Parser, head: Sequence[str]) -> float:
    """The share of lines that the parser understands, blank ones aside."""
    good = bad = 0
    for line in head:
        if not line.strip():
            continue
        try:
            parser(line)
            good += 1
        except BadLine:
            bad += 1
    return good / (good + bad) if good else 0.0
