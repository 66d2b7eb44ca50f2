"""What a log format is: a name, and how to get a parser from the head of a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fcacrawler.weblogs.events import Click, ClickColumns

Parser = Callable[[str], Click | None]
"""A line → its click; None if it has none to give (a header, a query without a click); ``BadLine`` if it is no line of
this format."""

AtOnce = Callable[[str], ClickColumns | None]
"""Whole lines, without the end of the last → their clicks, as the parser finds them; None if there is a line among them
that only the parser understands."""


@dataclass(frozen=True, slots=True)
class Format:
    """One log format."""

    name: str
    parser: Callable[[Sequence[str]], Parser | None]  # from the first lines of a file; None: surely not this format
    legacy: str = "cp1252"  # encoding of lines that are not UTF-8
    at_once: Callable[[Sequence[str]], AtOnce] | None = None  # from the head of a file that has a parser


def without_header(parse: Parser) -> Callable[[Sequence[str]], Parser | None]:
    """For formats whose lines explain themselves."""
    return lambda head: parse
