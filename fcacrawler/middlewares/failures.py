"""What could not be fetched is told in one line, URL and cause, and counted: no traceback for what the web does."""

from __future__ import annotations

import logging
from typing import NoReturn

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadCancelledError, IgnoreRequest, NotSupported, UnsupportedURLSchemeError
from scrapy.utils.httpobj import urlparse_cached
from scrapy.utils.misc import load_object

from fcacrawler.page import has_host
from fcacrawler.requests import ENTRY

logger = logging.getLogger(__name__)

NOT_WORTH_RETRYING = (DownloadCancelledError, NotSupported, UnsupportedURLSchemeError, UnicodeError)  # a host's name


class NotFetched(IgnoreRequest):
    """It has been told already."""


class Failures:
    """Downloader middleware, farthest from the network: what comes here is not tried again. A request with an errback
    gets the failure as it is, and so does an exception that the web does not cause: it is somebody's mistake."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        retried = map(load_object, crawler.settings.getlist("RETRY_EXCEPTIONS"))
        self.ours = getattr(crawler.spider, "focused", False)
        self.usual: tuple[type[Exception], ...] = (*NOT_WORTH_RETRYING, *retried)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Failures:
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Our spiders ask http and https only, whatever led there; a foreign spider's own requests are its business."""
        own = not self.ours and not request.meta.get("redirect_times")
        if not (own or has_host(request.url)):
            give_up(self.crawler, request, "BadURL", "it is no URL of the web")

    def process_exception(self, request: Request, exception: Exception) -> None:
        if isinstance(exception, IgnoreRequest):
            return
        if ENTRY in request.meta:
            self.crawler.stats.inc_value(f"fca/failed/{type(exception).__name__}")
        elif not is_robots_txt(request):  # somebody waits for it, and is to hear why it does not come
            return
        if isinstance(exception, self.usual) and request.errback is None:
            logger.warning("not fetched: %s: %s", request.url, cause(exception))
            raise NotFetched(request.url) from exception


def give_up(crawler: Crawler, request: Request, kind: str, why: str) -> NoReturn:
    """What came, or what is asked for, is of no use: told and counted; nobody waits for it any more."""
    if ENTRY in request.meta:
        crawler.stats.inc_value(f"fca/failed/{kind}")
    logger.warning("not fetched: %s: %s", request.url, why)
    raise NotFetched(request.url)


def is_robots_txt(request: Request) -> bool:
    """Whether it asks for a host's rules, and not for a page."""
    return ENTRY not in request.meta and urlparse_cached(request).path == "/robots.txt"


def cause(exception: BaseException) -> str:
    """In one line; what Twisted has wrapped is what is told.

    >>> cause(TimeoutError("no answer\\n in 60 s.")), cause(ConnectionResetError())
    ('no answer in 60 s', 'ConnectionResetError')
    """
    reasons = getattr(exception.__cause__, "reasons", None)
    if reasons:
        return cause(reasons[-1].value)
    return " ".join(str(exception).split()).rstrip(".") or type(exception).__name__
