"""A running crawl is asked over its socket: lines of JSON, see the extension ``control``."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

SECONDS = 30


def talk(path: str, asks: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The crawl's answers, up to the first that says no."""
    with socket.socket(socket.AF_UNIX) as to, to.makefile("rwb") as lines:
        to.settimeout(SECONDS)
        to.connect(path)
        for ask in asks:
            line = b""
            with suppress(BrokenPipeError):
                lines.write(json.dumps(ask).encode() + b"\n")
                lines.flush()
                line = lines.readline()
            if not line:
                raise ConnectionResetError
            answer = json.loads(line)
            yield answer
            if not answer["ok"]:
                return


def remedy(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such socket: does the crawl run, with -a control=PATH?"
    if isinstance(error, ConnectionRefusedError):
        return "nobody listens: the crawl has ended, or this is no crawl's socket"
    if isinstance(error, PermissionError):
        return "it belongs to another user"
    if isinstance(error, TimeoutError):
        return f"no answer for {SECONDS} s"
    if isinstance(error, ConnectionError):
        return "the crawl has ended"
    return error.strerror or str(error)
