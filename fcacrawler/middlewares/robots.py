"""Downloader middleware: robots.txt is obeyed, its delay too, and where it cannot be had now nothing is fetched."""

from __future__ import annotations

from time import monotonic
from typing import Any

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.http import Response
from scrapy.robotstxt import RobotParser
from scrapy.utils.httpobj import urlparse_cached

from fcacrawler.addon import focus_of
from fcacrawler.downloads.cooling import HOSTS
from fcacrawler.middlewares.refusals import Refused
from fcacrawler.requests import ENTRY, put_back

DAY = 86_400.0  # seconds


class _Unknown(RobotParser):
    """The rules of a host that does not tell them now."""

    def __init__(self, counted: bool = True) -> None:
        self.counted = counted

    @classmethod
    def from_crawler(cls, crawler: Crawler, robotstxt_body: bytes) -> _Unknown:
        return cls()

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:
        raise Refused(str(url), self.counted)


class Robots(RobotsTxtMiddleware):
    """Scrapy's, with Crawl-delay; where robots.txt is answered with 429 or a server error, or cannot be reached,
    nothing of the host is fetched until it can be had (RFC 9309, 2.3.1.4)."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.hosts = focus_of(crawler).hosts
        self._since: dict[str, float] = {}  # when the rules were read
        crawler.signals.connect(self._parsed, signals.robots_parsed)

    def _parsed(self, robotparser: RobotParser, request: Request) -> None:
        agent = self._robotstxt_useragent or request.headers.get("User-Agent") or self._default_useragent
        self.hosts.keep_delay(self.hosts.of(request), robotparser.crawl_delay(agent) or 0.0)

    async def process_request(self, request: Request, spider: Spider | None = None) -> Any:
        self._forget(urlparse_cached(request).netloc)
        try:
            return await super().process_request(request)
        except Refused as refused:
            if ENTRY not in request.meta:
                raise
            return put_back(request, refused.counted)

    def _forget(self, netloc: str) -> None:
        """Rules that could not be had, that are older than a day (RFC 9309, 2.4), or that are too many."""
        since = self._since.get(netloc)
        if isinstance(self._parsers.get(netloc), _Unknown) or (since is not None and monotonic() - since > DAY):
            del self._parsers[netloc]
            self._since.pop(netloc, None)
        while len(self._since) > HOSTS:
            del self._parsers[oldest := next(iter(self._since))], self._since[oldest]

    async def _parse_robots(self, response: Response, netloc: str, request: Request) -> None:
        await super()._parse_robots(response, netloc, request)
        self._since[netloc] = monotonic()

    def _robots_error(self, exc: Exception, netloc: str) -> None:
        if isinstance(exc, Refused):
            waiting: Any = self._parsers[netloc]
            self._parsers[netloc] = _Unknown(exc.counted)
            waiting.callback(self._parsers[netloc])
        else:
            super()._robots_error(exc, netloc)
