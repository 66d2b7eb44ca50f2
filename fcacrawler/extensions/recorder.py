"""``FCA_RECORD=out.warc.gz``: every response of a crawl, as it came off the wire, into a standard WARC."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Headers, Response
from scrapy.utils.defer import deferred_from_coro

from fcacrawler.addon import focus_of
from fcacrawler.requests import ENTRY, RECORD
from fcacrawler.worlds.record import ORDER, Exchange, Recording, check_place

logger = logging.getLogger(__name__)

CUT_SHORT = frozenset(["partial", "dataloss", "download_stopped"])


class Recorder:
    """Listens where the downloader has a response and no middleware has touched it: robots.txt, redirects and errors
    are recorded too, bodies still compressed."""

    def __init__(self, crawler: Crawler, path: Path, topic: str, order: str) -> None:
        self.crawler = crawler
        self.path = path
        self.about = {"description": f"topic: {topic}", ORDER: order}
        self.recording: Recording | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Recorder:
        run = focus_of(crawler).config.run
        if not run.record:
            raise NotConfigured
        path = Path(run.record)
        with focus_of(crawler).refusing():
            check_place(path)
        recorder = cls(crawler, path, run.topic, run.order)
        crawler.signals.connect(recorder.spider_opened, signals.spider_opened)
        crawler.signals.connect(recorder.response_downloaded, signals.response_downloaded)
        crawler.signals.connect(recorder.spider_closed, signals.spider_closed)
        return recorder

    def spider_opened(self, spider: Spider) -> None:
        settings = self.crawler.settings
        info = {
            "software": f"fcacrawler (Scrapy {version('scrapy')})",
            "format": "WARC File Format 1.1",
            "robots": "obey" if settings.getbool("ROBOTSTXT_OBEY") else "ignore",
            "http-header-user-agent": settings["USER_AGENT"],
            **self.about,
        }
        try:
            self.recording = Recording(self.path, info)
        except OSError as error:
            self._give_up(error)

    def response_downloaded(self, response: Response, request: Request, spider: Spider) -> None:
        if self.recording is None or not response.url.startswith(("http:", "https:")):
            return
        try:
            written = self.recording.add(_exchange(request, response))
        except OSError as error:
            self._give_up(error)
            return
        assert self.crawler.stats
        self.crawler.stats.inc_value("fca/recorded/responses")
        self.crawler.stats.inc_value("fca/recorded/bytes", written.size)
        if ENTRY in request.meta:
            place = {"file": self.recording.path.name, "offset": written.offset, "length": written.length}
            request.meta[RECORD] = {**place, "url": response.url}

    def _give_up(self, error: OSError) -> None:
        """What cannot be recorded is not crawled either."""
        self.spider_closed()
        logger.error("recording to %s failed, so the crawl ends: %s", self.path, error.strerror)
        assert self.crawler.engine
        self.closing = deferred_from_coro(self.crawler.engine.close_spider_async(reason="recording_failed"))

    def spider_closed(self) -> None:
        if self.recording is not None:
            self.recording.close()
            self.recording = None


def _exchange(request: Request, response: Response) -> Exchange:
    return Exchange(
        url=response.url,
        method=request.method,
        request_headers=_pairs(request.headers),
        request_body=request.body,
        status=response.status,
        headers=_pairs(response.headers),
        body=response.body,
        address=str(response.ip_address or ""),
        truncated=not CUT_SHORT.isdisjoint(response.flags),
    )


def _pairs(headers: Headers) -> Iterator[tuple[str, str]]:
    for name, values in headers.items():
        yield from ((name.decode("latin-1"), value.decode("latin-1")) for value in values)
