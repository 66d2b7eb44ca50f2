"""A log file's lines, gzipped or not, in whatever encoding, in bounded memory."""

from __future__ import annotations

import gzip
import zlib
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from fcacrawler.values.errors import FcaError
from fcacrawler.weblogs.events import BadLine

LONGEST_LINE = 1 << 20  # bytes; what is longer is skipped piece by piece and rejected
SAMPLE = 1 << 16  # bytes at the head of a file by which its format and encoding are told


class BadFile(FcaError):
    """A file that is no log, or a log that cannot be trusted."""


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The file's bytes, unzipped where its first two bytes say so, without a byte order mark."""
    try:
        with path.open("rb") as raw:
            zipped = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            with cast(BinaryIO, gzip.open(raw)) if zipped else raw as plain:
                if plain.read(len(BOM_UTF8)) != BOM_UTF8:
                    plain.seek(0)
                yield plain
    except (EOFError, gzip.BadGzipFile, zlib.error) as e:
        raise BadFile(f"{path}: the gzip file is cut off or damaged ({e}); fetch or write it again") from e
    except OSError as e:
        raise BadFile(f"{path}: cannot be read ({e.strerror or e})") from e


def head(path: Path) -> list[bytes]:
    """The first whole lines of a file that may be a log."""
    with opened(path) as file:
        sample = file.read(SAMPLE)
    if not sample.strip():
        raise BadFile(f"{path}: is empty; leave it out")
    if sample[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise BadFile(f"{path}: is UTF-16; convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)")
    if b"\x00" in sample:
        raise BadFile(f"{path}: is a binary file, not a log")
    lines = sample.split(b"\n")
    return lines if len(lines) == 1 or len(sample) < SAMPLE else lines[:-1]


def encodings(sample: list[bytes], legacy: str) -> tuple[str, str]:
    """Which encoding a file's lines are tried in first, and which second.

    Almost any bytes can be read as a single-byte encoding, so that one is always second. GB18030 is first as soon as
    the head of the file is not UTF-8: short Chinese words in it are often valid UTF-8, of another meaning.
    """
    try:
        b"\n".join(sample).decode()
    except UnicodeDecodeError:
        if legacy == "gb18030":
            return legacy, "utf-8"
    return "utf-8", legacy


def blocks(path: Path) -> Iterator[bytes]:
    """The file's lines in order, many at once. Of a line that is too long only so much that it still is."""
    with opened(path) as file:
        while block := file.read(SAMPLE):
            if block[-1:] != b"\n":
                rest = more = file.readline(LONGEST_LINE)
                while len(more) == LONGEST_LINE and more[-1:] != b"\n":
                    more = file.readline(LONGEST_LINE)
                block += rest
            yield block


def lines(block: bytes, encoding: tuple[str, str]) -> Iterator[str | BadLine]:
    """The block's lines, without their ends; for those that cannot be read, why."""
    first, second = encoding
    for raw in block.removesuffix(b"\n").split(b"\n"):
        if len(raw) >= LONGEST_LINE:
            yield BadLine(f"line of more than {LONGEST_LINE:,} bytes")
            continue
        try:
            yield raw.decode(first).rstrip("\r\n")
        except UnicodeDecodeError:
            try:
                yield raw.decode(second).rstrip("\r\n")
            except UnicodeDecodeError:
                yield BadLine(f"neither {first} nor {second}")


def lines_of(path: Path, encoding: tuple[str, str]) -> Iterator[str | BadLine]:
    """All lines of a file, one by one."""
    return (line for block in blocks(path) for line in lines(block, encoding))
