"""``-a read=pdf,text,feed``: what is no HTML, made HTML where a page comes in, so that it is read as any other.

Recordings hold what came off the wire; here it is unpacked, and no browser has seen it.
"""

from __future__ import annotations

import asyncio
import logging
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Response

from fcacrawler.addon import FocusedCrawl, focus_of
from fcacrawler.page.documents import FEED, PDF, PdfReader, html_of_feed, html_of_text, kind_of
from fcacrawler.page.documents.pdf import NotRead
from fcacrawler.page.html.encoding import decode
from fcacrawler.requests import ENTRY, KIND

logger = logging.getLogger(__name__)

AT_ONCE = 1  # PDFs that are read at a time


class Documents:
    """Downloader middleware."""

    def __init__(self, crawler: Crawler, focus: FocusedCrawl) -> None:
        self.crawler = crawler
        self.options = focus.config.page
        self.pdf = PdfReader()
        self._reading = asyncio.Semaphore(AT_ONCE)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Documents:
        focus = focus_of(crawler)
        if not focus.config.page.wanted:
            raise NotConfigured
        return cls(crawler, focus)

    async def process_response(self, request: Request, response: Response) -> Response:
        if ENTRY not in request.meta or response.status != 200:
            return response
        request.meta.pop(KIND, None)  # of a page that has sent us here
        said = (response.headers.get("Content-Type") or b"").decode("latin-1")
        kind = kind_of(said, response.body)
        if kind not in self.options.wanted:
            return response
        name = urlsplit(response.url).path.rpartition("/")[2]
        body = response.body[: self.options.body_bytes] if kind != PDF else response.body
        try:
            html = await self._html(kind, body, said, name)
        except NotRead as why:
            logger.warning("not read: %s: %s", response.url, why)
            self.crawler.stats.inc_value(f"fca/documents/{kind}_not_read")
            return response
        self.crawler.stats.inc_value(f"fca/documents/{kind}")
        request.meta[KIND] = kind
        headers = response.headers.copy()
        headers["Content-Type"] = "text/html; charset=utf-8"
        body = html.encode("utf-8", "replace")
        return response.replace(cls=HtmlResponse, headers=headers, body=body, encoding="utf-8")

    async def _html(self, kind: str, body: bytes, said: str, name: str) -> str:
        if kind == PDF:
            async with self._reading:
                return await asyncio.to_thread(self.pdf.html, body, name)
        return html_of_feed(body) if kind == FEED else html_of_text(decode(body, said), name)
