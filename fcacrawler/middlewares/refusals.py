"""Downloader middleware: a host that asks to be left alone is, and what was asked of it waits again."""

from __future__ import annotations

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from fcacrawler.addon import FocusedCrawl, focus_of
from fcacrawler.middlewares.failures import is_robots_txt
from fcacrawler.requests import ENTRY, put_back

STATUSES = (429, 503)


class Refused(IgnoreRequest):
    """A robots.txt cannot be had now; ``counted``: that is the host's own doing."""

    def __init__(self, why: str, counted: bool = True) -> None:
        super().__init__(why)
        self.counted = counted


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
        if response.status not in STATUSES and not (robots and response.status >= 500):
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
