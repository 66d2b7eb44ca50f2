"""What one line of a log says: a click, or why the line says nothing that can be used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

LONGEST_QUERY = 1000  # characters
MOST_WORDS = 50  # in one query
SHORT_QUERY = 2 * MOST_WORDS  # characters that cannot hold more words, nor be too long
STEPS = 20  # bits of a step in a turn


class Click(NamedTuple):
    """A user submitted a query and clicked a page, as the log's own words say it.

    Two clicks that are equal in every field are one event that was logged twice. A site's access log also gives
    clicks without a query (a page view) and without a URL (a search): which query a view belongs to is found later,
    from the order in time.
    """

    user: str
    query: str
    url: str
    group: str = ""  # interest group of the user; "" where the log has none
    time: str = ""
    step: str = ""
    clicks: int = 1  # how often, in logs that are counted already
    second: int = 0  # access logs: seconds since 1970; 0 elsewhere


class ClickColumns(NamedTuple):
    """Clicks, field by field as ``Click`` has them; all fields have a value for each click."""

    user: Sequence[str]
    query: Sequence[str]
    url: Sequence[str]
    group: Sequence[str]
    time: Sequence[str]
    step: Sequence[str]
    clicks: Sequence[int]
    second: Sequence[int]


def in_columns(clicks: Sequence[Click]) -> ClickColumns:
    """
    >>> in_columns([Click("u1", "auto", "http://a/"), Click("u2", "racing", "http://b/")]).query
    ('auto', 'racing')
    """
    return ClickColumns(*zip(*clicks, strict=True)) if clicks else ClickColumns(*[()] * len(Click._fields))


@dataclass(frozen=True, slots=True)
class Rejected:
    """A line that could not be used."""

    line: int  # 1, 2, 3 …
    why: str


class BadLine(ValueError):
    """Says why a line is rejected. Does not leave the room: the reader makes it a ``Rejected``."""


def turn(time: str, step: str, second: int = 0) -> int:
    """Where a click stands among those of its user: by time, and then by step; 0 where neither can be read.

    >>> turn("2025-10-01 09:00:00", "9") < turn("1759309201", ""), turn("then", "")
    (True, 0)
    """
    return (second or seconds(time)) << STEPS | place(step)


@lru_cache(maxsize=4096)
def place(step: str) -> int:
    """A step as a number; 0 if it is none.

    >>> place("9"), place("first"), place("9999999") == (1 << STEPS) - 1
    (9, 0, True)
    """
    return min(int(step[:7]), (1 << STEPS) - 1) if step.isdecimal() else 0


def seconds(time: str) -> int:
    """Since 1970, or since midnight where a log has no days; 0 if it cannot be told.

    >>> seconds("1759309201"), seconds("2025-10-01T09:00:01"), seconds("20251001090001"), seconds("00:00:09")
    (1759309201, 1759309201, 1759309201, 9)
    """
    if time.isdecimal() and len(time) < 14:
        return int(time) // (1000 if len(time) > 11 else 1)
    return _by_calendar(time)


@lru_cache(maxsize=4096)
def _by_calendar(time: str) -> int:
    for text in (time, f"{time[:8]}T{time[8:]}", f"1970-01-01 {time}"):
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            continue
        return max(int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()), 0)
    return 0


def checked_query(text: str) -> str:
    """The query without outer space; a query that no human typed is refused.

    >>> checked_query("  auto racing ")
    'auto racing'
    """
    if len(text) > LONGEST_QUERY:
        raise BadLine(f"query of more than {LONGEST_QUERY} characters")
    query = text.strip()
    if query.count(" ") >= MOST_WORDS and len(query.split()) > MOST_WORDS:
        raise BadLine(f"query of more than {MOST_WORDS} words")
    return query
