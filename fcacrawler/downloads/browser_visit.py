"""One page in the browser: what it may ask for, and when it is done.

The browser has no network of its own. The page itself is what the crawl has fetched already; what its scripts ask for
is fetched by the crawl, under its rules (``Answer``), if it can matter to text and links; all else is refused.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from time import monotonic
from urllib.parse import urlsplit

from playwright.async_api import Error, Page, Request, Route

from fcacrawler.browser.apart import Settled
from fcacrawler.browser.origins import readable
from fcacrawler.browser.shown import NotShown
from fcacrawler.downloads.browser_parts import Answer, Part

MATTERS = ("script", "xhr", "fetch")
REQUESTS, OF_A_HOST = 100, 10  # of one page: in all, and to each host that is not its own
QUIET = 0.2  # seconds without a request, after which a page that shows something is done
EMPTY = 2.0  # … and one that shows nothing
SHOWS = 200  # characters
_CHARACTERS = """limit => {
  if (document.readyState === 'loading') return 0;
  const walk = document.createTreeWalker(document.body ?? document, NodeFilter.SHOW_TEXT);
  let n = 0;
  while (n < limit && walk.nextNode())
    if (!/^(script|style|noscript|template)$/i.test(walk.currentNode.parentNode.nodeName))
      n += walk.currentNode.data.trim().length;
  return n;
}"""
_HTML = """limit => {
  const html = document.documentElement.outerHTML;
  return html.length > limit ? null : html;
}"""
_HOP = ("connection", "content-encoding", "content-length", "keep-alive", "set-cookie", "transfer-encoding")


class Visit:
    """A page that is being shown."""

    def __init__(self, url: str, html: str, answer: Answer, most: int) -> None:
        """``most``: bytes that all it asks for may have."""
        self.url = url
        self.moved = ""  # where its scripts sent the reader
        self.refused = 0  # requests beyond what a page may ask for
        self._html = html
        self._answer = answer
        self._most = self._left = most
        self._requests: Counter[str] = Counter()  # by host
        self._waiting: set[asyncio.Task[Part | None]] = set()
        self._under_way = 0
        self._last = monotonic()
        self._begun = False

    async def route(self, route: Route) -> None:
        """Answers one request of the page."""
        self._under_way += 1
        try:
            await self._routed(route)
        except (Error, asyncio.CancelledError):
            pass  # the page has gone meanwhile
        finally:
            self._under_way -= 1
            self._last = monotonic()

    async def _routed(self, route: Route) -> None:
        request = route.request
        if request.is_navigation_request():
            await self._navigated(route, request)
        elif request.resource_type == "stylesheet":  # some scripts wait for theirs
            await route.fulfill(status=200, content_type="text/css", body="")
        elif (part := await self._part(request)) is None:
            await route.abort()
        else:
            headers = readable(self.url, request.url, part.url, part.headers, request.resource_type == "script")
            if headers is None:
                await route.abort()
            else:
                plain = {k: v for k, v in headers.items() if k not in _HOP}
                await route.fulfill(status=part.status, headers=plain, body=part.body)

    async def _navigated(self, route: Route, request: Request) -> None:
        if not self._begun:
            self._begun = True
            await route.fulfill(status=200, content_type="text/html; charset=utf-8", body=self._html)
        elif _is_frame(request):
            await route.abort()
        else:
            if request.method == "GET" and _on_the_web(request) and request.url.partition("#")[0] != self.url:
                self.moved = request.url
            await route.fulfill(status=204)  # the browser stays where it is

    async def _part(self, request: Request) -> Part | None:
        if request.resource_type not in MATTERS or request.method != "GET" or not _on_the_web(request):
            return None
        host = urlsplit(request.url).netloc
        self._requests[host] += 1
        many = host != urlsplit(self.url).netloc and self._requests[host] > OF_A_HOST
        if many or self._requests.total() > REQUESTS or self._left <= 0:
            self.refused += 1
            return None
        asking = asyncio.ensure_future(self._answer(request.url, request.headers))
        self._waiting.add(asking)
        asking.add_done_callback(self._waiting.discard)
        part = await asking
        self._left -= len(part.body) if part is not None else 0
        return part

    def end(self) -> None:
        """Nobody waits any more for what it has asked for."""
        for asking in self._waiting:
            asking.cancel()

    async def settle(self, page: Page, seconds: float) -> None:
        """Wait until nothing more is to be expected of the page, or so many seconds. Raises Settled: what
        scrapy-playwright does after this is to wait for an event that many a page never comes to."""
        begun = self._last = monotonic()
        while not self.moved and monotonic() - begun < seconds:
            await asyncio.sleep(QUIET / 2)
            quiet = 0.0 if self._under_way else monotonic() - self._last
            if quiet >= EMPTY or (quiet >= QUIET and await page.evaluate(_CHARACTERS, SHOWS) >= SHOWS):
                break
        html = await page.evaluate(_HTML, self._most)
        if html is None:
            raise NotShown("size")
        raise Settled(html)


def _on_the_web(request: Request) -> bool:
    return request.url.startswith(("http:", "https:"))


def _is_frame(request: Request) -> bool:
    """A frame in the page, and not the page itself."""
    try:
        return request.frame.parent_frame is not None
    except Error:  # of a window that is only being opened
        return True
