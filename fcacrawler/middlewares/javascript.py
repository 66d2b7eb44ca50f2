"""``-a js=auto``: pages that JavaScript builds are shown to their scripts in a browser, once, and read afterwards.

A page is fetched by Scrapy as any other, under all rules. Only when it has come, and is thin or of a shape that has
needed it before, a browser is given what came; what its scripts ask for is again fetched by Scrapy. So it is one page
for robots.txt, delays, budget and recordings, and the frontier knows nothing of all this.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Response
from scrapy.utils.reactor import is_reactor_installed

from fcacrawler.addon import FocusedCrawl, focus_of
from fcacrawler.browser import Learned, Look, NotShown, Shown, find_browser, suspicious
from fcacrawler.browser.find import remedy
from fcacrawler.downloads.browser_parts import Asking, Part, Parts
from fcacrawler.page import is_html, read_page
from fcacrawler.page.html.encoding import decode
from fcacrawler.page.html.scan import scan
from fcacrawler.page.identity.addresses import is_private, sounds_private
from fcacrawler.requests import ENTRY

if TYPE_CHECKING:
    from fcacrawler.downloads.renderer import Renderer

logger = logging.getLogger(__name__)


class JavaScript:
    """Downloader middleware, where a page is unpacked, and not yet asked whether it sends its reader elsewhere."""

    def __init__(self, crawler: Crawler, focus: FocusedCrawl) -> None:
        self.crawler = crawler
        self.focus = focus
        self.options = focus.config.browser
        self.learned = Learned(focus.folder / "browser.json" if focus.folder else None)
        self._parts: Parts | None = None
        self._renderer: Renderer | None = None
        self._told = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> JavaScript:
        focus = focus_of(crawler)
        if focus.config.browser.js == "never":
            raise NotConfigured
        javascript = cls(crawler, focus)
        crawler.signals.connect(javascript.spider_closed, signals.spider_closed)
        return javascript

    async def spider_closed(self, spider: Spider) -> None:
        if self._renderer is not None:
            await self._renderer.close()

    async def process_response(self, request: Request, response: Response) -> Response:
        if ENTRY not in request.meta or request.method != "GET" or response.status != 200:
            return response
        if not is_html(_type(response), response.body):
            return response
        renderer = self._browser() if self._wanted(response) else None
        return response if renderer is None else await self._shown(renderer, response, bool(request.meta.get("proxy")))

    def _wanted(self, response: Response) -> bool:
        if self.options.js == "always":
            return True
        known = self.learned.needs(response.url)
        suspicion = suspicious(response.body) if known is None else ""
        return bool(known) or (bool(suspicion) and self._look(response, response.body).thin(suspicion == "hint"))

    def _look(self, response: Response, body: bytes) -> Look:
        options = self.focus.config.page
        with self.focus.reader.timed("parsing"):
            page = read_page(response.url, response.url, body, content_type=_type(response), options=options)
            seen = scan(decode(body[: options.body_bytes], _type(response)), options.elements, options.links)
        return Look(len(page.text), sum(len(block.text) for block in seen.blocks), len(page.links))

    def _browser(self) -> Renderer | None:
        """Made when it is needed for the first time; None where there is none, which is told once."""
        if self._renderer is None:
            program = find_browser(self.options) if is_reactor_installed() else None
            if program is None:
                self.crawler.stats.inc_value("fca/browser/missed")
                if not self._told:
                    logger.warning("JavaScript builds some of the pages, and there is no browser: %s", remedy())
                self._told = True
                return None
            from fcacrawler.downloads.renderer import Renderer

            most = self.crawler.settings.getint("DOWNLOAD_MAXSIZE") or self.focus.config.page.body_bytes
            self._renderer = Renderer(self.crawler, self.options, program, most)
        return self._renderer

    async def _shown(self, renderer: Renderer, response: Response, proxied: bool) -> Response:
        """The page after its scripts, if they made it richer; else as it came."""
        if self._parts is None:
            sieve, seconds = self.focus.parts.crawl.sieve, self.options.browser_seconds / 3
            self._parts = Parts(self.crawler, sieve, self.focus.hosts, seconds)
        parts, page = self._parts, Asking(response.url, _is_public(response, proxied))

        async def answer(url: str, headers: Mapping[str, str]) -> Part | None:
            return await parts.get(page, url, headers)

        stats = self.crawler.stats
        try:
            shown = await renderer.show(response.url, decode(response.body, _type(response)), answer)
        except NotShown as why:
            if str(why) != "start":
                self.learned.failed(response.url)
            stats.inc_value(f"fca/browser/failed/{why}")
            return response
        finally:
            stats.inc_value("fca/browser/shown")
            stats.set_value("fca/browser/seconds", round(renderer.seconds, 3))
        return self._better(response, shown)

    def _better(self, response: Response, shown: Shown) -> Response:
        body = shown.html.encode("utf-8", "replace")
        before, after = self._look(response, response.body), self._look(response, body)
        gained = before.gained(after)
        self.learned.note(response.url, gained or bool(shown.moved))
        if shown.moved and not gained:  # as if it had said so without a script: Scrapy follows it by its own rules
            body = f'<meta http-equiv="refresh" content="0; url={escape(shown.moved)}">'.encode()
        elif not gained and (self.options.js == "auto" or before.lost(after)):
            return response
        self.crawler.stats.inc_value("fca/browser/needed", int(gained))
        headers = response.headers.copy()
        headers["Content-Type"] = "text/html; charset=utf-8"
        return response.replace(
            cls=HtmlResponse, headers=headers, body=body, encoding="utf-8", flags=[*response.flags, "browser"]
        )


def _is_public(response: Response, proxied: bool) -> bool:
    """Whether it came from a public address; behind a proxy, whether its name sounds so."""
    if response.ip_address is None or proxied:
        return not sounds_private(urlsplit(response.url).hostname or "")
    return not is_private(str(response.ip_address))


def _type(response: Response) -> str:
    return (response.headers.get("Content-Type") or b"").decode("latin-1")
