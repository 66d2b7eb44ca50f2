"""What keeps a stranger's server from using the crawl: it may not send it into private networks, nor fill its memory
with headers or rules for robots, nor write to the terminal what it likes. (How much of a body is taken in, and for how
long, is Scrapy's to bound: DOWNLOAD_MAXSIZE, DOWNLOAD_TIMEOUT.) Scrapy and Twisted have no public door to an answer's
headers while they come; the private ones that are used stand at the end.
"""

from __future__ import annotations

import logging
import re
from ipaddress import IPv6Address, ip_address
from typing import Any
from urllib.request import getproxies

from scrapy import Request, Spider, signals
from scrapy.core.downloader.handlers.http11 import (
    HTTP11DownloadHandler,
    _LenientHTTP11ClientFactory,
    _LenientHTTP11ClientProtocol,
)
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest, StopDownload
from scrapy.http import Headers, Response
from scrapy.utils.httpobj import urlparse_cached
from scrapy.utils.reactor import is_reactor_installed
from twisted.internet.interfaces import IAddress, IHostnameResolver, IHostResolution, IResolutionReceiver
from twisted.web._newclient import HEADER, STATUS
from zope.interface import implementer

from fcacrawler.addon import FocusedCrawl, focus_of
from fcacrawler.page import is_html
from fcacrawler.reading import ENTRY, is_robots_txt

logger = logging.getLogger(__name__)

_HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
HEADERS = 256 * 1024  # bytes of one answer's headers
SHORT = 64 * 1024  # bytes of what is no page: to go on with the connection costs less than to open a new one
NAMES = 10_000  # that are refused and need not be looked up again
RULES = 512 * 1024  # bytes of a robots.txt that are read; RFC 9309 §2.5 wants 500 kibibytes


def is_private(address: str) -> bool:
    """Whether an address leads into somebody's own network instead of the public one. A name is no address.

    >>> [is_private(a) for a in ("127.0.0.1", "10.1.2.3", "::ffff:192.168.0.1", "169.254.169.254", "224.0.0.1")]
    [True, True, True, True, True]
    >>> is_private("93.184.216.34"), is_private("example.org")
    (False, False)
    """
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, IPv6Address):
        ip = ip.ipv4_mapped or ip
    return not ip.is_global or ip.is_multicast


def without_escapes(record: logging.LogRecord) -> bool:
    """A logging filter: what strangers say reaches the log, and must do nothing to the terminal that shows it."""
    try:
        message = record.getMessage()
    except (TypeError, ValueError, KeyError):  # arguments that do not fit: logging tells of them itself, later
        return True
    if _HARMFUL.search(message):
        record.msg, record.args = _HARMFUL.sub(lambda found: repr(found[0])[1:-1], message), ()
    return True


class Guard:
    """Downloader middleware. The hosts that the user named (seeds, start URLs) may be anywhere, and so may others at
    their addresses; else only where the public is."""

    def __init__(self, crawler: Crawler, focus: FocusedCrawl) -> None:
        self.crawler = crawler
        self.focus = focus
        self.open = focus.config.run.private or bool(focus.config.run.world)
        self.named: set[str] = set()  # hosts and addresses
        self.proxies = {_host(proxy) for proxy in getproxies().values()}
        self.refused: dict[str, None] = {}  # names that resolved to private addresses only, the latest
        self._watching = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Guard:
        guard = cls(crawler, focus_of(crawler))
        crawler.signals.connect(guard.spider_opened, signals.spider_opened)
        crawler.signals.connect(guard.spider_closed, signals.spider_closed)
        crawler.signals.connect(guard.bytes_received, signals.bytes_received)
        if getattr(crawler.spider, "focused", False) and not guard.focus.config.run.record:
            crawler.signals.connect(guard.headers_received, signals.headers_received)
        return guard

    def spider_opened(self, spider: Spider) -> None:
        topic = self.focus.parts.topic
        self.named.update(map(_host, (*topic.seeds, *topic.examples, *getattr(spider, "start_urls", ()))))
        for log in logging.root.handlers:
            log.addFilter(without_escapes)

    def spider_closed(self, spider: Spider) -> None:
        self.open = True  # the reactor may go on, with our resolver in it

    def _watch(self) -> None:
        """Once, and as late as the first request: only now the reactor surely has the resolver that it is to have."""
        self._watching = True
        if self.focus.config.run.world:
            return
        _bound_headers(self.crawler)
        if is_reactor_installed() and not self.open:
            from twisted.internet import reactor

            reactor.installNameResolver(_Resolver(self, reactor.nameResolver))

    def allows(self, host: str, address: str) -> bool:
        """Whether the host of a URL may be fetched from this address (which may be the host itself)."""
        if self.open or not is_private(address):
            return True
        if host in self.named:
            self.named.add(address)
        return address in self.named

    def refuse(self, host: str) -> None:
        """The name leads to private addresses only. One that is forgotten is looked up again."""
        self.refused[host] = None
        if len(self.refused) > NAMES:
            del self.refused[next(iter(self.refused))]

    def process_request(self, request: Request) -> None:
        if not self._watching:
            self._watch()
        host = urlparse_cached(request).hostname or ""
        entry = request.meta.get(ENTRY)
        if entry is not None and entry.candidate.depth == 0 and not request.meta.get("redirect_times"):
            self.named.add(host)
        if proxy := request.meta.get("proxy"):
            self.proxies.add(_host(proxy))
        if host in self.refused or not self.allows(host, host):
            self._refuse(request)

    def process_response(self, request: Request, response: Response) -> Response:
        """Where a name led is seen here for handlers that do not ask our resolver."""
        host, address = urlparse_cached(request).hostname or "", response.ip_address
        if address is not None and "proxy" not in request.meta and not self.allows(host, str(address)):
            self._refuse(request)
        if is_robots_txt(request) and len(response.body) > RULES:
            return response.replace(body=response.body[:RULES])
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        if urlparse_cached(request).hostname in self.refused and not isinstance(exception, IgnoreRequest):
            self._refuse(request)

    def bytes_received(self, data: bytes, request: Request) -> None:
        """The rest of a robots.txt is not waited for."""
        if is_robots_txt(request):
            request.meta["fca_received"] = request.meta.get("fca_received", 0) + len(data)
            if request.meta["fca_received"] > RULES:
                raise StopDownload(fail=False)

    def headers_received(self, headers: Headers, body_length: object, request: Request) -> None:
        """Our spiders read HTML only: a film is not waited for, unless it is a short one."""
        short = isinstance(body_length, int) and body_length <= SHORT
        kind = (headers.get("Content-Type") or b"").decode("latin-1")
        if ENTRY in request.meta and not short and not is_html(kind, b"<"):
            raise StopDownload(fail=False)

    def _refuse(self, request: Request) -> None:
        if ENTRY in request.meta:
            self.crawler.stats.inc_value("fca/private_address")
            logger.warning("not fetched: %s: it leads to a private address; FCA_PRIVATE=1 allows it", request.url)
        raise IgnoreRequest(f"{request.url} leads to a private address")


def _host(url: str) -> str:
    return urlparse_cached(Request(url if "://" in url else f"http://{url}")).hostname or ""


@implementer(IHostnameResolver)
class _Resolver:
    """What the reactor resolves names with, less the addresses that may not be asked: nothing is ever sent there."""

    def __init__(self, guard: Guard, inner: Any) -> None:
        self.guard, self.inner = guard, inner

    def resolveHostName(self, receiver: Any, hostName: str, *how: Any, **more: Any) -> IHostResolution:
        found: IHostResolution = self.inner.resolveHostName(
            _Found(self.guard, hostName, receiver), hostName, *how, **more
        )
        return found


@implementer(IResolutionReceiver)
class _Found:
    """Hands on what a name resolves to, if it may."""

    def __init__(self, guard: Guard, host: str, receiver: Any) -> None:
        self.guard, self.host, self.receiver = guard, host, receiver
        self.allowed: list[bool] = []

    def resolutionBegan(self, resolution: IHostResolution) -> None:
        self.receiver.resolutionBegan(resolution)

    def addressResolved(self, address: Any) -> None:
        self.allowed.append(self.host in self.guard.proxies or self.guard.allows(self.host, address.host))
        if self.allowed[-1]:
            self.receiver.addressResolved(address)

    def resolutionComplete(self) -> None:
        if self.allowed and not any(self.allowed):
            self.guard.refuse(self.host)
        self.receiver.resolutionComplete()


def _bound_headers(crawler: Crawler) -> None:
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
