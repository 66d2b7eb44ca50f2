"""Whether it is the network that is away, or only a host: what has answered before in this run is knocked at.

A knock looks up the name, or opens a connection and closes it: nothing is asked for, no server has a line of it.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import math
import socket
from collections.abc import Callable
from time import monotonic
from typing import NamedTuple

from scrapy import Request
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.utils.asyncio import CallLaterResult, call_later
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.httpobj import urlparse_cached

from fcacrawler.crawl.manners import MannersOptions
from fcacrawler.downloads.cooling import DOUBLINGS
from fcacrawler.downloads.hosts import wake
from fcacrawler.values.errors import FcaError

logger = logging.getLogger(__name__)

KNOWN = 100  # places that have answered last
KNOCKS = 3  # places that are knocked at, at once
SECONDS = 5.0  # for which a knock is waited for
LONGEST = 60.0  # seconds between two knocks
HANDLES = "this process has too few file handles (raise ulimit -n, or lower CONCURRENT_REQUESTS)"
LACKS = {  # errors of this machine, which say nothing of the network
    errno.EMFILE: HANDLES,
    errno.ENFILE: "this machine has too few file handles",
    errno.ENOMEM: "this machine has too little memory",
    errno.ENOBUFS: "this machine has too little memory for connections",
}


class NetworkAway(FcaError):
    """For longer than a crawl waits."""


class Place(NamedTuple):
    """Where a fetch goes: to the host, or to its proxy."""

    name: str
    port: int
    address: str  # that answered; the name if it is not known


class Network:
    """While it is ``away`` nothing leaves; it is asked for again and again, and the crawl goes on by itself."""

    def __init__(self, crawler: Crawler, options: MannersOptions, end: Callable[[Exception, str], None]) -> None:
        """``end``: what is to be done with an error that ends the crawl, for this reason."""
        self.crawler = crawler
        self.options = options
        self._end = end
        self.why = ""  # it is away
        self.waited = 0.0  # seconds in all, in which it was away
        self._places: dict[Place, None] = {}  # that have answered, the latest last
        self._here_at = -math.inf  # when something has answered last
        self._told: set[str] = set()  # what was wrong with this machine before
        self._away_at = 0.0
        self._times = 0
        self._looking: asyncio.Lock | None = None
        self._alarm: CallLaterResult | None = None

    @property
    def away(self) -> bool:
        return bool(self.why)

    def answered(self, request: Request, response: Response) -> None:
        """Something has come over the network."""
        self._here_at = monotonic()
        place = _place(request, str(response.ip_address or ""))
        self._places.pop(place, None)
        self._places[place] = None
        if len(self._places) > KNOWN:
            del self._places[next(iter(self._places))]
        if self.away:
            self._comes()

    def known(self, request: Request) -> bool:
        """Has the host answered in this run?"""
        place = _place(request)
        return any(known[:2] == place[:2] for known in self._places)

    async def lost(self, request: Request, exception: BaseException, names: bool) -> bool:
        """A fetch has failed: is that because the network is away? ``names``: its host's name was not found. Where
        nothing has answered in this run nobody can tell, and it is the host's."""
        if self.why:
            return True
        if (number := number_of(exception)) in LACKS:
            self._goes(LACKS[number])
            return True
        if self._looking is None:
            self._looking = asyncio.Lock()
        async with self._looking:  # what fails at once is looked into once
            if not self.why and self._places and monotonic() - self._here_at >= self.options.backoff:
                problem = await self._knock(names)
                if problem is not None:
                    self._goes(problem)
        return self.away

    async def reachable(self, request: Request) -> bool:
        """Does the host of this request still take connections?"""
        wanted = _place(request)
        place = next((known for known in self._places if known[:2] == wanted[:2]), wanted)
        return await _knocked(place, names=False) is None

    async def _knock(self, names: bool) -> str | None:
        """None if one of those that have answered last does, else what is wrong."""
        places = [p for p in reversed(self._places) if not (names and _is_address(p.name))][:KNOCKS]
        if not places:
            return None
        found = await asyncio.gather(*(_knocked(place, names) for place in places))
        if None in found:
            self._here_at = monotonic()
            return None
        return next(problem for problem in found if problem)

    def _goes(self, why: str) -> None:
        if self.away:
            return
        self.why, self._away_at, self._times = why, monotonic(), 0
        self._again()
        told = "the crawl pauses" if why in LACKS.values() else "the network seems to be away"
        logger.log(self._level(), "%s: %s; tried again in %g s", told, why, self._pause())

    def _comes(self) -> None:
        seconds = monotonic() - self._away_at
        self.waited += seconds
        logger.log(self._level(), "the crawl goes on after %.0f s", seconds)
        self._told.add(self.why)
        self.why = ""
        self.close()
        wake(self.crawler)

    def _level(self) -> int:
        """What this machine lacks is said once: it may happen often."""
        return logging.INFO if self.why in self._told and self.why in LACKS.values() else logging.WARNING

    def _pause(self) -> float:
        doublings = min(self._times, DOUBLINGS)
        return float(min(LONGEST, max(0.1, self.options.backoff) * 2**doublings))

    def _again(self) -> None:
        close_idle(self.crawler)  # they hold handles, and lead nowhere when the network comes back by another way
        self._alarm = call_later(self._pause(), lambda: deferred_from_coro(self._look()))

    async def _look(self) -> None:
        self._times += 1
        problem = await self._knock(names=False) or await self._knock(names=True)
        if not self.away:
            return
        if problem is None:
            self._comes()
        elif self.options.outage and monotonic() - self._away_at > self.options.outage:
            seconds = monotonic() - self._away_at
            self._end(NetworkAway(f"the network has been away for {seconds:.0f} s: {self.why}"), "network_away")
        else:
            self._again()

    def close(self) -> None:
        """It is not looked for any more."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None


async def _knocked(place: Place, names: bool) -> str | None:
    """What is wrong; None if nothing is."""
    try:
        await asyncio.wait_for(asyncio.to_thread(_knock, place, names), 2 * SECONDS)
    except TimeoutError:
        return "connections time out"
    except OSError as error:
        return LACKS.get(error.errno or 0) or error.strerror or str(error)
    return None


def _knock(place: Place, names: bool) -> None:
    if names:
        socket.getaddrinfo(place.name, place.port)
    else:
        socket.create_connection((place.address, place.port), SECONDS).close()


def _place(request: Request, address: str = "") -> Place:
    """Where it is sent."""
    proxy = request.meta.get("proxy")
    url = urlparse_cached(Request(proxy) if proxy else request)
    name = url.hostname or ""
    return Place(name, url.port or (443 if url.scheme == "https" else 80), name if proxy else address or name)


def _is_address(name: str) -> bool:
    try:
        socket.inet_pton(socket.AF_INET6 if ":" in name else socket.AF_INET, name)
    except OSError:
        return False
    return True


def number_of(exception: BaseException | None) -> int | None:
    """The system's number of an error, wherever it is wrapped."""
    seen: set[int] = set()
    while exception is not None and id(exception) not in seen:
        seen.add(id(exception))
        number = getattr(exception, "osError", None) or getattr(exception, "errno", None)
        if isinstance(number, int):
            return number
        reasons = getattr(exception, "reasons", None)
        exception = reasons[-1].value if reasons else exception.__cause__ or exception.__context__
    return None


def close_idle(crawler: Crawler) -> None:
    """Connections that are kept for a host's next page. Twisted's handler has no public door to them."""
    handlers = crawler.engine.downloader.handlers
    for scheme in ("http", "https"):
        handler = handlers._get_handler(scheme)
        if isinstance(handler, HTTP11DownloadHandler):
            handler._pool.closeCachedConnections()  # type: ignore[no-untyped-call]
