"""What stays of pages that link to, or were found by, pages that are forgotten."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from fcacrawler.values.forgetting import Gone
from fcacrawler.values.pages import SeenPage


class Removed(NamedTuple):
    """How much went."""

    pages: int
    links: int  # URLs that waited, or were known
    mended: int  # pages and links that said something of what went


def without_page(page: SeenPage, gone: Gone) -> SeenPage:
    """The page without its links to what is forgotten, and without what that has said of it."""
    return replace(
        page,
        links=tuple(link for link in page.links if not gone(link.url)),
        evidence=tuple(e for e in page.evidence if not gone(e.parent)),
        canonical="" if gone(page.canonical) else page.canonical,
    )
