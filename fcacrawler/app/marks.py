"""What users say of pages, from files of theirs: TSV or JSON lines."""

from __future__ import annotations

import getpass
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from fcacrawler.page import canonical_url
from fcacrawler.values.errors import BadOptions, BadRecord
from fcacrawler.values.files import BadFile, read_text
from fcacrawler.values.marks import WORDS, Mark, load_mark

BYTES = 100 << 20  # of a file
NAMED = 5  # lines, or URLs, that are named of those with the same fault
FORM = "a line is URL, good or bad, who and when with tabs between (who and when may be missing), or the same as JSON"


@dataclass(frozen=True, slots=True)
class MarksFile:
    """The marks of a file, in its order."""

    marks: tuple[Mark, ...] = ()
    told: str = ""  # what its user should know of it


def read_marks(path: Path) -> MarksFile:
    """Raises BadOptions for a file that is none of marks, with the numbers of the lines that are wrong."""
    try:
        lines = read_text(path, BYTES).splitlines()
    except BadFile as error:
        raise BadOptions([f"marks file {error}"]) from None
    if lines and lines[0].lower().startswith("url\t"):
        lines[0] = ""
    said = {n: line.strip() for n, line in enumerate(lines, 1)}
    found = {n: _mark(line) for n, line in said.items() if line and not line.startswith("#")}
    wrong = [str(n) for n, mark in found.items() if mark is None]
    if wrong:
        raise BadOptions([f"marks file {path}: no mark in line {_some(wrong)}; {FORM}"])
    marks = tuple(mark for mark in found.values() if mark is not None)
    if not marks:
        raise BadOptions([f"marks file {path}: no mark in it; {FORM}"])
    both = contradicted(marks)
    told = f"marks file {path}: good and bad are said of {_some(both)}; the later counts" if both else ""
    return MarksFile(marks, told)


def _mark(line: str) -> Mark | None:
    try:
        mark = load_mark(line) if line.startswith("{") else _of_fields(line.split("\t"))
    except (BadRecord, KeyError, TypeError):
        return None
    url = canonical_url(mark.url)
    return Mark(url, mark.good, mark.who, mark.when) if url else None


def _of_fields(fields: Sequence[str]) -> Mark:
    """
    >>> _of_fields(["http://a.test/", " Good"]), _of_fields(["http://a.test/", "none", "ann"]).good
    (Mark(url='http://a.test/', good=True, who='', when=''), None)
    """
    url, word, who, when = (*(field.strip() for field in fields[:4]), "", "", "")[:4]
    return Mark(url, WORDS[word.lower()], who, when)


def contradicted(marks: Iterable[Mark]) -> list[str]:
    """The URLs of which good and bad are said.

    >>> contradicted([Mark("a", True), Mark("b", True), Mark("a", False), Mark("b", None), Mark("b", False)])
    ['a']
    """
    now: dict[str, bool | None] = {}
    both: dict[str, None] = {}
    for mark in marks:
        before, now[mark.url] = now.get(mark.url), mark.good
        if before is not None and mark.good is (not before):
            both[mark.url] = None
    return list(both)


def said(url: str, good: bool | None, who: str = "") -> Mark:
    """By the user of this process, now."""
    return Mark(url, good, who or _user(), datetime.now(UTC).isoformat(timespec="milliseconds"))


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # one without a name
        return ""


def standing(marks: Iterable[Mark]) -> dict[str, Mark]:
    """Of each URL the mark that counts."""
    last = {mark.url: mark for mark in marks}
    return {url: mark for url, mark in last.items() if mark.good is not None}


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
