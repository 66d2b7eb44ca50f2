"""The browser that shows pages to their scripts: Chromium by scrapy-playwright, started when the first page needs it.

So many tabs at a time, each in a context of its own that is renewed now and then; between two pages a tab is empty. A
page that takes too long loses its tab, a browser that takes too much memory is killed, and one that has died is started
anew with the next page.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count
from time import monotonic
from typing import Any, TypeVar

from playwright.async_api import Page
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy_playwright.handler import ScrapyPlaywrightDownloadHandler
from scrapy_playwright.page import PageMethod

from fcacrawler.browser.options import BrowserOptions
from fcacrawler.browser.parts import Answer
from fcacrawler.browser.processes import browsers, kill, memory
from fcacrawler.browser.shown import NotShown, Shown
from fcacrawler.browser.visit import Settled, Visit

logger = logging.getLogger(__name__)
T = TypeVar("T")

RENEWED = 50  # pages of a tab
START, CLOSE = 60.0, 5.0  # seconds at most
LOOK = 1.0  # seconds between two looks at the memory
ATTEMPTS = 3  # to start the browser, in a row
FLAGS = (
    "--host-resolver-rules=MAP * ~NOTFOUND",  # whatever gets round our routes finds no host,
    "--no-proxy-server",  # nor a proxy that finds it
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--blink-settings=imagesEnabled=false",
    "--disable-dev-shm-usage",  # it is small in containers
    "--disable-gpu",
    "--disable-software-rasterizer",
    "--disable-threaded-compositing",
    "--disable-site-isolation-trials",  # there is nothing to steal, and a process a site takes twice the time
    "--renderer-process-limit=2",
    "--js-flags=--max-old-space-size=512",
)
CONTEXT = {"service_workers": "block", "accept_downloads": False, "viewport": {"width": 1280, "height": 2000}}


class Crashed(NotShown):
    """The page's tab or the browser is gone."""


@dataclass(slots=True, eq=False)
class _Tab:
    context: str  # its name
    page: Page | None = None  # none before its first visit
    visits: int = 0


class _Handler(ScrapyPlaywrightDownloadHandler):  # type: ignore[misc]
    """Starts when we say so, and not with the engine."""

    async def ready(self) -> None:
        if not hasattr(self, "browser_provider"):
            with _own_session():
                await self._launch()
        await self._maybe_launch_browser()


class Renderer:
    """See above."""

    def __init__(self, crawler: Crawler, options: BrowserOptions, program: str, most: int) -> None:
        """``program`` is the browser's, ``most`` how many bytes a page may have, and all that it asks for."""
        self.crawler = crawler
        self.options = options
        self.program = program
        self.most = most
        self.seconds = 0.0  # that it has run for pages, and started for them
        self._handler: _Handler | None = None
        self._room = asyncio.Semaphore(options.browser_pages)
        self._starting = asyncio.Lock()
        self._failures = 0  # to start, in a row
        self._tabs: list[_Tab] = []  # those that are free
        self._names = (f"tab {n}" for n in count())

    async def show(self, url: str, html: str, answer: Answer) -> Shown:
        """The page after its scripts have run. Raises NotShown."""
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
                await self.close()  # whatever is left of it
            raise
        except NotShown:
            if not visit.moved:
                raise
            return Shown(html, visit.moved)
        finally:
            guard.cancel()
            if kept:
                self._tabs.append(tab)
            else:
                await self._drop(tab)
            self.seconds += monotonic() - begun

    async def close(self) -> None:
        handler, self._handler = self._handler, None
        if handler is None:
            return
        self._tabs.clear()
        try:
            await _within(CLOSE, handler.close())
        except NotShown:
            for browser in browsers():
                kill(browser)

    async def _started(self) -> _Handler:
        async with self._starting:
            if self._failures >= ATTEMPTS:
                raise NotShown("start")
            begun = monotonic()
            try:
                if self._handler is None:
                    self._handler = self._made()
                await _within(START, self._handler.ready())
            except NotShown as error:
                self._failures += 1
                await self.close()
                logger.warning("the browser %s does not start: %s", self.program, _first_line(error.__cause__))
                raise NotShown("start") from error
            self._failures = 0
            self.seconds += monotonic() - begun
            return self._handler

    def _made(self) -> _Handler:
        logging.getLogger("scrapy-playwright").setLevel(logging.ERROR)  # what its warnings tell is in our statistics
        handler = _Handler(self.crawler)
        launch = {"executable_path": self.program, "args": list(FLAGS), "chromium_sandbox": _sandbox()}
        launch |= dict.fromkeys(("handle_sigint", "handle_sigterm", "handle_sighup"), False)
        handler.config.launch_options = {**launch, **handler.config.launch_options}
        handler.config.navigation_timeout_ms = 1000 * self.options.browser_seconds
        handler.config.download_timeout_secs = 0.1  # downloads are refused: nothing to wait for
        handler.config.target_closed_max_retries = 0
        return handler

    async def _visited(self, handler: _Handler, tab: _Tab, visit: Visit) -> str:
        """The page's HTML when it is done."""
        try:
            await _within(self.options.browser_seconds, handler.download_request(self._request(tab, visit)))
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
            await _within(CLOSE, tab.page.goto("about:blank"))
        except NotShown:
            return False
        return True

    async def _drop(self, tab: _Tab) -> None:
        context = self._handler.context_wrappers.get(tab.context) if self._handler else None
        if context is None:
            return
        try:
            await _within(CLOSE, context.context.close())
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


async def _within(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """What the work answers; whatever happens to it instead is a NotShown."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait({task}, timeout=seconds)
    finally:
        task.cancel()
    if not task.done():
        raise NotShown("time")
    error = task.exception()
    if isinstance(error, NotShown | Settled):
        raise error
    if error is not None:
        told = str(error).lower()
        raise (Crashed("crash") if "closed" in told or "crash" in told else NotShown("error")) from error
    return task.result()


@contextmanager
def _own_session() -> Iterator[None]:
    """What is started meanwhile, Playwright's driver, does not hear Ctrl-C: the crawl ends, and it after the crawl."""
    plain = asyncio.create_subprocess_exec
    asyncio.create_subprocess_exec = partial(plain, start_new_session=True)
    try:
        yield
    finally:
        asyncio.create_subprocess_exec = plain


def _sandbox() -> bool:
    """As root Chromium runs without its sandbox or not at all."""
    return not hasattr(os, "geteuid") or os.geteuid() != 0


def _first_line(error: BaseException | None) -> str:
    return str(error or "it takes too long").strip().partition("\n")[0]
