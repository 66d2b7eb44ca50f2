"""A web server that may answer anything at all: its rows write raw bytes to the socket. On loopback, on several
addresses at one port, so that it can play several hosts.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

ADDRESSES = tuple(f"127.0.0.{n}" for n in range(1, 6))


@dataclass
class Talk:
    """One request that is being answered."""

    address: str  # the address of ours that was asked
    path: str  # with query
    site: Site
    writer: asyncio.StreamWriter

    async def send(self, data: bytes) -> None:
        """Raises ConnectionError when the other side has had enough."""
        self.writer.write(data)
        await self.writer.drain()
        self.site.sent[self.address + self.path] += len(data)

    async def page(self, body: bytes | str, *headers: str, status: int = 200, kind: str = "text/html") -> None:
        body = body.encode() if isinstance(body, str) else body
        head = (f"HTTP/1.1 {status} X", f"Content-Type: {kind}", f"Content-Length: {len(body)}", *headers)
        await self.send("\r\n".join((*head, "", "")).encode("latin-1", "replace") + body)


Answer = Callable[[Talk], Awaitable[None]]


@dataclass
class Site:
    """``answers``: path up to its query, or beginning of a path that ends with "*", → answer; an address before it
    makes it that host's.
    ``hits``: (address, path) of every request, in order; ``sent``: address and path → bytes written."""

    answers: dict[str, Answer]
    port: int = 0
    hits: list[tuple[str, str]] = field(default_factory=list)
    sent: Counter[str] = field(default_factory=Counter)

    def url(self, path: str, host: str = ADDRESSES[0]) -> str:
        return f"http://{host}:{self.port}{path}"

    def fetched(self, beginning: str) -> list[str]:
        """Paths that begin so, in order."""
        return [path for _, path in self.hits if path.startswith(beginning)]

    def _answer(self, talk: Talk) -> Answer:
        path = talk.path.partition("?")[0]
        for asked in (talk.address + path, path):
            if asked in self.answers:
                return self.answers[asked]
            for name, answer in self.answers.items():
                if name[-1] == "*" and asked.startswith(name[:-1]):
                    return answer
        return _nothing

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                while head := await reader.readuntil(b"\r\n\r\n"):
                    path = head.split(b" ", 2)[1].decode("latin-1")
                    talk = Talk(writer.get_extra_info("sockname")[0], path, self, writer)
                    self.hits.append((talk.address, path))
                    await self._answer(talk)(talk)
        finally:
            writer.transport.abort()


async def _nothing(talk: Talk) -> None:
    await talk.page("<title>404</title>", status=404)


@contextmanager
def serving(answers: Mapping[str, Answer]) -> Iterator[Site]:
    """A site that answers on all addresses until the block ends."""
    site = Site(dict(answers))
    loop = asyncio.new_event_loop()
    over, ready = asyncio.Event(), threading.Event()

    async def serve() -> None:
        servers = []
        for address in ADDRESSES:
            servers.append(await asyncio.start_server(site.serve, address, site.port, limit=1 << 20))
            site.port = servers[-1].sockets[0].getsockname()[1]
        ready.set()
        await over.wait()
        for server in servers:
            server.close()

    def run() -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(serve())

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield site
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join(10)
