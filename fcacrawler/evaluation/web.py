"""A world as a crawl meets it, fetched without Scrapy: redirects are followed, robots.txt is obeyed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urljoin, urlsplit

from protego import Protego
from w3lib.html import get_meta_refresh

from fcacrawler.crawl.traps import GONE
from fcacrawler.page import PageOptions, canonical_url, is_html, keywords, read_page, seen_page
from fcacrawler.values.pages import SeenPage
from fcacrawler.worlds import Answer, World

AGENT = "fcacrawler"
REDIRECTS = (301, 302, 303, 307, 308)
HOPS, HEAD, PATIENCE = 20, 4096, 100  # Scrapy's: redirects, characters looked at, seconds of a meta refresh
HEADERS = ("x-robots-tag", "content-language", "refresh")
NOTHING_HERE = Answer(404, (), b"")
REMEMBERED = 200_000  # links of which it is known whether they lead out of the recording


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came of a fetch."""

    responded: bool  # False: forbidden by robots.txt, or redirected without end
    final_url: str = ""  # canonical, after redirects
    page: SeenPage | None = None  # None: no HTML page; else with depth 0 and without evidence
    follow: bool = True  # False: the page asks for its links to be left alone
    unknown: frozenset[str] = frozenset()  # of its links those of which nobody knows where they lead
    gone: bool = False  # there is nothing


class Fetcher:
    """Fetches from a world."""

    def __init__(self, world: World, options: PageOptions) -> None:
        self._world = world
        self._options = options
        self._rules: dict[str, Protego] = {}
        self._knows = lru_cache(REMEMBERED)(self.knows)

    def fetch(self, url: str) -> Fetched:
        """The page at a canonical URL, read."""
        found = self._answer(url)
        if found is None:
            return Fetched(False)
        at, answer = found
        final_url = canonical_url(at) or at
        headers = {name.lower(): value for name, value in answer.headers}
        kind = headers.get("content-type", "")
        if answer.status != 200 or not is_html(kind, answer.body):
            return Fetched(True, final_url, gone=answer.status in GONE)
        wanted = {name: headers.get(name, "") for name in HEADERS}
        page = read_page(url, at, answer.body, content_type=kind, headers=wanted, options=self._options)
        unknown = frozenset(link.url for link in page.links if not self._knows(link.url))
        return Fetched(True, final_url, seen_page(page, keywords(page), 0, ()), page.follow, unknown)

    def knows(self, url: str) -> bool:
        """Whether the world can say what comes of a URL: it stands there, as does what it redirects to."""
        found = None if self._world.whole else self._answer(url)
        return found is None or found[1] is not NOTHING_HERE

    def final(self, url: str) -> str | None:
        """Where a URL leads to, without reading the page; None if nothing answers there."""
        found = self._answer(url)
        return None if found is None else canonical_url(found[0]) or found[0]

    def _answer(self, url: str) -> tuple[str, Answer] | None:
        for _ in range(HOPS + 1):
            if not self._allowed(url):
                return None
            answer = self._world.answer(url) or NOTHING_HERE
            onward = moved(url, answer)
            if not onward:
                return url, answer
            url = onward
        return None

    def _allowed(self, url: str) -> bool:
        parts = urlsplit(url)
        rules = self._rules.get(parts.netloc)
        if rules is None:
            answer = self._world.answer(f"{parts.scheme}://{parts.netloc}/robots.txt") or NOTHING_HERE
            rules = self._rules[parts.netloc] = Protego.parse(answer.body.decode("utf-8", "ignore"))
        return bool(rules.can_fetch(url, AGENT))


def moved(url: str, answer: Answer) -> str:
    """Where an answer sends to, by its status or by a meta refresh, as Scrapy follows them; "" if it stays."""
    headers = {name.lower(): value for name, value in answer.headers}
    if answer.status in REDIRECTS:
        return urljoin(url, headers["location"]) if headers.get("location") else ""
    if "html" not in headers.get("content-type", ""):
        return ""
    interval, target = get_meta_refresh(answer.body[:HEAD].decode("utf-8", "replace"), url, ignore_tags=())
    return target if interval is not None and target and interval < PATIENCE else ""
