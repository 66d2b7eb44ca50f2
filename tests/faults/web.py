"""A web on loopback that goes away at a commanded moment and comes back: so many hosts, each an address of 127/8.

Page k stands on host k mod n and links to the next pages; it is the same page whenever it is asked for. The server
keeps the log that everything is held against.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from aiohttp import web

from tests.site import page

FAN = 5  # links of a page to the next ones


class Web:
    """``on_page``: called with how many pages have been answered, in the server's thread."""

    def __init__(self, pages: int, hosts: int, net: str = "127.0.7", named: bool = False) -> None:
        self.pages = pages
        self.addresses = [f"{net}.{n + 1}" for n in range(hosts)]
        self.names = [f"h{n}.test" for n in range(hosts)] if named else self.addresses
        self.port = 0
        self.answered: list[str] = []  # URLs of pages
        self.robots: list[str] = []  # hosts
        self.rules = "User-agent: *\nAllow: /\n"
        self.on_page: Callable[[int], None] = lambda n: None
        self.loop = asyncio.new_event_loop()
        self._runner: Any = None
        self._open: dict[str, Any] = {}

    def url(self, k: int) -> str:
        return f"http://{self.names[k % len(self.names)]}:{self.port}/p/{k}"

    @property
    def urls(self) -> set[str]:
        return {self.url(k) for k in range(self.pages)}

    @property
    def twice(self) -> int:
        return sum(n - 1 for n in Counter(self.answered).values())

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        if request.path == "/robots.txt":
            self.robots.append(request.host.partition(":")[0])
            return web.Response(text=self.rules)
        name = request.path.removeprefix("/p/")
        k = int(name) if name.isdigit() else self.pages
        if k >= self.pages:
            return web.Response(status=404)
        self.answered.append(self.url(k))
        onward = range(FAN * k + 1, min(FAN * k + 1 + FAN, self.pages))
        text = page(
            f"Page {k}",
            f"Auto racing {k}. " + f"Lap {k} of the grand prix. " * 20,
            {self.url(n): f"race {n}" for n in onward},
        )
        self.on_page(len(self.answered))
        return web.Response(text=text, content_type="text/html")

    def cut(self, seconds: float | None = None, hosts: slice = slice(None)) -> None:
        """These hosts are away from now on, or for so long."""
        self.loop.call_soon_threadsafe(self._cut, seconds, hosts)

    def _cut(self, seconds: float | None, hosts: slice) -> None:
        for address in self.addresses[hosts]:
            if site := self._open.pop(address, None):
                self.loop.create_task(site.stop())
        for connection in list(self._runner.server.connections):
            if connection.transport and connection.transport.get_extra_info("sockname")[0] in self.addresses[hosts]:
                self.loop.call_soon(connection.transport.abort)
        if seconds is not None:
            self.loop.call_later(seconds, lambda: self.loop.create_task(self._listen()))

    def mend(self) -> None:
        """All hosts are there. From another thread."""
        asyncio.run_coroutine_threadsafe(self._listen(), self.loop).result(10)

    async def _listen(self) -> None:
        for address in self.addresses:
            if address not in self._open:
                site = web.TCPSite(self._runner, address, self.port, reuse_address=True)
                await site.start()
                self._open[address] = site
                self.port = self.port or self._runner.addresses[0][1]

    async def _start(self) -> None:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._answer)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await self._listen()


@contextmanager
def serving(
    pages: int,
    hosts: int,
    net: str = "127.0.7",
    named: bool = False,
    enter: Callable[[], None] = lambda: None,
) -> Iterator[Web]:
    """``named``: URLs have names, h0.test and so on; ``enter``: what the server's thread does first."""
    served = Web(pages, hosts, net, named)

    def run() -> None:
        enter()
        served.loop.run_forever()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(served._start(), served.loop).result(10)
    try:
        yield served
    finally:
        asyncio.run_coroutine_threadsafe(served._runner.cleanup(), served.loop).result(10)
        served.loop.call_soon_threadsafe(served.loop.stop)
        thread.join(10)
        served.loop.close()
