"""What keeps a stranger's server from using the crawl: it may not send it into private networks, nor fill its memory
with headers or rules for robots, nor write to the terminal what it likes. (How much of a body is taken in, and for how
long, is Scrapy's to bound: DOWNLOAD_MAXSIZE, DOWNLOAD_TIMEOUT.)
"""

from __future__ import annotations

import asyncio
import logging
import re
import socket
from urllib.request import getproxies, proxy_bypass

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest, StopDownload
from scrapy.http import Headers, Response
from scrapy.utils.httpobj import urlparse_cached
from scrapy.utils.reactor import is_reactor_installed

from fcacrawler.addon import FocusedCrawl, focus_of
from fcacrawler.downloads.browser_parts import FROM_PUBLIC
from fcacrawler.downloads.headers import bound_headers
from fcacrawler.downloads.reach import Reach
from fcacrawler.downloads.resolver import NAMES, Resolver
from fcacrawler.middlewares.failures import is_robots_txt
from fcacrawler.page import is_html
from fcacrawler.page.identity.addresses import address_of, is_private, sounds_private
from fcacrawler.requests import ENTRY

logger = logging.getLogger(__name__)

_HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
SHORT = 64 * 1024  # bytes of what is no page: to go on with the connection costs less than to open a new one
RULES = 512 * 1024  # bytes of a robots.txt that are read; RFC 9309 §2.5 wants 500 kibibytes


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
        self.ours = bool(getattr(crawler.spider, "focused", False))  # a foreign spider's referers are its business
        self.offline = bool(focus.config.run.world)
        kept = focus.folder / "networks.tsv" if focus.folder else None
        self.reach = Reach(focus.config.run.private or self.offline, None if self.offline else kept)
        proxies = getproxies()  # looks through all of the environment
        self.proxies = {_host(proxy) for proxy in proxies.values()}
        self._proxied = frozenset(proxies)  # schemes
        self._resolver: Resolver | None = None
        self._addresses: dict[str, tuple[str, ...]] = {}  # of names that were looked up for what is asked elsewhere
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
        for url in (*topic.seeds, *topic.examples, *getattr(spider, "start_urls", ())):
            self._named(url, _host(url))
        for log in logging.root.handlers:
            log.addFilter(without_escapes)

    def spider_closed(self, spider: Spider) -> None:
        self.reach.everywhere = True  # the reactor may go on, with our resolver in it

    def _watch(self) -> None:
        """Once, and as late as the first request: only now the reactor surely has the resolver that it is to have."""
        self._watching = True
        if self.offline:
            return
        bound_headers(self.crawler)
        if is_reactor_installed():
            from twisted.internet import reactor

            self._resolver = Resolver(self.reach, self.proxies, reactor.nameResolver)
            reactor.installNameResolver(self._resolver)

    async def process_request(self, request: Request) -> None:
        if not self._watching:
            self._watch()
        host = urlparse_cached(request).hostname or ""
        entry = request.meta.get(ENTRY)
        if entry is not None and entry.candidate.depth == 0 and not request.meta.get("redirect_times"):
            self._named(entry.candidate.url, host)
        if not self.offline and not await self._may(request, host):
            self._refuse(request)
        if (self.ours or FROM_PUBLIC in request.meta) and (referer := request.headers.pop("Referer", None)):
            told = self.reach.referer(referer[0].decode("latin-1"), request.url)
            request.headers.update({"Referer": told} if told else {})

    def _named(self, seed: str, host: str) -> None:
        """The user has, unless it was a search engine: its word is a stranger's."""
        if seed not in self.focus.parts.topic.suggested:
            self.reach.name(host)

    async def _may(self, request: Request, host: str) -> bool:
        """Whether the host may be asked, as far as that can be told before its name is resolved for the connection."""
        if self._refused(host) or (address_of(host) is not None and not self.reach.allows(host, host)):
            return False
        if request.meta.get(FROM_PUBLIC) and any(map(is_private, await self._found(host))):
            return False
        if self._by_proxy(request, host) and not self.reach.everywhere and not self.reach.is_named(host):
            addresses = await self._found(host)
            return not sounds_private(host) and all(self.reach.allows(host, address) for address in addresses)
        return True

    def _by_proxy(self, request: Request, host: str) -> bool:
        """Whether somebody else resolves the name."""
        if proxy := request.meta.get("proxy"):
            self.proxies.add(_host(proxy))
            return True
        asked = self.crawler.settings.getbool("HTTPPROXY_ENABLED") and "proxy" not in request.meta
        return asked and urlparse_cached(request).scheme in self._proxied and not proxy_bypass(host)

    async def _found(self, host: str) -> tuple[str, ...]:
        """Where a name leads as seen from here; () if nowhere."""
        if host not in self._addresses:
            try:
                found = await asyncio.to_thread(socket.getaddrinfo, host, None, type=socket.SOCK_STREAM)
            except (OSError, UnicodeError):
                found = []
            self._addresses[host] = tuple(str(at[0]) for *_, at in found)
            if len(self._addresses) > NAMES:
                del self._addresses[next(iter(self._addresses))]
        return self._addresses[host]

    def _refused(self, host: str) -> bool:
        return self._resolver is not None and host in self._resolver.refused

    def process_response(self, request: Request, response: Response) -> Response:
        """Where a name led is seen here for handlers that do not ask our resolver."""
        host, address = urlparse_cached(request).hostname or "", response.ip_address
        if address is not None and not request.meta.get("proxy"):
            allowed = self.reach.allows(host, str(address))
            self.reach.settle(host)
            if not allowed or (request.meta.get(FROM_PUBLIC) and is_private(str(address))):
                self._refuse(request)
            self.reach.found(host, str(address))
        if is_robots_txt(request) and len(response.body) > RULES:
            return response.replace(body=response.body[:RULES])
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        if self._refused(urlparse_cached(request).hostname or "") and not isinstance(exception, IgnoreRequest):
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
