"""The browser that shows pages to their scripts: Chromium by scrapy-playwright, started when the first page needs it.

So many tabs at a time, each in a context of its own that is renewed now and then; between two pages a tab is empty. A
page that takes too long loses its tab, a browser that takes too much memory is killed, and one that has died is started
anew with the next page. All of it happens in a thread of its own: a page takes some twenty turns of an event loop, and
those of a busy crawl are long.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from threading import Thread
from time import monotonic

from playwright.async_api import Page
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy_playwright.page import PageMethod

from fcacrawler.browser.apart import Crashed, Settled, done_in, within
from fcacrawler.browser.options import BrowserOptions
from fcacrawler.browser.processes import browsers, kill, memory
from fcacrawler.browser.shown import NotShown, Shown
from fcacrawler.downloads.browser_parts import Answer, Part
from fcacrawler.downloads.browser_visit import Visit
from fcacrawler.downloads.chromium import Handler, handler_of

logger = logging.getLogger(__name__)

RENEWED = 50  # pages of a tab
START, CLOSE = 60.0, 5.0  # seconds at most
LOOK = 1.0  # seconds between two looks at the memory
ATTEMPTS = 3  # to start the browser, in a row
CONTEXT = {"service_workers": "block", "accept_downloads": False, "viewport": {"width": 1280, "height": 2000}}


@dataclass(slots=True, eq=False)
class _Tab:
    context: str  # its name
    page: Page | None = None  # none before its first visit
    visits: int = 0


class Renderer:
    """See above."""

    def __init__(self, crawler: Crawler, options: BrowserOptions, program: str, most: int) -> None:
        """``program`` is the browser's, ``most`` how many bytes a page may have, and all that it asks for."""
        self.crawler = crawler
        self.options = options
        self.program = program
        self.most = most
        self.seconds = 0.0  # that it has run for pages, and started for them
        self._handler: Handler | None = None
        self._room = asyncio.Semaphore(options.browser_pages)
        self._starting = asyncio.Lock()
        self._failures = 0  # to start, in a row
        self._tabs: list[_Tab] = []  # those that are free
        self._names = (f"tab {n}" for n in count())
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="browser", daemon=True)
        self._thread.start()

    async def show(self, url: str, html: str, answer: Answer) -> Shown:
        """The page after its scripts have run. Raises NotShown."""
        here = asyncio.get_running_loop()

        async def answered(url: str, headers: Mapping[str, str]) -> Part | None:
            return await done_in(here, answer(url, headers))

        return await done_in(self._loop, self._shown(url, html, answered))

    async def close(self) -> None:
        """To be called once, at the end."""
        await done_in(self._loop, self._end(last=True))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    # -- in the browser's thread

    async def _shown(self, url: str, html: str, answer: Answer) -> Shown:
        async with self._room:
            try:
                return await self._show(url, html, answer)
            except Crashed:  # maybe by another page
                return await self._show(url, html, answer)

    async def _show(self, url: str, html: str, answer: Answer) -> Shown:
        handler = await self._started()
        tab, begun = self._tabs.pop() if self._tabs else _Tab(next(self._names)), monotonic()
        visit = Visit(url, html, answer, self.most)
        guard = asyncio.ensure_future(self._guard())
        kept = False
        try:
            after = await self._visited(handler, tab, visit)
            kept = await self._emptied(tab)
            return Shown(after, visit.moved)
        except Crashed:
            if handler is self._handler:
                await self._end()  # whatever is left of it
            raise
        except NotShown:
            if not visit.moved:
                raise
            return Shown(html, visit.moved)
        finally:
            guard.cancel()
            visit.end()
            self.crawler.stats.inc_value("fca/browser/refused", visit.refused)
            if kept:
                self._tabs.append(tab)
            else:
                await self._drop(tab)
            self.seconds += monotonic() - begun

    async def _end(self, last: bool = False) -> None:
        handler, self._handler = self._handler, None
        self._tabs.clear()
        try:
            if handler is not None:
                await within(CLOSE, handler.end())
        except NotShown:
            for browser in browsers():
                kill(browser)
        if last:
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()
            await asyncio.sleep(0)

    async def _started(self) -> Handler:
        async with self._starting:
            if self._failures >= ATTEMPTS:
                raise NotShown("start")
            begun = monotonic()
            try:
                if self._handler is None:
                    self._handler = handler_of(self.crawler, self.program, self.options.browser_seconds)
                await within(START, self._handler.ready())
            except NotShown as error:
                self._failures += 1
                await self._end()
                logger.warning("the browser %s does not start: %s", self.program, _first_line(error.__cause__))
                raise NotShown("start") from error
            self._failures = 0
            self.seconds += monotonic() - begun
            return self._handler

    async def _visited(self, handler: Handler, tab: _Tab, visit: Visit) -> str:
        """The page's HTML when it is done."""
        try:
            await within(self.options.browser_seconds, handler.download_request(self._request(tab, visit)))
        except Settled as done:
            return str(done)
        raise NotShown("error")

    def _request(self, tab: _Tab, visit: Visit) -> Request:
        async def begin(page: Page, _: Request) -> None:
            if page is not tab.page:
                page.on("popup", lambda popup: popup.close())
            tab.page = page
            await page.route("**", visit.route)

        return Request(
            visit.url,
            meta={
                "playwright": True,
                "playwright_page": tab.page,
                "playwright_include_page": True,
                "playwright_context": tab.context,
                "playwright_context_kwargs": {**CONTEXT, "user_agent": self.crawler.settings["USER_AGENT"]},
                "playwright_page_init_callback": begin,
                "playwright_page_goto_kwargs": {"wait_until": "commit"},
                "playwright_page_methods": [PageMethod(visit.settle, self.options.browser_seconds / 2)],
            },
        )

    async def _emptied(self, tab: _Tab) -> bool:
        """Make the tab ready for its next page; False if it is to be closed instead."""
        tab.visits += 1
        if tab.page is None or tab.visits >= RENEWED or len(tab.page.context.pages) > 1:
            return False
        try:
            await within(CLOSE, tab.page.goto("about:blank"))
        except NotShown:
            return False
        return True

    async def _drop(self, tab: _Tab) -> None:
        context = self._handler.context_wrappers.get(tab.context) if self._handler else None
        if context is None:
            return
        try:
            await within(CLOSE, context.context.close())
        except NotShown:
            for browser in browsers():
                kill(browser)

    async def _guard(self) -> None:
        """No browser takes more memory than it may, while a page is shown."""
        while True:
            await asyncio.sleep(LOOK)
            for browser in browsers():
                if memory(browser) > self.options.browser_memory * 1_000_000:
                    self.crawler.stats.inc_value("fca/browser/memory")
                    kill(browser)


def _first_line(error: BaseException | None) -> str:
    return str(error or "it takes too long").strip().partition("\n")[0]
