"""What `scrapy COMMAND` can do in this project. One command a file."""

from __future__ import annotations

import argparse
import os
import sys
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
