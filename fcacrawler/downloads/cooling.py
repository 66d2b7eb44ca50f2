"""The book of the hosts that are to be left alone for a while, and how long a header asks for. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from operator import itemgetter
from time import monotonic
from typing import NamedTuple

from fcacrawler.crawl.manners import MannersOptions

DOUBLINGS = 30  # of a pause; far beyond any bound
HOSTS = 10_000  # whose rules and refusals are kept


class Refusal(NamedTuple):
    """Until when a host is to be left alone, and how often it has refused in a row."""

    until: float = -math.inf
    times: int = 0


class Cooling:
    """Hosts that have asked to be left alone, and until when: the 10,000 that want it longest, or twice as many."""

    def __init__(self, options: MannersOptions, clock: Callable[[], float] = monotonic) -> None:
        self.options = options
        self.clock = clock
        self._book: dict[str, Refusal] = {}

    def refused(self, host: str, asked: float | None, least: float = 0.0) -> None:
        """The host has refused to answer and asked for so many seconds. What was under way already when its pause began
        does not make the next one longer."""
        now = self.clock()
        until, times = self._book.get(host, Refusal())
        if now >= until:
            times = min(times + 1, DOUBLINGS)
        pause = asked if asked is not None else self.options.backoff * 2 ** (times - 1)
        pause = min(max(pause, least), self.options.longest_backoff)
        self._book[host] = Refusal(max(until, now + pause), times)
        if len(self._book) > 2 * HOSTS:
            self._book = dict(sorted(self._book.items(), key=itemgetter(1))[-HOSTS:])

    def times(self, host: str) -> int:
        """How often in a row."""
        return self._book.get(host, Refusal()).times

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
        return max(0.0, self._book[host].until - self.clock())

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
