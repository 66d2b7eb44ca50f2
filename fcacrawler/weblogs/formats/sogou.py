"""SogouQ: ``time, user, [query], rank of the result, order of the click, URL``, in GB18030.

The 2008 edition has the query in brackets, a time of day, and a space between rank and order; the 2012 edition has
tabs throughout and time as YYYYMMDDhhmmss.
"""

from __future__ import annotations

import re

from fcacrawler.weblogs.events import BadLine, Click, checked_query
from fcacrawler.weblogs.formats.format import Format, without_header

LINE = re.compile(r"(\d\d:\d\d:\d\d|\d{14})\t([^\t]+)\t([^\t]*)\t(\d+)[\t ](\d+)\t([^\t]+)$")


def parse(line: str) -> Click | None:
    """
    >>> parse("00:00:01\\t2982199073774412\\t[汽车 比赛]\\t8 3\\tauto.example.cn/race").query
    '汽车 比赛'
    """
    found = LINE.match(line)
    if found is None:
        if not line:
            return None
        raise BadLine("not the Sogou columns: time, user, [query], rank and order, URL")
    time, user, query, _, order, url = found.groups()
    if query[:1] == "[" and query[-1:] == "]":
        query = query[1:-1]
    return Click(user, checked_query(query), url if "://" in url else f"http://{url}", "", time, order)


SOGOU = Format("sogou", without_header(parse), legacy="gb18030")
