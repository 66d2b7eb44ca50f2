"""Downloader middlewares: a host that wants to be left alone is, and what was asked of it waits again."""

from __future__ import annotations

from time import monotonic
from typing import Any

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.robotstxt import RobotParser
from scrapy.utils.httpobj import urlparse_cached

from fcacrawler.addon import FocusedCrawl, focus_of
from fcacrawler.crawl.manners import HOSTS
from fcacrawler.requests import ENTRY, PUT_BACK, UNCOUNTED, is_robots_txt

REFUSALS = (429, 503)
DAY = 86_400.0  # seconds


class Refused(IgnoreRequest):
    """A robots.txt cannot be had now; ``counted``: that is the host's own doing."""

    def __init__(self, why: str, counted: bool = True) -> None:
        super().__init__(why)
        self.counted = counted


def put_back(request: Request, counted: bool = True) -> Request:
    """For the scheduler: its link is to wait in the frontier again. Neither callback nor errback hears of it.
    ``counted``: it is one of the attempts that a link has."""
    again = request.copy()
    again.meta[PUT_BACK] = request.meta.get(PUT_BACK, 0) + 1
    if not counted:
        again.meta[UNCOUNTED] = True
    return again


class Refusals:
    """A host that answers 429 or 503 (for its robots.txt: any server error) is left alone for as long as it asks;
    the link is put back."""

    def __init__(self, crawler: Crawler, focus: FocusedCrawl) -> None:
        self.crawler = crawler
        self.hosts = focus.hosts

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Refusals:
        return cls(crawler, focus_of(crawler))

    def process_response(self, request: Request, response: Response) -> Request | Response:
        robots = is_robots_txt(request)
        if response.status not in REFUSALS and not (robots and response.status >= 500):
            self.hosts.cooling.answered(self.hosts.of(request))
            return response
        self.hosts.refused(request, response)
        if robots:
            raise Refused(f"{request.url}: {response.status}")
        if ENTRY in request.meta and not self._wanted(request, response.status):
            return put_back(request)
        return response

    def _wanted(self, request: Request, status: int) -> bool:
        """A spider may want to see such an answer."""
        meta = request.meta
        listed = meta.get("handle_httpstatus_list", getattr(self.crawler.spider, "handle_httpstatus_list", ()))
        return bool(meta.get("dont_retry") or meta.get("handle_httpstatus_all") or status in listed)


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
