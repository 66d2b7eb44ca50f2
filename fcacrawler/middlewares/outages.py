"""A fetch that fails for a reason which says nothing of the page does not use its link up: it waits again.

Why so: decision 155.
"""

from __future__ import annotations

from scrapy import Request
from scrapy.core.downloader.handlers.http11 import TunnelError
from scrapy.crawler import Crawler
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    NotConfigured,
    ResponseDataLossError,
)
from scrapy.http import Response
from twisted.internet.error import ConnectError, ConnectionDone, ConnectionLost

from fcacrawler.addon import FocusedCrawl, focus_of
from fcacrawler.middlewares.failures import cause, is_robots_txt
from fcacrawler.middlewares.refusals import Refused
from fcacrawler.requests import ENTRY, put_back

NO_NAME = (CannotResolveHostError,)
NO_CONNECTION = (*NO_NAME, DownloadConnectionRefusedError, ConnectError, TunnelError)
NO_ANSWER = (DownloadTimeoutError, DownloadFailedError, ResponseDataLossError, ConnectionDone, ConnectionLost)


class Outages:
    """Downloader middleware, nearer to the network than Scrapy's retries. Where the network is away everything waits.
    Where a host cannot be reached, it is tried again after growing pauses, and shut for this run after
    FCA_UNREACHED times in a row. A host that takes connections and does not answer for one page is Scrapy's to try
    again."""

    def __init__(self, crawler: Crawler, focus: FocusedCrawl) -> None:
        self.crawler = crawler
        self.network, self.hosts = focus.network, focus.hosts

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Outages:
        focus = focus_of(crawler)
        if focus.config.run.world:
            raise NotConfigured
        return cls(crawler, focus)

    def process_response(self, request: Request, response: Response) -> Response:
        if "cached" not in response.flags:
            self.network.answered(request, response)
            self.hosts.silent.forget(self.hosts.of(request))
        return response

    async def process_exception(self, request: Request, exception: Exception) -> Request | None:
        robots = is_robots_txt(request)
        theirs = request.errback is not None or request.meta.get("dont_retry")  # a spider wants to hear of it
        if not (robots or (ENTRY in request.meta and not theirs)) or not isinstance(
            exception, (*NO_CONNECTION, *NO_ANSWER)
        ):
            return None
        if not await self.network.lost(request, exception, isinstance(exception, NO_NAME)):
            if not await self._unreached(request, exception):
                return None
            self.hosts.not_reached(self.hosts.of(request), cause(exception))
        if robots:
            raise Refused(f"{request.url}: {cause(exception)}", counted=False)
        return put_back(request, counted=False)

    async def _unreached(self, request: Request, exception: Exception) -> bool:
        """Is it the host, and not this page?"""
        if isinstance(exception, NO_CONNECTION):
            return True
        if not isinstance(exception, DownloadTimeoutError):
            return False
        return not self.network.known(request) or not await self.network.reachable(request)
