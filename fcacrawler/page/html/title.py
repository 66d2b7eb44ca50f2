"""The title of a page, without the name of its site."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import islice, takewhile

from fcacrawler.page.html.scan import Scan
from fcacrawler.page.html.shapes import Block
from fcacrawler.page.html.shown import printable, shown
from fcacrawler.page.identity.urls import resolve

LONGEST = 300  # characters kept
_LOOKED_AT = 50  # headings
_DIVIDED = re.compile(r"\s+[-|–—·•:»«/]+\s+")
_MARKS = " \t¶#§🔗"  # of links to a heading, after it
_LINKED = 0.5  # of a heading's characters stand in a link: it leads elsewhere, mostly to the site's first page


def title_of(seen: Scan, here: str) -> str:
    """What <title> says, else the page's own heading, else og:title. Of "Page - Site" the part that is a heading of the
    page, or that og:title says, else all but what is the site's name. ``here``: canonical URL of the page.

    A heading that leads to another page, or stands in what surrounds the text, is the site's.
    """
    headings = list(islice((b for b in seen.blocks if b.heading), _LOOKED_AT))
    plain = [b for b in headings if not _leads_away(b, seen, here)]
    own, around = [b for b in plain if not b.zone], [b for b in plain if b.zone]
    sites = _names(b for b in headings if b.zone or b not in plain)
    sites.update(_names_of([shown(seen.metas.get("og:site_name", ""))]))
    named = shown(seen.metas.get("og:title", ""))
    title = shown(seen.title)
    if not title or (title.casefold() in sites and own):
        return next(filter(None, [*map(_text, own), title, named, *map(_text, around)]), "")[:LONGEST]
    parts = _DIVIDED.split(title)
    for names in (_names(own), _names_of([named]) - sites):
        found = next((part for part in parts if part.casefold() in names), None)
        if found is not None:
            return found[:LONGEST]
    return _less(title, parts, sites, _names(around))[:LONGEST]


def _less(title: str, parts: Sequence[str], sites: set[str], around: set[str]) -> str:
    """The title less the site's names at its end."""
    if len(parts) > 1 and parts[0].casefold() in around:
        return parts[0]
    end = len(title)
    for part in reversed(parts[1:]):
        if part.casefold() not in sites:
            break
        end = title.rindex(part, 0, end)
    return title[:end].rstrip(" -|–—·•:»«/") if end < len(title) else title


def _leads_away(heading: Block, seen: Scan, here: str) -> bool:
    if heading.linked <= _LINKED * heading.size:
        return False
    first = bisect_left(seen.anchors, heading.start, key=lambda anchor: anchor.start)
    inside = takewhile(lambda anchor: anchor.start < heading.end, islice(seen.anchors, first, None))
    return not any(resolve(here, anchor.href) == here for anchor in inside)


def _text(heading: Block) -> str:
    return printable(heading.text).rstrip(_MARKS)


def _names(headings: Iterable[Block]) -> set[str]:
    return _names_of(map(_text, headings))


def _names_of(texts: Iterable[str]) -> set[str]:
    return {text.casefold() for text in texts if text}
