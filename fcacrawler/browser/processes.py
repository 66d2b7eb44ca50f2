"""The browser's processes as /proc shows them: how much memory they take, and how to end them. Elsewhere: nothing."""

from __future__ import annotations

import os
import signal
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

_PROC = Path("/proc")
_DRIVEN = b"--remote-debugging-pipe"  # on the command line of the browser that Playwright has started


def browsers() -> list[int]:
    """The main processes of the browsers that this process, or one that it has started, drives."""
    return [pid for pid in _below(os.getpid()) if _DRIVEN in (line := _command(pid)) and b"--type=" not in line]


def memory(browser: int) -> int:
    """Bytes that a browser and its processes have for themselves."""
    return sum(map(_private, [browser, *_below(browser)]))


def kill(browser: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(browser, signal.SIGKILL)


def _below(pid: int) -> list[int]:
    """Children, and theirs."""
    children: defaultdict[int, list[int]] = defaultdict(list)
    for folder in _PROC.glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):  # it may end at any moment
            children[int((folder / "stat").read_text().rpartition(")")[2].split()[1])].append(int(folder.name))
    found: list[int] = []
    todo = [pid]
    while todo:
        below = children[todo.pop()]
        found += below
        todo += below
    return found


def _command(pid: int) -> bytes:
    with suppress(OSError):
        return (_PROC / str(pid) / "cmdline").read_bytes()
    return b""


def _private(pid: int) -> int:
    with suppress(OSError, ValueError):
        _, resident, shared, *_ = map(int, (_PROC / str(pid) / "statm").read_text().split())
        return (resident - shared) * os.sysconf("SC_PAGE_SIZE")
    return 0
