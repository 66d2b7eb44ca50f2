"""A real web site on loopback, from memory: for tests that crawl over HTTP."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from time import monotonic

from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Site:
    """``pages``: path → HTML, or a handler for whatever else. ``hits``: (time, path) of every request, in order."""

    def __init__(self) -> None:
        self.pages: dict[str, str | Handler] = {}
        self.hits: list[tuple[float, str]] = []
        self.base = ""

    @property
    def fetched(self) -> list[str]:
        """Paths fetched, in order, robots.txt left out."""
        return [path for _, path in self.hits if path != "/robots.txt"]

    def url(self, path: str) -> str:
        return self.base + path

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.hits.append((monotonic(), request.path_qs))
        page = self.pages.get(request.path_qs, self.pages.get(request.path))
        if page is None:
            return web.Response(status=404)
        if isinstance(page, str):
            return web.Response(text=page, content_type="text/html")
        return await page(request)


@contextmanager
def serving(pages: Mapping[str, str | Handler] | None = None, host: str = "127.0.0.1") -> Iterator[Site]:
    """A site that answers on a free port until the block ends; ``host``: any address of loopback."""
    site = Site()
    site.pages.update(pages or {})
    loop = asyncio.new_event_loop()
    ready = threading.Event()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", site.answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)

    async def up() -> None:
        await runner.setup()
        await web.TCPSite(runner, host, 0).start()
        site.base = f"http://{host}:{runner.addresses[0][1]}"
        ready.set()

    def run() -> None:
        asyncio.set_event_loop(loop)
        loop.run_until_complete(up())
        loop.run_forever()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield site
    finally:
        asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


def page(title: str, text: str = "", links: Mapping[str, str] | None = None) -> str:
    """A small HTML page; links: URL → anchor text."""
    anchors = "".join(f'<p>See <a href="{url}">{anchor}</a> for more.</p>' for url, anchor in (links or {}).items())
    head = f"<!doctype html><html lang=en><head><title>{title}</title></head>"
    return f"{head}<body><h1>{title}</h1><p>{text}</p>{anchors}</body></html>"
