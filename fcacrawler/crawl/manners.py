"""How hosts are treated: what a user may say about it, and the book of those that have asked to be left alone. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from operator import itemgetter
from time import monotonic

from fcacrawler.values.options import at_least, option

DOUBLINGS = 30  # of a pause; far beyond any bound
HOSTS = 10_000  # whose rules and refusals are kept


def wrong_contact(contact: str) -> str | None:
    """What is wrong with a mail address or web page that goes into a header; "" is neither and right."""
    plain = contact.isascii() and contact.isprintable() and not set(contact) & set(' ()<>"')
    if not contact or (plain and ("@" in contact[1:-1] or contact.startswith(("https://", "http://")))):
        return None
    return "must be a mail address, or a web page that begins with https:// or http://"


@dataclass(frozen=True, slots=True)
class MannersOptions:
    """How hosts are treated."""

    contact: str = option(
        "",
        "who runs the crawl: a mail address or a web page, told to every host in the User-Agent",
        wrong_contact,
    )
    backoff: float = option(
        5.0,
        "seconds for which a host that answers 429 or 503 is left alone unless it says; twice as long each time",
        at_least(0),
    )
    longest_backoff: float = option(
        3600.0, "seconds for which a host is left alone at most, whatever its Retry-After says", at_least(0)
    )
    unreached: int = option(
        4,
        "fetches in a row, with pauses as for 503, after which a host that cannot be reached is given up for this run; "
        "what waits there is kept",
        at_least(1),
    )
    outage: float = option(
        21_600.0, "seconds for which a crawl waits for a network that is away, then it ends; 0: for ever", at_least(0)
    )
    crawl_delay: float = option(
        60.0, "seconds of a robots.txt's Crawl-delay that are kept at most; 0: it is not looked at", at_least(0)
    )
    sitemaps: int = option(
        0, "URLs that are taken from the sitemaps that a host's robots.txt names; 0: they are not read", at_least(0)
    )


class Cooling:
    """Hosts that have asked to be left alone, and until when: the 10,000 that want it longest, or twice as many."""

    def __init__(self, options: MannersOptions, clock: Callable[[], float] = monotonic) -> None:
        self.options = options
        self.clock = clock
        self._book: dict[str, tuple[float, int]] = {}  # until when; how often it has refused in a row

    def refused(self, host: str, asked: float | None, least: float = 0.0) -> None:
        """The host has refused to answer and asked for so many seconds. What was under way already when its pause began
        does not make the next one longer."""
        now = self.clock()
        until, times = self._book.get(host, (-math.inf, 0))
        if now >= until:
            times = min(times + 1, DOUBLINGS)
        pause = asked if asked is not None else self.options.backoff * 2 ** (times - 1)
        pause = min(max(pause, least), self.options.longest_backoff)
        self._book[host] = max(until, now + pause), times
        if len(self._book) > 2 * HOSTS:
            self._book = dict(sorted(self._book.items(), key=itemgetter(1))[-HOSTS:])

    def times(self, host: str) -> int:
        """How often in a row."""
        return self._book.get(host, (0.0, 0))[1]

    def forget(self, host: str) -> None:
        """It need not be left alone."""
        self._book.pop(host, None)

    def answered(self, host: str) -> None:
        """It answers again."""
        if not self.left(host):
            self._book.pop(host, None)

    def left(self, host: str) -> float:
        """For how many more seconds it is to be left alone."""
        if host not in self._book:
            return 0.0
        return max(0.0, self._book[host][0] - self.clock())

    def __len__(self) -> int:
        """How many are to be left alone now."""
        return sum(self.left(host) > 0 for host in self._book)

    def next(self) -> float:
        """In how many seconds the next of them may be asked again; inf if none waits for that."""
        return min((wait for host in self._book if (wait := self.left(host))), default=math.inf)


def retry_after(value: str, now: datetime) -> float | None:
    """The seconds that a Retry-After header asks for (RFC 9110, 10.2.3); None if it cannot be understood.

    >>> now = datetime(2030, 1, 1, tzinfo=UTC)
    >>> retry_after("120", now), retry_after("Tue, 01 Jan 2030 00:01:00 GMT", now)
    (120.0, 60.0)
    >>> retry_after("Mon, 31 Dec 2029 23:59:00 GMT", now), retry_after("soon", now), retry_after("-1", now)
    (0.0, None, None)
    """
    value = value.strip()
    if value.isascii() and value.isdigit():
        return float(value[:12])
    date = http_date(value)
    return None if date is None else max(0.0, (date - now).total_seconds())


def http_date(value: str) -> datetime | None:
    """
    >>> http_date("Tue, 01 Jan 2030 00:00:00 GMT"), http_date("Tue, 01 Jan 99999999999999 00:00:00 GMT")
    (datetime.datetime(2030, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), None)
    """
    try:
        date = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)
