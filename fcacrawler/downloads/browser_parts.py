"""What the scripts of a page ask for, fetched by the crawl: under its rules for robots, addresses and sizes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any

from scrapy import Request, exceptions
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

FROM_PUBLIC = "fca_from_public"  # request meta: a page at a public address asks, which may not see what is private
SLOT = "parts of pages"  # the downloader's for them: they belong to a page whose host has been waited for
SLOTS = {SLOT: {"concurrency": 8, "delay": 0.0}}
CACHED = 16_000_000  # bytes of scripts that are kept, as the pages of a site share them
NOT_ASKED = frozenset(("accept-encoding", "cookie", "host", "user-agent"))  # headers that are the crawl's business
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
class Part:
    """A response, as it is answered to a script."""

    status: int
    headers: Mapping[str, str]
    body: bytes


Answer = Callable[[str, Mapping[str, str]], Coroutine[Any, Any, Part | None]]  # to URL and headers; None: refused


class Parts:
    """Answers scripts, and keeps what many pages share."""

    def __init__(self, crawler: Crawler, seconds: float) -> None:
        """``seconds``: that one may take."""
        self.crawler = crawler
        self.seconds = seconds
        self._scripts: OrderedDict[str, Part] = OrderedDict()
        self._bytes = 0

    async def get(self, page: str, url: str, headers: Mapping[str, str]) -> Part | None:
        """What a script of the page (its URL) asked for; None if it is not to be had."""
        if url in self._scripts:
            self._scripts.move_to_end(url)
            return self._scripts[url]
        meta = {
            "download_slot": SLOT,
            "download_timeout": self.seconds,
            "autothrottle_dont_adjust_delay": True,
            "dont_retry": True,
        }
        asked = {name: value for name, value in headers.items() if name.lower() not in NOT_ASKED}
        self.crawler.stats.inc_value("fca/browser/requests")
        try:
            request = Request(url, headers={**asked, "Referer": page}, meta=meta, callback=NO_CALLBACK)
            response = await self.crawler.engine.download_async(request)
        except GONE:
            return None
        part = _part(response)
        if b"javascript" in (response.headers.get("Content-Type") or b"") and response.status == 200:
            self._keep(url, part)
        return part

    def _keep(self, url: str, part: Part) -> None:
        self._bytes += len(part.body) - (len(self._scripts[url].body) if url in self._scripts else 0)
        self._scripts[url] = part
        while self._bytes > CACHED:
            self._bytes -= len(self._scripts.popitem(last=False)[1].body)


def _part(response: Response) -> Part:
    headers = {name.decode("latin-1"): b", ".join(v).decode("latin-1") for name, v in response.headers.items()}
    return Part(response.status, headers, response.body)
