"""How good an engine's answers were, learned from crawls: kept in one small file beside engines.toml.

The chance that a result of engine e for topic t is relevant:

    p(e, t) = (m·p0 + Σ s(t, tᵢ)·rᵢ) / (m + Σ s(t, tᵢ)·nᵢ)

over earlier crawls i, in which it named nᵢ pages first (ten at most) and rᵢ of them were fetched and judged relevant; s
is how alike the topics are, so that an engine may be good for one kind of topic and poor for another. Nothing known:
p0.

Why so: decision 243.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fcacrawler.page import terms
from fcacrawler.values.files import BadFile, read_text

UNKNOWN, TRUST = 0.5, 4.0  # p0 and m: an engine that nobody knows is worth a try
LEAST = 0.1  # s of topics that have nothing in common: an engine that is poor is poor everywhere, a little
KEPT = 500  # lessons, the latest
LARGEST = 1 << 20  # bytes of the file
FIRST = 10  # results of an engine by which it is judged
SAID = 200  # URLs of an engine that are remembered while a crawl runs
Alike = Callable[[str, Sequence[str]], Sequence[float]]  # a topic with others, in [-1, 1]


@dataclass(frozen=True, slots=True)
class Lesson:
    """What came of one engine's first results in one crawl."""

    crawl: str
    words: str
    engine: str
    named: int
    relevant: int


@dataclass(frozen=True, slots=True)
class Said:
    """Who said what before a crawl began: kept in its JOBDIR, so that engines are asked once."""

    crawl: str  # a name that no other crawl has
    words: str
    urls: Mapping[str, tuple[str, ...]]  # engine → its results, best first
    seeds: tuple[str, ...] = ()  # those that the crawl began with

    @property
    def all(self) -> frozenset[str]:
        return frozenset(url for urls in self.urls.values() for url in urls)

    def lessons(self, relevant: Callable[[str], bool | None]) -> list[Lesson]:
        """Of each engine's first results: one that the crawl found no reason to fetch counts as one that is not
        relevant. ``relevant``: None for a page that was not fetched. None at all where no seed was."""
        if all(relevant(url) is None for url in self.seeds):
            return []
        first = {engine: urls[:FIRST] for engine, urls in self.urls.items()}
        return [
            Lesson(self.crawl, self.words, engine, len(urls), sum(relevant(url) is True for url in urls))
            for engine, urls in first.items()
        ]

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self), ensure_ascii=False), "utf-8")

    @classmethod
    def read(cls, path: Path) -> Said | None:
        """None where there is none, or what is there is not ours."""
        try:
            told = json.loads(read_text(path, 50 * LARGEST))
            urls = {str(e): tuple(u for u in us if isinstance(u, str))[:SAID] for e, us in told["urls"].items()}
            seeds = tuple(url for url in told["seeds"] if isinstance(url, str))
            return cls(str(told["crawl"]), str(told["words"]), urls, seeds)
        except (BadFile, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None


@dataclass(frozen=True, slots=True)
class Performance:
    """Of all engines, as lessons have it."""

    lessons: tuple[Lesson, ...] = ()

    @classmethod
    def read(cls, path: Path) -> Performance:
        """Lines that are not ours are passed over; of a crawl's lessons of an engine the last one counts."""
        found: dict[tuple[str, str], Lesson] = {}
        with suppress(BadFile):
            for line in read_text(path, LARGEST).splitlines():
                with suppress(ValueError, TypeError, KeyError, RecursionError):
                    lesson = Lesson(**json.loads(line))
                    if isinstance(lesson.words, str) and 0 <= lesson.relevant <= lesson.named:
                        found.pop((key := (str(lesson.crawl), str(lesson.engine))), None)
                        found[key] = lesson
        return cls(tuple(found.values())[-KEPT:])

    def of(self, engines: Sequence[str], words: str, alike: Alike | None = None) -> dict[str, float]:
        """p(e, t) of each engine.

        >>> tea = Lesson("1", "green tea", "a", 10, 9)
        >>> Performance((tea,)).of(["a", "b"], "green tea")["b"]
        0.5
        """
        said = [lesson.words for lesson in self.lessons]
        near = (alike or by_words)(words, said) if said else []
        sums = dict.fromkeys(engines, (TRUST * UNKNOWN, TRUST))
        for lesson, cos in zip(self.lessons, near, strict=True):
            if lesson.engine in sums:
                s = max(LEAST, float(cos))
                relevant, fetched = sums[lesson.engine]
                sums[lesson.engine] = relevant + s * lesson.relevant, fetched + s * lesson.named
        return {engine: relevant / fetched for engine, (relevant, fetched) in sums.items()}

    def record(self, engine: str) -> tuple[int, int, int]:
        """Crawls that it was asked for, how many pages it named first in them, and how many of these were relevant.

        >>> Performance((Lesson("1", "tea", "a", 10, 9), Lesson("2", "golf", "a", 10, 3))).record("a")
        (2, 20, 12)
        """
        own = [lesson for lesson in self.lessons if lesson.engine == engine]
        return len(own), sum(lesson.named for lesson in own), sum(lesson.relevant for lesson in own)


def learn(path: Path, lessons: Sequence[Lesson]) -> None:
    """Added in one write, so that crawls that end at once do not spoil each other's. Raises OSError."""
    lines = "".join(json.dumps(asdict(lesson), ensure_ascii=False) + "\n" for lesson in lessons)
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    with os.fdopen(handle, "ab") as file:
        file.write(lines.encode())
        large = file.tell() > LARGEST // 2
    if large:
        kept: list[dict[str, Any]] = [asdict(lesson) for lesson in Performance.read(path).lessons]
        new = path.with_name(f"{path.name}.{os.getpid()}")
        new.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in kept), "utf-8")
        new.replace(path)


def by_words(words: str, others: Sequence[str]) -> list[float]:
    """How much of their words topics share (Jaccard).

    >>> by_words("green tea", ["tea", "golf"])
    [0.5, 0.0]
    """
    own = set(terms(words, "en"))
    sets = [set(terms(other, "en")) for other in others]
    return [len(own & other) / len(own | other) if own | other else 0.0 for other in sets]
