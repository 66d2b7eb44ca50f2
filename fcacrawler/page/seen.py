"""A page as the crawl's parts see it: enough to judge it, and to rebuild what was learned from it."""

from __future__ import annotations

from collections.abc import Sequence

from fcacrawler.page.text.keywords import TELLING
from fcacrawler.page.text.vector import vector
from fcacrawler.values.links import Evidence
from fcacrawler.values.pages import Page, SeenPage

BEGINNING = 2_000  # characters of a page's text that orders may look at


def seen_page(page: Page, keywords: Sequence[tuple[str, float]], depth: int, evidence: Sequence[Evidence]) -> SeenPage:
    """``depth`` and ``evidence``: those of the link by which it was fetched."""
    before = "\n".join((page.title, *page.headings, page.description))
    return SeenPage(
        url=page.url,
        title=page.title,
        language=page.language,
        depth=depth,
        keywords=tuple(keywords),
        terms=vector(page.text[:TELLING], page.language, before=before),
        links=page.links,
        evidence=tuple(evidence),
        text=page.text[:BEGINNING],
        content_hash=page.content_hash,
        simhash=page.simhash,
        canonical=page.canonical,
    )
