"""A site's own access log, Apache's or Nginx's "combined".

The query stands in the request (a search on the site) or in the referrer (a search engine, or the site's page of
results). A user is an address with its agent. Which search a page view without either belongs to is decided later,
for all files together: the latest one of that user, unless a gap lies between (``relations.sql``).
"""

from __future__ import annotations

import re
from calendar import timegm
from functools import lru_cache
from urllib.parse import parse_qs, urlsplit

from fcacrawler.weblogs.events import BadLine, Click, checked_query
from fcacrawler.weblogs.formats.format import Format, without_header

QUOTED = r'"((?:[^"\\]|\\.)*)"'
LINE = re.compile(rf"(\S+) \S+ .*?\[([^\]]+)\] {QUOTED} (\d{{3}}) (?:\d+|-) {QUOTED} {QUOTED}")
TIME = re.compile(r"(\d\d)/([A-Z][a-z]{2})/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)$")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
ASKS = ("q", "query", "search", "s", "keywords", "p", "wd", "text")  # the parameter that holds what was searched for
FURNITURE = re.compile(r"\.(?:css|js|mjs|map|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|eot|json|xml|txt|mp[34]|webm)$")
ROBOT = re.compile(r"bot\b|bot/|crawl|spider|slurp|curl/|wget/|python-|scrapy|monitor", re.IGNORECASE)


def parse(line: str) -> Click | None:
    """
    >>> parse('192.0.2.7 - - [10/Oct/2025:13:55:36 +0000] "GET /cars/racing.html HTTP/1.1" 200 2326 '
    ...       '"https://search.example/?q=auto+racing" "Mozilla/5.0"')[:3]
    ('192.0.2.7 Mozilla/5.0', 'auto racing', '/cars/racing.html')
    """
    found = LINE.match(line)
    if found is None:
        if not line:
            return None
        raise BadLine("not a line of an access log in combined format")
    address, time, request, status, referrer, agent = found.groups()
    second = seconds(time)
    method, _, rest = request.partition(" ")
    target = rest.rpartition(" ")[0] or rest
    if method != "GET" or status not in ("200", "304") or not target or ROBOT.search(agent):
        return None
    searched = asked(target)
    path = target.partition("?")[0]
    if not searched and FURNITURE.search(path.lower()):
        return None
    query = searched or asked(referrer)
    return Click(f"{address} {agent}", checked_query(query), "" if searched else target, second=second)


@lru_cache(maxsize=4096)
def seconds(time: str) -> int:
    """
    >>> seconds("10/Oct/2000:13:55:36 -0700")
    971211336
    """
    found = TIME.match(time)
    if found is None or found[2] not in MONTHS or found[3] < "1971":
        raise BadLine("time is not like 10/Oct/2000:13:55:36 -0700")
    day, month, year, hour, minute, second, sign, zone_hour, zone_minute = found.groups()
    utc = timegm((int(year), MONTHS.index(month) + 1, int(day), int(hour), int(minute), int(second)))
    zone = int(zone_hour) * 3600 + int(zone_minute) * 60
    return utc - zone if sign == "+" else utc + zone


def asked(url: str) -> str:
    """What was searched for, by a URL with a query; "" if it is no search.

    >>> asked("https://search.example/find?lang=en&q=formal+concept+analysis"), asked("/cars?page=2")
    ('formal concept analysis', '')
    """
    if "?" not in url:
        return ""
    try:
        parameters = parse_qs(urlsplit(url).query, max_num_fields=50)
    except ValueError:
        return ""
    return next((text for name in ASKS for text in parameters.get(name, ()) if not text.isdecimal()), "")


ACCESS = Format("access", without_header(parse))
