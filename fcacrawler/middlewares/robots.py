"""Downloader middleware: robots.txt is obeyed, its delay too, and where it cannot be had now nothing is fetched."""

from __future__ import annotations

import asyncio
import json
import re
from time import monotonic
from typing import Any

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK
from scrapy.robotstxt import RobotParser
from scrapy.utils.httpobj import urlparse_cached

from fcacrawler.addon import focus_of
from fcacrawler.downloads.cooling import HOSTS
from fcacrawler.middlewares.refusals import Refused
from fcacrawler.page.signals import RobotsSignals, product_token, refusal, tdm_of
from fcacrawler.requests import ENTRY, SIGNALS, put_back

DAY = 86_400.0  # seconds
READ = 512 << 10  # bytes of a robots.txt that are looked at (RFC 9309, 2.5, asks for 500 KiB)
TDM = "/.well-known/tdmrep.json"
RULES = 1000  # of a TDM file that are looked at
REFUSED = "fca/usage/"  # statistics: pages whose owners refuse what they are wanted for, by where that is said


_AGENT = re.compile(rb"^([ \t]*user-agent[ \t]*:[ \t]*)([^\s#]*)", re.I | re.M)


def for_crawler(body: bytes, name: str) -> bytes:
    """A robots.txt in which groups of crawlers with similar names are nobody's: Protego takes the part for the whole,
    and RFC 9309 (2.2.1) the whole alone.

    >>> for_crawler(b"User-agent: fca\\nUser-agent: FCAcrawler/2\\nuser-agent: * # all", "fcacrawler")
    b'User-agent: ~\\nUser-agent: FCAcrawler\\nuser-agent: * # all'
    """

    def kept(match: re.Match[bytes]) -> bytes:
        token = match[2].decode("latin-1")
        if token == "*":
            return match[0]
        token = product_token(token)  # without a version
        return match[1] + (token.encode("latin-1") if token.lower() == name.lower() else b"~")

    return _AGENT.sub(kept, body.replace(b"\r", b"\n"))


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
        focus = focus_of(crawler)
        self.hosts = focus.hosts
        self._usage, self._tdmrep = focus.config.run.usage, focus.config.manners.tdmrep
        self._signals: dict[str, RobotsSignals] = {}
        self._tdm: dict[str, asyncio.Task[list[object]]] = {}
        self._since: dict[str, float] = {}  # when the rules were read
        crawler.signals.connect(self._parsed, signals.robots_parsed)

    def _parsed(self, robotparser: RobotParser, request: Request) -> None:
        agent = self._robotstxt_useragent or request.headers.get("User-Agent") or self._default_useragent
        self.hosts.keep_delay(self.hosts.of(request), robotparser.crawl_delay(agent) or 0.0)

    async def process_request(self, request: Request, spider: Spider | None = None) -> Any:
        netloc = urlparse_cached(request).netloc
        self._forget(netloc)
        try:
            await super().process_request(request)
            if ENTRY in request.meta:
                await self._note(request, netloc)
            return None
        except Refused as refused:
            if ENTRY not in request.meta:
                raise
            return put_back(request, refused.counted)

    async def _note(self, request: Request, netloc: str) -> None:
        """What its owner says of its use; raises where that is what the page is wanted for."""
        said = self._signals[netloc].of(request.url) if netloc in self._signals else {}
        if self._tdmrep:
            if netloc not in self._tdm:
                self._tdm[netloc] = asyncio.ensure_future(self._tdm_rules(request.url))
            said |= tdm_of(await asyncio.shield(self._tdm[netloc]), request.url)
        if said:
            request.meta[SIGNALS] = said
        else:
            request.meta.pop(SIGNALS, None)  # of a page that has sent us here
        if self._usage and (where := refusal(said, self._usage)):
            self._stats.inc_value(REFUSED + where)
            raise IgnoreRequest(f"its owner refuses {self._usage}: {where}")

    async def _tdm_rules(self, url: str) -> list[object]:
        """Of a host's TDM file; what cannot be had or read says nothing."""
        meta = {"dont_obey_robotstxt": True, "download_maxsize": READ, "dont_redirect": True}
        place = urlparse_cached(Request(url))._replace(path=TDM, params="", query="", fragment="").geturl()
        asked = Request(place, priority=self.DOWNLOAD_PRIORITY, meta=meta, callback=NO_CALLBACK)
        try:
            response = await self.crawler.engine.download_async(asked)
            rules = json.loads(response.body) if response.status == 200 else []
        except Exception as error:  # whatever a middleware or the network raises
            self._stats.inc_value(f"fca/tdmrep/{type(error).__name__}")
            return []
        return rules[:RULES] if isinstance(rules, list) else []

    def _forget(self, netloc: str) -> None:
        """Rules that could not be had, that are older than a day (RFC 9309, 2.4), or that are too many."""
        since = self._since.get(netloc)
        if isinstance(self._parsers.get(netloc), _Unknown) or (since is not None and monotonic() - since > DAY):
            del self._parsers[netloc]
            self._drop(netloc)
        while len(self._since) > HOSTS:
            del self._parsers[oldest := next(iter(self._since))]
            self._drop(oldest)

    def _drop(self, netloc: str) -> None:
        for known in (self._since, self._signals, self._tdm):
            known.pop(netloc, None)

    async def _parse_robots(self, response: Response, netloc: str, request: Request) -> None:
        agent = self._robotstxt_useragent or request.headers.get("User-Agent") or self._default_useragent
        name = product_token(agent.decode("latin-1") if isinstance(agent, bytes) else agent)
        found = RobotsSignals(response.body[:READ].decode("utf-8", "replace"), name) if response.status == 200 else None
        if found:
            self._signals[netloc] = found
        none = 400 <= response.status < 500  # whatever it holds (RFC 9309, 2.3.1.3)
        response = response.replace(body=b"" if none else for_crawler(response.body, name))
        await super()._parse_robots(response, netloc, request)
        self._since[netloc] = monotonic()

    def _robots_error(self, exc: Exception, netloc: str) -> None:
        if isinstance(exc, Refused):
            waiting: Any = self._parsers[netloc]
            self._parsers[netloc] = _Unknown(exc.counted)
            waiting.callback(self._parsers[netloc])
        else:
            super()._robots_error(exc, netloc)
