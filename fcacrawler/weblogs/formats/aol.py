"""AOL 2006: ``AnonID, Query, QueryTime, ItemRank, ClickURL`` by tabs; three columns where nothing was clicked."""

from __future__ import annotations

import re

from fcacrawler.weblogs.events import BadLine, Click, checked_query
from fcacrawler.weblogs.formats.format import Format, without_header

HEADER = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL"
TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$")


def parse(line: str) -> Click | None:
    """
    >>> parse("217\\tlottery\\t2006-03-01 11:58:51\\t1\\thttp://www.calottery.com").url
    'http://www.calottery.com'
    """
    fields = line.split("\t")
    if len(fields) not in (3, 5) or not TIME.match(fields[2]):
        if line == HEADER or not line:
            return None
        raise BadLine("not the AOL columns: user, query, YYYY-MM-DD HH:MM:SS, rank, URL")
    if len(fields) == 3 or not fields[4] or fields[1] == "-":
        return None
    user, query, time, rank, url = fields
    return Click(user, checked_query(query), url, "", time, rank)


AOL = Format("aol", without_header(parse))
