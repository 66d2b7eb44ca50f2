"""How each kind of engine is asked: words → results. A kind is one function and a row of ``KINDS``."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from urllib.parse import quote, urlencode, urlsplit

from fcacrawler.engines.readers import Result, by_paths, by_words, cdx, feed, filled, outward, template
from fcacrawler.engines.table import Engine
from fcacrawler.engines.web import LARGEST, Reply, Unanswered, Web
from fcacrawler.page import read_sitemap
from fcacrawler.page.identity.urls import canonical_url

PATTERNS, FILES, LEVELS = 5, 10, 3  # of an index that are asked for; sitemaps that are read, and how deep
LISTED = 20_000  # URLs of sitemaps that are looked at
ROWS, INDEX_BYTES = 5_000, 8_000_000  # of one answer of an index
SITEMAP_BYTES = 10_000_000


class Library:
    """What one asking needs twice, such as descriptions."""

    def __init__(self, web: Web) -> None:
        self.web = web
        self._had: dict[str, Reply] = {}

    async def get(self, engine: Engine, url: str, again: bool = True, most: int = 0) -> Reply:
        """Raises Unanswered, also for an answer that says no. ``again``: what was had is had."""
        if again and url in self._had:
            return self._had[url]
        headers = engine.headers if _origin(url) == _origin(engine.url) else {}  # nobody else is to see a key
        reply = await self.web.get(url, headers, most or LARGEST, whole=not most)
        if reply.status != 200:
            wait = f", asks to come back after {reply.retry_after}" if reply.retry_after else ""
            hint = " (is format=json allowed there?)" if engine.kind == "searxng" and reply.status == 403 else ""
            raise Unanswered(f"HTTP {reply.status}{wait}{hint}")
        if again:
            self._had[url] = reply
        return reply


def _origin(url: str) -> tuple[str, str]:
    return urlsplit(url)[:2]


async def _json(engine: Engine, words: str, library: Library) -> list[Result]:
    url = engine.url.replace("{words}", quote(words, safe="")).replace("{count}", "50")
    return by_paths(await library.get(engine, url, again=False), engine)


async def _opensearch(engine: Engine, words: str, library: Library) -> list[Result]:
    url, kind = template(await library.get(engine, engine.url))
    target = canonical_url(filled(url, words))
    if not target:
        raise Unanswered("the template of its OpenSearch description is no http or https URL")
    reply = await library.get(engine, target, again=False)
    return outward(reply) if "html" in kind else feed(reply)


async def _cdx(engine: Engine, words: str, library: Library) -> list[Result]:
    urls: dict[str, None] = {}
    for pattern in engine.patterns[:PATTERNS]:
        query = urlencode({"url": pattern, "output": "json", "limit": ROWS})
        found = cdx(await library.get(engine, f"{engine.url}?{query}", most=INDEX_BYTES))
        urls.update(dict.fromkeys(found))
    return by_words(urls, words)


async def _sitemap(engine: Engine, words: str, library: Library) -> list[Result]:
    files, asked = deque([(engine.url, 1)]), 0
    urls: dict[str, None] = {}
    while files and asked < FILES and len(urls) < LISTED:
        url, level = files.popleft()
        asked += 1
        found = read_sitemap((await library.get(engine, url, most=SITEMAP_BYTES)).body, LISTED)
        if found.index:
            files.extend((u, level + 1) for u in found.urls[:FILES] if level < LEVELS)
        else:
            urls.update(dict.fromkeys(found.urls))
    return by_words(urls, words)


KINDS: dict[str, Callable[[Engine, str, Library], Awaitable[list[Result]]]] = {
    "searxng": _json,
    "pise": _json,
    "json": _json,
    "opensearch": _opensearch,
    "cdx": _cdx,
    "sitemap": _sitemap,
}
