"""The marks of a crawl with a folder: lines of JSON in JOBDIR/marks.jsonl, to which anybody may append at any time. The
crawl's store says after which page each was heard, so that a crawl that goes on learns in the same order.

Why so: decision 183.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from fcacrawler.frontier.sqlite.store import fact
from fcacrawler.values.errors import BadRecord, BadStore
from fcacrawler.values.marks import Mark, dump_mark, load_mark
from fcacrawler.values.pages import SeenPage

NAME = "marks.jsonl"
HEARD = "heard"  # the fact: [number of a page, lines that were heard when it was the last one]


class MarkLog:
    """``heard`` is to be kept in the store under its name."""

    def __init__(self, folder: Path, db: sqlite3.Connection) -> None:
        self.path = folder / NAME
        self.heard: list[list[int]] = [[int(number), int(lines)] for number, lines in fact(db, HEARD, list)]
        self._told = 0  # of these
        self._read = 0  # bytes

    def among(self, pages: Iterable[tuple[int, SeenPage]], last: int = 0) -> Iterator[SeenPage | Sequence[Mark]]:
        """The pages of an earlier run by number, and what has not been told of the marks, each where it was heard; at
        the end those that are new, heard after the ``last`` page."""
        lines = self._new()
        for number, page in pages:
            while self._told < len(self.heard) and self.heard[self._told][0] < number:
                yield from self._next(lines)
            yield page
        while self._told < len(self.heard):
            yield from self._next(lines)
        if new := list(lines):
            self.heard.append([last, len(new)])
            yield from self._next(iter(new))

    def _next(self, lines: Iterator[Mark | None]) -> Iterator[Sequence[Mark]]:
        _, count = self.heard[self._told]
        self._told += 1
        found = [mark for mark in islice(lines, count) if mark is not None]
        if found:
            yield found

    def _new(self) -> Iterator[Mark | None]:
        """The lines that are whole and have not been read; None for what is none of ours."""
        return map(_mark, self._lines())

    def _lines(self) -> list[bytes]:
        with suppress(FileNotFoundError):
            if self.path.stat().st_size > self._read:
                with self.path.open("rb") as file:
                    file.seek(self._read)
                    whole, newline, _ = file.read().rpartition(b"\n")
                self._read += len(whole) + len(newline)
                return whole.split(b"\n") if newline else []
        return []

    def add(self, marks: Sequence[Mark]) -> None:
        """Those that do not stand there already."""
        there: set[str] = set()
        with suppress(FileNotFoundError):
            there.update(self.path.read_text("utf-8", "replace").splitlines())
        append(self.path, [mark for mark in marks if dump_mark(mark) not in there])


def append(path: Path, marks: Sequence[Mark]) -> None:
    """In one piece, and safe when this is over."""
    if not marks:
        return
    text = "".join(f"{dump_mark(mark)}\n" for mark in marks).encode("utf-8", "surrogatepass")
    try:
        file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            size = os.fstat(file).st_size
            torn = size and os.pread(file, 1, size - 1) != b"\n"
            os.write(file, b"\n" + text if torn else text)
            os.fsync(file)
        finally:
            os.close(file)
    except OSError as error:
        raise BadStore(f"{path}: {error.strerror}: what was said is not kept") from None


def marks_in(folder: Path) -> list[Mark]:
    """All marks of a crawl, in order."""
    try:
        lines = (folder / NAME).read_bytes().split(b"\n")
    except FileNotFoundError:
        return []
    return [mark for mark in map(_mark, lines) if mark is not None]


def _mark(line: bytes) -> Mark | None:
    try:
        return load_mark(line.decode("utf-8", "surrogatepass"))
    except (BadRecord, UnicodeDecodeError):
        return None
