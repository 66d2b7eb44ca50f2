"""ORCAS (MS MARCO): ``query id, query, document id, URL`` by tabs.

It has no users: a query is in it only if enough people typed it, and each query stands for them as one user.
"""

from __future__ import annotations

import re

from fcacrawler.weblogs.events import BadLine, Click, checked_query
from fcacrawler.weblogs.formats.format import Format, without_header

DOCUMENT = re.compile(r"D\d+$")


def parse(line: str) -> Click | None:
    """
    >>> parse("10103699\\twhat is tidal energy\\tD1265400\\thttps://example.org/tides").user
    '10103699'
    """
    fields = line.split("\t")
    if len(fields) != 4 or not fields[0].isdecimal() or not DOCUMENT.match(fields[2]):
        if not line:
            return None
        raise BadLine("not the ORCAS columns: query id, query, D and a number, URL")
    return Click(fields[0], checked_query(fields[1]), fields[3])


ORCAS = Format("orcas", without_header(parse))
