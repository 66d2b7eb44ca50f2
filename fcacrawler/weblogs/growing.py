"""A log of clicks that grows while a crawl runs: what has come since it was last read.

Nothing of it is stored, and users are known only while their walks are open: a pair counts once for every walk.

Why so: decision 201.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from os import SEEK_END
from pathlib import Path

import numpy as np

from fcacrawler.values.clicks import NEAR, NO_CLICKS, Clicks
from fcacrawler.weblogs.events import BadLine, Click, seconds
from fcacrawler.weblogs.formats import tell
from fcacrawler.weblogs.formats.access import ACCESS
from fcacrawler.weblogs.formats.format import Parser
from fcacrawler.weblogs.lines import BadFile

GAP = 1800  # seconds after which a walk is over
OPEN = 10_000  # walks that may go on: the latest
AT_ONCE = 1 << 24  # bytes that are read in one go
HEAD = 200  # lines by which the format is told

Row = tuple[str, str, tuple[int, int, int]]


@dataclass(slots=True)
class Walk:
    """The end of a walk that may go on."""

    latest: int = 0  # second of its last click
    pages: list[str] = field(default_factory=list)
    shown: set[tuple[str, str]] = field(default_factory=set)

    def step(self, url: str) -> list[Row]:
        """A click more: the pairs that it makes."""
        rows: list[Row] = []
        for before, page in enumerate(reversed(self.pages)):
            pair = (min(page, url), max(page, url))
            straight, new = before == 0, pair not in self.shown
            if page != url and (straight or new):
                rows.append((*pair, (int(new), int(straight and page < url), int(straight and page > url))))
                self.shown.add(pair)
        self.pages = [*self.pages, url][-NEAR:]
        return rows


class GrowingLog:
    """A file of any format that ``scrapy learn`` reads, but an access log; UTF-8, not zipped, in order of time."""

    def __init__(self, path: Path, canonical: Callable[[str], str]) -> None:
        self.path = path
        self.rejected = 0  # lines
        self._canonical = canonical
        self._parse: Parser | None = None
        self._read = 0  # bytes
        self._walks: OrderedDict[tuple[str, str], Walk] = OrderedDict()

    def read(self) -> Clicks:
        """The clicks of the whole lines that are new. A file that has become shorter is another one."""
        rows: list[Row] = []
        try:
            with self.path.open("rb") as file:
                if file.seek(0, SEEK_END) < self._read:
                    self._read, self._parse = 0, None
                file.seek(self._read)
                while whole := file.readlines(AT_ONCE):
                    if not whole[-1].endswith(b"\n"):
                        whole.pop()  # is being written
                    rows += self._pairs([line.decode("utf-8", "replace").rstrip("\r\n") for line in whole])
                    self._read += sum(map(len, whole))
        except OSError as error:
            raise BadFile(
                f"{self.path}: cannot be read ({error.strerror}); an empty file that may grow will do"
            ) from None
        if not rows:
            return NO_CLICKS
        first, second, counts = zip(*rows, strict=True)
        return Clicks.of(first, second, np.array(counts, np.int64))

    def _pairs(self, lines: list[str]) -> list[Row]:
        if not lines:
            return []
        if self._parse is None:
            format, self._parse = tell(self.path, lines[:HEAD])
            if format is ACCESS:
                raise BadFile(f"{self.path}: an access log has no whole URLs; scrapy learn --site reads it")
        rows: list[Row] = []
        for line in lines:
            try:
                click = self._parse(line)
            except BadLine:
                self.rejected += 1
                continue
            if click is not None:
                rows += self._step(click)
        return rows

    def _step(self, click: Click) -> list[Row]:
        second = click.second or seconds(click.time)
        walk = self._walks.pop((click.user, click.query), Walk())
        if second - walk.latest > GAP and walk.latest:
            walk = Walk()
        self._walks[click.user, click.query] = walk
        if len(self._walks) > OPEN:
            self._walks.popitem(last=False)
        walk.latest = second
        return walk.step(self._canonical(click.url))
