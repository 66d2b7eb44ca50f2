"""Text as it may safely be shown."""

from __future__ import annotations

import re

_NOT_SHOWN = re.compile(  # Unicode's Cc, Cs and Cf, less signs that are seen and the joiners, which scripts need
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ud800-\udfff\ufeff"
    "\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001-\U000e007f]+"
)


def shown(text: str) -> str:
    """A text as one line, without what is not shown but could do harm: terminal escapes, bidi overrides."""
    return printable(" ".join(text.split()))


def printable(line: str) -> str:
    """The same for a text that is one line already."""
    return line if line.isprintable() else " ".join(_NOT_SHOWN.sub("", line).split())


def without_unseen(line: str) -> str:
    """The same, with the spaces between its words as they are."""
    return line if line.isprintable() else _NOT_SHOWN.sub("", line)
