"""What the scripts of a page ask for, fetched by the crawl: under its rules for hosts, robots, addresses and sizes.

A page's own site is asked for it OWN times as often as for pages, since each of its readers asks for as much; another
host no more often than for pages, in its own turn. What still waits for a turn when the page is done is not asked for.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit
from weakref import WeakValueDictionary

from scrapy import Request, exceptions
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from fcacrawler.browser.origins import sent
from fcacrawler.crawl.rules import site_of
from fcacrawler.page.identity.urls import has_host

if TYPE_CHECKING:
    from fcacrawler.crawl.sieve import Sieve
    from fcacrawler.downloads.hosts import Hosts

FROM_PUBLIC = "fca_from_public"  # request meta: a page at a public address asks, which may not see what is private
SLOT = "parts of pages"  # the downloader's for what pages want of their own sites
SLOTS = {SLOT: {"concurrency": 8, "delay": 0.0}}
OWN = 5  # times as often
HOPS = 5  # redirects of one
LOOK = 0.1  # seconds between two looks at whether another host's turn has come
SITES = 10_000  # of which is known when they were asked last
CACHED = 16_000_000  # bytes of scripts that are kept, as the pages of a site share them
GONE = (
    exceptions.CannotResolveHostError,
    exceptions.DownloadCancelledError,
    exceptions.DownloadConnectionRefusedError,
    exceptions.DownloadFailedError,
    exceptions.DownloadTimeoutError,
    exceptions.IgnoreRequest,
    exceptions.ResponseDataLossError,
    OSError,
    ValueError,
)


@dataclass(frozen=True, slots=True)
class Asking:
    """A page that asks."""

    url: str
    public: bool  # it was found at a public address


@dataclass(frozen=True, slots=True)
class Part:
    """A response, as it is answered to a script."""

    url: str  # where it came from in the end
    status: int
    headers: Mapping[str, str]  # names in lower case
    body: bytes


Answer = Callable[[str, Mapping[str, str]], Coroutine[Any, Any, Part | None]]  # to URL and headers; None: refused


class Parts:
    """Answers scripts, and keeps what many pages share."""

    def __init__(self, crawler: Crawler, sieve: Sieve, hosts: Hosts, seconds: float) -> None:
        """``seconds``: that one may take."""
        self.crawler = crawler
        self.sieve = sieve
        self.hosts = hosts
        self.seconds = seconds
        self._scripts: OrderedDict[tuple[str, bool], Part] = OrderedDict()
        self._bytes = 0
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._asked: OrderedDict[str, float] = OrderedDict()  # site → when

    async def get(self, page: Asking, url: str, headers: Mapping[str, str]) -> Part | None:
        """What a script of the page asked for; None if it is not to be had. A redirect is another asking."""
        for _ in range(HOPS):
            part = await self._one(page, url, headers)
            if part is None or part.status not in (301, 302, 303, 307, 308):
                return part
            url = urljoin(url, part.headers.get("location", ""))
            if not has_host(url):
                break
        return None

    async def _one(self, page: Asking, url: str, headers: Mapping[str, str]) -> Part | None:
        host, home = urlsplit(url).hostname or "", urlsplit(page.url).hostname or ""
        own = site_of(host) == site_of(home)
        if self.hosts.cooling.left(host) or self.sieve.against_part(url, host, own):
            self.crawler.stats.inc_value("fca/browser/refused")
            return None
        known = url, page.public
        if known in self._scripts:
            self._scripts.move_to_end(known)
            return self._scripts[known]
        asked: dict[str, Any] = {**sent(page.url, url, headers), "Referer": page.url}
        meta: dict[str, Any] = {
            "dont_redirect": True,
            "dont_retry": True,
            "download_timeout": self.seconds,
            FROM_PUBLIC: page.public,
        }
        if own:
            meta |= {"download_slot": SLOT, "autothrottle_dont_adjust_delay": True}
        request = Request(url, headers=asked, meta=meta, callback=NO_CALLBACK)
        return await (self._of_own_site(host, request) if own else self._of_another(host, request))

    async def _of_own_site(self, host: str, request: Request) -> Part | None:
        """As soon as it is its turn; several may be under way."""
        site, gap = site_of(host), self.hosts.pause(host) / OWN
        async with self._lock(site):
            await asyncio.sleep(max(0.0, self._asked.get(site, -math.inf) + gap - monotonic()))
            self._asked[site] = monotonic()
            self._asked.move_to_end(site)
            if len(self._asked) > SITES:
                self._asked.popitem(last=False)
        return await asyncio.shield(self._fetched(request))

    async def _of_another(self, host: str, request: Request) -> Part | None:
        """One after the other, when a link to this host might leave."""
        async with self._lock(host):
            while not self.hosts.free()(host):
                await asyncio.sleep(LOOK)
            return await asyncio.shield(self._fetched(request))

    def _lock(self, name: str) -> asyncio.Lock:
        return self._locks.setdefault(name, asyncio.Lock())

    async def _fetched(self, request: Request) -> Part | None:
        self.crawler.stats.inc_value("fca/browser/requests")
        try:
            response = await self.crawler.engine.download_async(request)
        except GONE:
            return None
        part = _part(response)
        if "javascript" in part.headers.get("content-type", "") and response.status == 200:
            self._keep((request.url, request.meta[FROM_PUBLIC]), part)
        return part

    def _keep(self, known: tuple[str, bool], part: Part) -> None:
        self._bytes += len(part.body) - (len(self._scripts[known].body) if known in self._scripts else 0)
        self._scripts[known] = part
        while self._bytes > CACHED:
            self._bytes -= len(self._scripts.popitem(last=False)[1].body)


def _part(response: Response) -> Part:
    headers = {name.decode("latin-1").lower(): b", ".join(v).decode("latin-1") for name, v in response.headers.items()}
    return Part(response.url, response.status, headers, response.body)
