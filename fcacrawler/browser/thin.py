"""Does a page need its scripts? A quick look at the bytes, a closer one at what can be read, and what scripts add."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

_LOOKED_AT = 256 * 1024  # bytes of a body
_FEW_LINKS = 5
_NOSCRIPTS, _HINT = 5, 500  # noscript elements that are looked at, and bytes of each
_MOUNT = re.compile(  # the empty element that a framework fills
    rb"""<(?:div|main|section)\b[^<>]{0,200}\bid=["']?(?:root|app|__next|__nuxt|___gatsby|svelte|main|content)\b"""
    rb"""[^<>]{0,200}>\s{0,100}</|<app-root\b[^<>]{0,200}>\s{0,100}</"""
)
SHORT, BRIEF = 200, 1000  # characters of main text: hardly a page; a page that may well be whole


def suspicious(body: bytes) -> Literal["hint", "few links", ""]:
    """Why it may be that scripts build this page, if it may. Costs next to nothing; ``Look.thin`` decides.

    >>> suspicious(b'<div id="app"></div><noscript>Please enable JavaScript</noscript><script src="a.js"></script>')
    'hint'
    >>> suspicious(b"<p>No script here.")
    ''
    """
    head = body[:_LOOKED_AT].lower()
    if b"<script" not in head:
        return ""
    if _hinted(head):
        return "hint"
    at = -1
    for _ in range(_FEW_LINKS):
        at = head.find(b"<a ", at + 1)
        if at < 0:
            return "few links"
    return ""


def _hinted(head: bytes) -> bool:
    """Does the page itself say that it needs JavaScript, or leave an empty place for it?"""
    at = -1
    for _ in range(_NOSCRIPTS):
        at = head.find(b"<noscript", at + 1)
        if at < 0:
            break
        if b"javascript" in head[at : at + _HINT].partition(b"</noscript")[0]:
            return True
    return _MOUNT.search(head) is not None


@dataclass(frozen=True, slots=True)
class Look:
    """How much can be read of a page."""

    main: int  # characters of its main text
    text: int  # characters of all its text
    links: int

    def thin(self, hint: bool) -> bool:
        """Is something missing? ``hint``: the page says so itself.

        >>> Look(30, 30, 0).thin(False), Look(600, 900, 12).thin(False), Look(600, 900, 12).thin(True)
        (True, False, True)
        """
        return self.main < SHORT or (self.main < BRIEF and (hint or not self.links))

    def gained(self, shown: Look) -> bool:
        """Did its scripts make the page richer by so much that it needs them? (What is its main text may change.)

        >>> Look(30, 30, 0).gained(Look(900, 2000, 12)), Look(500, 500, 20).gained(Look(510, 510, 21))
        (True, False)
        """
        longer, more = max(SHORT, self.text // 4), max(3, self.links // 4)
        return shown.text >= self.text + longer or shown.links >= self.links + more

    def lost(self, shown: Look) -> bool:
        """Did its scripts take most of the page away?"""
        return shown.text < self.text // 2 and shown.links <= self.links
