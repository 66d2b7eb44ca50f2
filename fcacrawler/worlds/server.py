"""A world as a real HTTP server on loopback, for clients that are not ours.

Its hosts are reached in either of two ways: as an HTTP proxy (``GET http://www.sportsdesk.test/ HTTP/1.1``, which is
what clients do when ``http_proxy`` is set), or by the ``Host`` header. The server's own address tells which hosts
there are.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from html import escape
from random import Random
from urllib.parse import urlsplit

from aiohttp import web

from fcacrawler.worlds import World, unchanged

NOT_HERE = "<!DOCTYPE html><title>404</title><h1>Nothing here</h1>"


class Server:
    """Answers from a world; ``unreliable`` is the part of requests that are told to come back later."""

    def __init__(self, world: World, unreliable: float = 0.0, seed: int = 1) -> None:
        self.world = world
        self.unreliable = unreliable
        self.random = Random(seed)
        self.hosts = sorted({urlsplit(url).netloc for url in world.urls()})

    async def run(self, port: int, ready: Callable[[int], None]) -> None:
        """Serve until cancelled; ``ready`` hears the port. Raises OSError if it is taken."""
        runner = web.ServerRunner(web.Server(self.answer, access_log=None), shutdown_timeout=0.1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", port).start()
            ready(runner.addresses[0][1])
            await asyncio.Event().wait()
        finally:
            await runner.cleanup()

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        if request.method not in ("GET", "HEAD"):
            told = "this world is served by plain HTTP only" if request.method == "CONNECT" else "only GET and HEAD"
            return web.Response(status=405, text=told, headers={"Allow": "GET, HEAD"})
        if self.random.random() < self.unreliable:
            return web.Response(status=self.random.choice((429, 503)), headers={"Retry-After": "1"})
        url = _asked(request)
        if url is None:
            return web.Response(text=self._directory(), content_type="text/html")
        answer = self.world.answer(url)
        if answer is None:
            return web.Response(status=404, text=NOT_HERE, content_type="text/html")
        await asyncio.sleep(answer.delay)
        headers = [(n, v) for n, v in answer.headers if n.lower() != "content-length"]
        if unchanged(answer, request.headers.get("If-None-Match"), request.headers.get("If-Modified-Since")):
            return web.Response(status=304, headers=headers)
        return web.Response(status=answer.status, headers=headers, body=answer.body)

    def _directory(self) -> str:
        """What is told to somebody who asks for the server itself."""
        seeds: Iterable[str] = (f"<li>{escape(t.name)}: {', '.join(t.seeds)}</li>" for t in self.world.topics.values())
        hosts = "".join(f"<li>{escape(host)}</li>" for host in self.hosts)
        return (
            f"<!DOCTYPE html><title>{escape(self.world.name)}</title><h1>The world {escape(self.world.name)}</h1>"
            "<p>Use this address as an HTTP proxy, or send one of these hosts in the Host header.</p>"
            f"<h2>Topics and their seeds</h2><ul>{''.join(seeds)}</ul><h2>Hosts</h2><ul>{hosts}</ul>"
        )


def _asked(request: web.BaseRequest) -> str | None:
    """The URL in the world; None for the server's own."""
    if request.raw_path.startswith(("http://", "https://")):
        return request.raw_path
    host = (request.host or "").rpartition(":")[0] if ":" in request.host else request.host
    own = host in ("", "localhost", "127.0.0.1", "[::1]")
    return None if own else f"http://{host}{request.raw_path}"
