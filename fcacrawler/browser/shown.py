"""What came of a page in the browser, and how the summary tells of all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

FAILED = "fca/browser/failed/"


@dataclass(frozen=True, slots=True)
class Shown:
    """A page after its scripts."""

    html: str
    moved: str = ""  # where they sent the reader, "" if nowhere


class NotShown(Exception):
    """A page could not be shown; the message says why, in a word."""


def told(stats: Mapping[str, Any]) -> str:
    """How many pages needed the browser and what that cost; "" if there is nothing to tell.

    >>> told({"fca/browser/shown": 9, "fca/browser/needed": 6, "fca/browser/seconds": 3.6, FAILED + "time": 1})
    '6 pages needed their scripts, 9 were shown to them: 3.6 s in the browser, 0.40 s a page (1 in vain: time)'
    >>> told({"fca/browser/missed": 7})
    '7 pages are built by their scripts and were read without them: there is no browser'
    """
    shown, seconds = stats.get("fca/browser/shown", 0), stats.get("fca/browser/seconds", 0.0)
    if missed := stats.get("fca/browser/missed", 0):
        return f"{missed} pages are built by their scripts and were read without them: there is no browser"
    if not shown:
        return ""
    vain = {key.removeprefix(FAILED): n for key, n in stats.items() if key.startswith(FAILED)}
    why = f" ({sum(vain.values())} in vain: {', '.join(sorted(vain))})" if vain else ""
    return (
        f"{stats.get('fca/browser/needed', 0)} pages needed their scripts, {shown} were shown to them: "
        f"{seconds:.1f} s in the browser, {seconds / shown:.2f} s a page{why}"
    )
