"""What `scrapy COMMAND` can do in this project. One command a file.

Scrapy imports all of them, whichever is asked for: what reads a large library is imported where a command runs.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

C = TypeVar("C")
Run = Callable[[C, list[str], argparse.Namespace], None]


def say(*words: object, end: str = "\n") -> None:
    """Print what strangers may have written: without characters that a terminal would obey."""
    text = " ".join(map(str, words))
    print("".join(c if c.isprintable() or c == "\n" else " " for c in text), end=end)


def as_long_as_read(run: Run[C]) -> Run[C]:
    """A command that prints ends quietly when nobody reads on (``| head``)."""

    @wraps(run)
    def piped(command: C, args: list[str], opts: argparse.Namespace) -> None:
        try:
            run(command, args, opts)
            sys.stdout.flush()
        except BrokenPipeError:  # what Python still wants to write at its end goes nowhere
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    return piped


class Told:
    """Progress on standard error: one line that is written over on a terminal, else a line every ten seconds."""

    def __init__(self, what: str, unit: str) -> None:
        self._what, self._unit = what, unit
        self._began = self._told = time.monotonic()
        self._first: int | None = None

    def __call__(self, done: int, of: int) -> None:
        now = time.monotonic()
        if self._first is None:
            self._first, self._began = done, now
        live = sys.stderr.isatty()
        if now - self._told < (0.2 if live else 10) and done < of:
            return
        self._told = now
        fresh = done - self._first
        left = (now - self._began) / fresh * (of - done) if fresh else None
        estimate = "" if left is None or done == of else f", about {self._clock(left)} left"
        text = f"{self._what}: {done:,} of {of:,} {self._unit}{estimate}"
        print(
            f"\r\033[K{text}" if live else text, end="\n" if not live or done == of else "", file=sys.stderr, flush=True
        )

    @staticmethod
    def _clock(seconds: float) -> str:
        return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
