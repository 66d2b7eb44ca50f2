"""Text as it may safely be shown."""

from __future__ import annotations

import re

_NOT_SHOWN = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\xad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+")


def shown(text: str) -> str:
    """A text as one line, without what is not shown but could do harm: terminal escapes, bidi overrides."""
    return printable(" ".join(text.split()))


def printable(line: str) -> str:
    """The same for a text that is one line already."""
    return line if line.isprintable() else " ".join(_NOT_SHOWN.sub("", line).split())
