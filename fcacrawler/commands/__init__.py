"""What `scrapy COMMAND` can do in this project. One command a file.

Scrapy imports all of them, whichever is asked for: what reads a large library is imported where a command runs.

Why so: decision 405.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any, ClassVar, TypeVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.values.errors import FcaError
from fcacrawler.values.extras import extras

C = TypeVar("C", bound=ScrapyCommand)
Run = Callable[[C, list[str], argparse.Namespace], None]


class OurCommand:
    """How a command of ours is called and what its help says. A ``Command`` is a class after this and Scrapy's, which
    this is not: Scrapy would take it for one more command."""

    takes: ClassVar[str]  # its words
    does: ClassVar[str]  # in a line
    more: ClassVar[str] = ""  # what the help says after that
    requires_project = True
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return self.takes

    def short_desc(self) -> str:
        return self.does

    def long_desc(self) -> str:
        return self.does + self.more


def say(*words: object, end: str = "\n") -> None:
    """Print what strangers may have written: without characters that a terminal would obey."""
    text = " ".join(map(str, words))
    print("".join(c if c.isprintable() or c == "\n" else " " for c in text), end=end)


def plainly(run: Run[C]) -> Run[C]:
    """A command that fails says why in one line; one that prints ends quietly when nobody reads on (``| head``)."""

    @wraps(run)
    def plain(command: C, args: list[str], opts: argparse.Namespace) -> None:
        if unknown := [word for word in args if word.startswith("-") and word != "-"]:  # Scrapy leaves them to us
            raise UsageError(f"{' '.join(unknown)}: this command has no such option, -h tells which it has")
        try:
            with extras():
                run(command, args, opts)
            sys.stdout.flush()
        except BrokenPipeError:  # what Python still wants to write at its end goes nowhere
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except FcaError as error:
            print(error, file=sys.stderr)
            command.exitcode = error.exit_code
        except OSError as error:
            print(f"{error.strerror}: {error.filename}" if error.filename else error, file=sys.stderr)
            command.exitcode = 1

    return plain


def at_least_one(text: str) -> int:
    """An option's number."""
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def share(text: str) -> float:
    """An option's number in [0, 1]."""
    value = float(text)
    if not 0 <= value <= 1:
        raise ValueError(text)
    return value
