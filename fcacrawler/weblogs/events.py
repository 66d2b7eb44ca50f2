"""What one line of a log says: a click, or why the line says nothing that can be used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

LONGEST_QUERY = 1000  # characters
MOST_WORDS = 50  # in one query


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


@dataclass(frozen=True, slots=True)
class Rejected:
    """A line that could not be used."""

    line: int  # 1, 2, 3 …
    why: str


class BadLine(ValueError):
    """Says why a line is rejected. Does not leave the room: the reader makes it a ``Rejected``."""


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
