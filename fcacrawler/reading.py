"""From a Scrapy response to what the crawl learns of it, with the CPU time that each step took."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from time import thread_time
from typing import Any

from scrapy import Request
from scrapy.http import Response
from scrapy.utils.httpobj import urlparse_cached

from fcacrawler.app.assembly import Parts, seen
from fcacrawler.app.config import Config
from fcacrawler.crawl.rules import NOFOLLOW, TOO_LONG
from fcacrawler.frontier import Entry
from fcacrawler.items import PageItem
from fcacrawler.page import canonical_url, is_html, keywords, product_of, read_page
from fcacrawler.page.html.encoding import decode
from fcacrawler.values.pages import Page
from fcacrawler.values.verdicts import Verdict

ENTRY = "fca_entry"  # request meta: the frontier's entry that a request was made of
EVIDENCE = "fca_evidence"  # request meta: the link that a foreign spider's request follows
PUT_BACK = "fca_put_back"  # request meta: how often it has been put back, to wait again in the frontier
UNCOUNTED = "fca_uncounted"  # request meta: put back for what says nothing of the link
HEADERS = ("x-robots-tag", "content-language", "refresh")


class Reader:
    """Reads responses and lets the crawl observe them; keeps count of the CPU seconds of each step."""

    def __init__(self, config: Config, parts: Parts) -> None:
        self.config = config
        self.parts = parts
        self.cpu: defaultdict[str, float] = defaultdict(float)

    def read(self, response: Response) -> Page | None:
        """The page; None for a response that is no HTML page or no success."""
        content_type = _content_type(response)
        if response.status != 200 or not is_html(content_type, response.body):
            return None
        headers = {name: b", ".join(response.headers.getlist(name)).decode("latin-1") for name in HEADERS}
        with self.timed("parsing"):
            return read_page(
                asked_url(response),
                response.url,
                response.body,
                content_type=content_type,
                headers=headers,
                options=self.config.page,
            )

    def product(self, response: Response) -> dict[str, Any] | None:
        """What the page offers for sale, if it says so."""
        body = response.body[: self.config.page.body_bytes]
        if not any(mark in body for mark in (b"ld+json", b"schema.org/Pro")):
            return None
        with self.timed("parsing"):
            return product_of(decode(body, _content_type(response)), response.url)

    def keywords(self, page: Page) -> tuple[tuple[str, float], ...]:
        with self.timed("keywords"):
            return keywords(page)

    async def observe(
        self, page: Page, entry: Entry | None, words: tuple[tuple[str, float], ...], follow: bool = True
    ) -> Verdict:
        """Let the crawl learn from the page; its links wait, if it is to be followed. Where vectors are slow they are
        made before, in another thread: the page waits for them, fetching and other pages do not."""
        candidate = entry.candidate if entry is not None else None
        unseen = Counter({TOO_LONG: page.too_long, NOFOLLOW: 0 if page.follow else len(page.links)})
        self.parts.crawl.dropped.update(+unseen if follow else ())
        with self.timed("keywords"):
            page_seen = seen(page, words, candidate.depth if candidate else 0, candidate.evidence if candidate else ())
        vectors = self.parts.vectors
        if vectors is not None and vectors.slow:
            await asyncio.to_thread(vectors.embed, self.parts.crawl.texts(page_seen))
        with self.timed("ranking"):
            return self.parts.crawl.observe(page_seen, entry.candidate.key if entry else b"", follow and page.follow)

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        start = thread_time()
        try:
            yield
        finally:
            self.cpu[what] += thread_time() - start


def _content_type(response: Response) -> str:
    return (response.headers.get("Content-Type") or b"").decode("latin-1")


def asked_url(response: Response) -> str:
    """The canonical URL that was asked for, before redirects."""
    entry = response.meta.get(ENTRY)
    if entry is not None and not entry.candidate.request:
        return str(entry.candidate.url)
    first = response.meta.get("redirect_urls", [response.url])[0]
    return canonical_url(first) or first


def is_robots_txt(request: Request) -> bool:
    """Whether it asks for a host's rules, and not for a page."""
    return ENTRY not in request.meta and urlparse_cached(request).path == "/robots.txt"


class ReadItem(PageItem):
    """An item together with the page it was read from, for the pipelines; only PageItem's fields are written down."""

    __slots__ = ("entry", "page", "response")
    page: Page
    entry: Entry | None
    response: Response
