"""A line to a port of loopback that can be cut without a word: nothing goes through, nobody is told."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Line:
    def __init__(self, target: int) -> None:
        self.target = target
        self.port = 0
        self.loop = asyncio.new_event_loop()
        self._open: asyncio.Event | None = None

    async def start(self) -> None:
        self._open = asyncio.Event()
        self._open.set()
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]

    def stall(self, on: bool) -> None:
        assert self._open is not None
        self.loop.call_soon_threadsafe(self._open.clear if on else self._open.set)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, onward = await asyncio.open_connection("127.0.0.1", self.target)
        await asyncio.gather(self._carry(reader, onward), self._carry(there, writer))

    async def _carry(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        assert self._open is not None
        with suppress(ConnectionError):
            while data := await source.read(65536):
                await self._open.wait()
                sink.write(data)
                await sink.drain()
        sink.close()


@contextmanager
def stalling(target: int) -> Iterator[Line]:
    line = Line(target)
    thread = threading.Thread(target=line.loop.run_forever, daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(line.start(), line.loop).result(10)
    try:
        yield line
    finally:
        line.loop.call_soon_threadsafe(line.loop.stop)
        thread.join(10)
