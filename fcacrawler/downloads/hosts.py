"""The hosts as Scrapy's downloader has them: which may be asked now, and when the next one may be."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from math import inf
from time import monotonic
from typing import Any, NamedTuple

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.utils.asyncio import CallLaterResult, call_later

from fcacrawler.crawl.manners import MannersOptions
from fcacrawler.downloads.cooling import HOSTS, Cooling, http_date, retry_after

logger = logging.getLogger(__name__)


class Pace(NamedTuple):
    """How a host is fetched from: so many pages at once, so many seconds between two."""

    at_once: int
    delay: float


class Hosts:
    """Delays and concurrency are the downloader's slots' (DOWNLOAD_DELAY, AutoThrottle, DOWNLOAD_SLOTS); pauses that
    hosts have asked for are ours."""

    def __init__(self, crawler: Crawler, options: MannersOptions) -> None:
        self.crawler = crawler
        self.options = options
        self.cooling = Cooling(options)
        self.silent = Cooling(options)  # that could not be reached
        self.given_up: dict[str, str] = {}  # for this run, and why; the scheduler takes them out
        self._delays: dict[str, float] = {}  # that robots.txt asks for, of the hosts whose rules were read last
        self._apart: dict[str, dict[str, Any]] = {}  # what the user has set for hosts of their own

    @property
    def _downloader(self) -> Any:
        return self.crawler.engine.downloader

    def of(self, request: Request) -> str:
        return str(self._downloader.get_slot_key(request))

    def at_once(self) -> int:
        """How many fetches of a host may be under way, unless it is treated apart."""
        return 1 if self._downloader._delay else int(self._downloader.domain_concurrency)

    def free(self) -> Callable[[str], bool]:
        """May a host be fetched from now? Counted from what the downloader has at this moment."""
        downloader = self._downloader
        loading = Counter(map(self.of, downloader.active))
        now = monotonic()

        def free(host: str) -> bool:
            if self.left(host):
                return False
            slot = downloader.slots.get(host)
            if slot is None:
                concurrency, delay = self._to_be(host)
                return loading[host] < (1 if delay else concurrency)
            if loading[host] >= slot.concurrency:
                return False
            return not slot.delay or (loading[host] == len(slot.transferring) and now - slot.lastseen >= slot.delay)

        return free

    def keep_delay(self, host: str, seconds: float) -> None:
        """The host asks for so much time between two fetches. It is forgotten no sooner than its rules, which are read
        again before the next fetch."""
        delay = min(seconds, self.options.crawl_delay)
        if delay <= 0:
            return
        if not self._delays:  # after AutoThrottle, which would lower it
            self.crawler.signals.connect(self._response_downloaded, signals.response_downloaded)
            self._apart = dict(self._downloader.per_slot_settings)
        apart = self._downloader.per_slot_settings
        apart[host] = {**apart.get(host, {}), "delay": max(delay, self._to_be(host).delay)}
        self._delays.pop(host, None)
        self._delays[host] = delay
        self._raise(host)
        if len(self._delays) > HOSTS:
            self._forget(next(iter(self._delays)))

    def _forget(self, host: str) -> None:
        apart = self._downloader.per_slot_settings
        del self._delays[host], apart[host]
        if host in self._apart:
            apart[host] = self._apart[host]

    def _response_downloaded(self, request: Request) -> None:
        self._raise(self.of(request))

    def _raise(self, host: str) -> None:
        slot = self._downloader.slots.get(host)
        if slot is not None:
            slot.delay = max(slot.delay, self._delays.get(host, 0.0))

    def pause(self, host: str) -> float:
        """Seconds that the host is to be left alone after a fetch."""
        slot = self._downloader.slots.get(host)
        delay: float = slot.delay if slot is not None else self._to_be(host).delay
        return max(delay, self.left(host))

    def left(self, host: str) -> float:
        """For how many more seconds it is to be left alone, since it has asked for that or could not be reached."""
        return max(self.cooling.left(host), self.silent.left(host))

    def pausing(self) -> int:
        """How many are to be left alone now."""
        return len(self.cooling) + len(self.silent)

    def wait(self) -> float:
        """Seconds until the next host's delay or pause is over; inf if there is none."""
        now = monotonic()
        slots = self._downloader.slots.values()
        delays = [wait for s in slots if s.delay and (wait := s.lastseen + s.delay - now) > 0]
        return float(min([*delays, self.cooling.next(), self.silent.next()]))

    def refused(self, request: Request, response: Response) -> None:
        """The host has answered that it wants to be left alone."""
        date, pause = ((response.headers.get(name) or b"").decode("latin-1") for name in ("Date", "Retry-After"))
        host, now = self.of(request), http_date(date) or datetime.now(UTC)  # by the server's clock, if it tells
        self.cooling.refused(host, retry_after(pause, now), self.pause(host))
        self.crawler.stats.inc_value("fca/refused")

    def not_reached(self, host: str, why: str) -> None:
        """A fetch has found nobody there: it is tried again after a pause, but not for ever."""
        self.silent.refused(host, None, self.pause(host))
        self.crawler.stats.inc_value("fca/not_reached")
        if self.silent.times(host) >= self.options.unreached:
            self.silent.forget(host)
            self.given_up[host] = why
            logger.warning("not reached: %s: %s; what waits there is kept for the next run", host, why)

    def _to_be(self, host: str) -> Pace:
        """Of a host that has no slot yet."""
        downloader = self._downloader
        apart = downloader.per_slot_settings.get(host, {})
        concurrency = apart.get("concurrency", downloader.domain_concurrency)
        return Pace(int(concurrency), float(apart.get("delay", downloader._delay)))


def wake(crawler: Crawler) -> None:
    """Let the engine ask for the next request now. Scrapy has no public way; without this one it asks every 5 s."""
    slot = getattr(crawler.engine, "_slot", None)
    if slot is not None:
        slot.nextcall.schedule()


class Alarm:
    """Wakes the engine at the earliest time that it has been set to."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._call: CallLaterResult | None = None
        self._at = inf

    def set(self, seconds: float) -> None:
        at = monotonic() + seconds
        if at < self._at:
            self.cancel()
            self._call, self._at = call_later(seconds + 0.001, self._ring), at

    def cancel(self) -> None:
        if self._call is not None:
            self._call.cancel()
        self._call, self._at = None, inf

    def _ring(self) -> None:
        self._call, self._at = None, inf
        wake(self._crawler)
