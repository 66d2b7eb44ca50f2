"""An answer's headers are bounded. Scrapy and Twisted have no public door to them while they come, so this goes through
private ones."""

from __future__ import annotations

from scrapy.core.downloader.handlers.http11 import (
    HTTP11DownloadHandler,
    _LenientHTTP11ClientFactory,
    _LenientHTTP11ClientProtocol,
)
from scrapy.crawler import Crawler
from twisted.internet.interfaces import IAddress
from twisted.web._newclient import HEADER, STATUS

HEADERS = 256 * 1024  # bytes of one answer's headers


def bound_headers(crawler: Crawler) -> None:
    for scheme in ("http", "https"):
        handler = crawler.engine.downloader.handlers._get_handler(scheme)
        if isinstance(handler, HTTP11DownloadHandler):
            handler._pool._factory = _Factory


class _Protocol(_LenientHTTP11ClientProtocol):
    """Gives up on an answer whose headers, or interim answers, do not come to an end."""

    _head = 0

    def dataReceived(self, data: bytes) -> None:
        super().dataReceived(data)  # type: ignore[no-untyped-call]
        parser = self._parser
        if parser is None or parser.state not in (STATUS, HEADER):
            self._head = 0
            return
        self._head += len(data)
        if self._head > HEADERS:
            self.abort()  # type: ignore[no-untyped-call]


class _Factory(_LenientHTTP11ClientFactory):
    def buildProtocol(self, addr: IAddress | None) -> _Protocol:
        return _Protocol(self._quiescentCallback)  # type: ignore[no-untyped-call]
