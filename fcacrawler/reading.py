"""From a Scrapy response to a visited page and its item, with the CPU time that each step took."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from time import thread_time
from typing import Any
from weakref import WeakKeyDictionary

from scrapy.http import Response

from fcacrawler.app.assembly import Parts
from fcacrawler.app.config import Config, codes
from fcacrawler.crawl.rules import NOFOLLOW, TOO_LONG
from fcacrawler.items import PageItem
from fcacrawler.page import is_html, keywords, product_of, read_page, seen_page
from fcacrawler.page.html.encoding import decode
from fcacrawler.page.html.read import HEADERS
from fcacrawler.requests import ENTRY, KIND, RECORD, SIGNALS, asked_url
from fcacrawler.values.links import Candidate, Evidence
from fcacrawler.values.pages import Page, SeenPage
from fcacrawler.values.verdicts import Verdict

NOT_FOUND = Candidate(b"", "", "", 0)  # of a page that was not fetched by a link of the frontier
NO_LINK = Evidence("", "", "", 0, 0)


@dataclass(frozen=True, slots=True)
class Visited:
    """A page that the crawl has visited."""

    keywords: Mapping[str, float]  # TF-IDF, best first
    verdict: Verdict
    path: Sequence[str]  # URLs from the seed to the page's parent
    content_hash: str


class Reader:
    """Reads responses and lets the crawl visit their pages; keeps count of the CPU seconds of each step."""

    def __init__(self, config: Config, parts: Parts) -> None:
        self.config = config
        self.parts = parts
        self.cpu: defaultdict[str, float] = defaultdict(float)
        self._languages = frozenset(codes(config.run.languages))
        self._read: WeakKeyDictionary[Response, Page | None] = WeakKeyDictionary()

    def read(self, response: Response) -> Page | None:
        """The page, read once; None for a response that is no HTML page or no success."""
        if response not in self._read:
            self._read[response] = self._page(response)
        return self._read[response]

    def _page(self, response: Response) -> Page | None:
        content_type = _content_type(response)
        if response.status != 200:
            return None
        headers = {name: b", ".join(response.headers.getlist(name)).decode("latin-1") for name in HEADERS}
        url = asked_url(response)
        if not is_html(content_type, response.body):
            return None
        return read_page(
            url,
            response.url,
            response.body,
            content_type=content_type,
            headers=headers,
            options=self.config.page,
            whole=KIND in response.meta,
            languages=self._languages,
        )

    def item(self, response: Response) -> PageItem | None:
        """What is written down of the response's page, before it is known what it turned out to be."""
        page, entry = self.read(response), response.meta.get(ENTRY)
        if page is None:
            return None
        found = _found(response)
        link = found.evidence[0] if found.evidence else NO_LINK
        return PageItem(
            url=page.url,
            final_url=page.final_url,
            status=response.status,
            title=page.title,
            language=page.language,
            language_certainty=page.certainty,
            fetched_at=datetime.now(UTC).isoformat(timespec="seconds"),
            depth=found.depth,
            parent=link.parent or None,
            path=[],
            anchor=link.anchor,
            topic=self.parts.topic.words,
            rank_before_fetch=round(entry.rank, 6) if entry is not None else 0.0,
            text=page.written,
            content_hash=page.content_hash,
            out_links=len(page.links),
            product=self._product(response),
            text_cut=page.cut,
            kind=response.meta.get(KIND, "html"),
            description=page.description,
            author=page.about.author,
            published=page.about.published,
            modified=page.about.modified,
            site=page.about.site,
            licence=page.about.licence,
            canonical=page.canonical,
            signals={**response.meta.get(SIGNALS, {}), **page.signals},
            record=response.meta.get(RECORD),
        )

    async def seen(self, response: Response) -> SeenPage | None:
        """The response's page as the crawl is to see it, if it is one. Where vectors are slow they are made here, in
        another thread: the page waits for them, fetching and other pages do not."""
        found = _found(response)
        with self.timed("parsing"):
            page = self.read(response)
            if page is None:
                return None
            seen = seen_page(page, keywords(page), found.depth, found.evidence)
        vectors = self.parts.vectors
        if vectors is not None and vectors.slow:
            await asyncio.to_thread(vectors.embed, self.parts.crawl.texts(seen))
        return seen

    def visit(self, response: Response, seen: SeenPage, follow: bool) -> Visited:
        """Let the crawl visit the page; its links wait, if they are to be followed."""
        page, crawl = self.read(response), self.parts.crawl
        assert page is not None
        unseen = Counter({TOO_LONG: page.too_long, NOFOLLOW: 0 if page.follow else len(page.links)})
        with self.timed("ranking"):
            verdict = crawl.visit(seen, _found(response).key, follow and page.follow, +unseen if follow else None)
            path = crawl.paths.to(page.url)
        return Visited(dict(seen.keywords), verdict, path, page.content_hash)

    def _product(self, response: Response) -> dict[str, Any] | None:
        """What the page offers for sale, if it says so."""
        body = response.body[: self.config.page.body_bytes]
        if not any(mark in body for mark in (b"ld+json", b"schema.org/Pro")):
            return None
        with self.timed("parsing"):
            return product_of(decode(body, _content_type(response)), response.url)

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        start = thread_time()
        try:
            yield
        finally:
            self.cpu[what] += thread_time() - start


def _found(response: Response) -> Candidate:
    """The link by which it was fetched."""
    entry = response.meta.get(ENTRY)
    return entry.candidate if entry is not None else NOT_FOUND


def _content_type(response: Response) -> str:
    return (response.headers.get("Content-Type") or b"").decode("latin-1")
