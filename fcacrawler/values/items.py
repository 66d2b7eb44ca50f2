"""The plain values that cross the doors between rooms, and the item that a crawl writes down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True)
class Topic:
    """What a crawl looks for, as its user said it."""

    words: str
    seeds: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()  # URLs of pages about the topic: fetched first, they say what it is about
    avoid: tuple[str, ...] = ()  # words that speak against a page


class Link(NamedTuple):
    """One link as it stands on a page."""

    url: str  # absolute and canonical
    anchor: str  # what can be read in the link; an image's alternative text where there is none
    context: str  # the words just before and after it
    position: int  # 0, 1, 2 … in the order of the page; a URL linked twice keeps its first position
    nofollow: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """A fetched HTML page, read. Made by ``page.read_page``."""

    url: str  # the URL that was asked for, canonical
    final_url: str  # after redirects
    title: str
    language: str  # ISO 639-1 code; "" if it cannot be told
    text: str  # main content, boilerplate left out
    links: tuple[Link, ...]
    headings: tuple[str, ...] = ()
    description: str = ""
    canonical: str = ""  # what the page itself says its URL is
    index: bool = True  # False: meta robots or X-Robots-Tag says noindex
    follow: bool = True  # False: … says nofollow
    content_hash: str = ""  # of the text: equal for exact duplicates
    simhash: int = 0  # of the text: near-duplicates differ in few of its 64 bits
    too_long: int = 0  # links that were left out for the length of their URLs
    truncated: bool = False  # the body was larger than a page may cost


class Evidence(NamedTuple):
    """Why a URL is known: one link to it."""

    parent: str  # URL of the page that it stands on
    anchor: str
    context: str
    position: int
    siblings: int  # how many links that page has


class Candidate(NamedTuple):
    """A URL that has been found and not been fetched, with all that is known of it."""

    key: bytes  # identity: digest of the canonical URL (of method and body too for foreign requests)
    url: str
    host: str
    depth: int  # links from the nearest seed
    evidence: tuple[Evidence, ...] = ()  # in order of arrival, bounded
    request: str = ""  # JSON of a foreign spider's request, "" for a plain GET

    @property
    def parent(self) -> str:
        """The page that it was first found on; "" for a seed."""
        return self.evidence[0].parent if self.evidence else ""


@dataclass(frozen=True, slots=True)
class SeenPage:
    """A fetched page as strategies and judges see it: plain data, enough to rebuild what they learned."""

    url: str
    title: str
    language: str
    depth: int  # 0: a seed
    keywords: tuple[tuple[str, float], ...]  # best first, weights in (0, 1]
    terms: Mapping[str, float]  # TF-IDF of the page's stems, L2 norm 1 (empty for a page without text)
    links: tuple[Link, ...]
    evidence: tuple[Evidence, ...] = ()  # the links it was found by, known when it was fetched
    text: str = ""  # the beginning of the main content
    content_hash: str = ""
    simhash: int = 0
    canonical: str = ""  # what the page itself says its URL is

    @property
    def parent(self) -> str:
        """The page that it was first found on; "" for a seed."""
        return self.evidence[0].parent if self.evidence else ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a rank is what it is."""

    rank: float
    ext: float = 0.0  # what links and clicks say, in [0, 1]
    int_: float = 0.0  # what words say, in [0, 1]
    w: float = 0.0  # rank = w·ext + (1-w)·int, where the order is a SemRank
    base_concept: Mapping[str, Any] = field(default_factory=dict)  # {"extent": [...], "intent": [...]}
    current_concept: Mapping[str, Any] = field(default_factory=dict)
    matched: tuple[tuple[str, str, float], ...] = ()  # (keyword of base, keyword of current, similarity)
    features: Mapping[str, float] = field(default_factory=dict)  # the order's own parts, by name


def written(explanation: Explanation) -> dict[str, Any]:
    """As it stands in an item: the papers' names, numbers rounded."""
    return {
        {"int_": "int"}.get(name, name): round(value, 6) if isinstance(value, float) else value
        for name, value in ((f.name, getattr(explanation, f.name)) for f in fields(explanation))
    }


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a page turned out to be."""

    rank: float
    relevant: bool
    explanation: Explanation
    duplicate_of: str | None = None  # an earlier page with (nearly) the same content: nothing was learned from this


@dataclass(slots=True)
class PageItem:
    """One fetched page, as it is written down: a line of the JSONL."""

    url: str  # the URL that was asked for, canonical
    final_url: str  # after redirects
    status: int  # HTTP status
    title: str  # of the page, one line
    language: str  # ISO 639-1, "" if it cannot be told
    fetched_at: str  # UTC, ISO 8601, seconds
    depth: int  # links from the nearest seed; a seed has 0
    parent: str | None  # URL of the page it was first found on; None for a seed
    path: list[str]  # URLs from the seed to the parent
    anchor: str  # text of the link it was first found by
    topic: str  # what the crawl looks for
    keywords: dict[str, float] = field(default_factory=dict)  # TF-IDF, best first, the best has 1.0
    semrank: float = 0.0  # the page's rank now that it has been read, in [0, 1]
    rank_before_fetch: float = 0.0  # the rank for which it was fetched
    relevant: bool = False  # semrank > gamma
    explanation: dict[str, Any] = field(default_factory=dict)  # see Explanation
    text: str = ""  # main content; "" with FCA_TEXT=0
    content_hash: str = ""  # of the main content
    duplicate_of: str | None = None  # URL of an earlier page with (nearly) the same content
    out_links: int = 0  # how many distinct URLs it links to
    changed: bool | None = None  # since it was fetched before; None for a page that was not asked for again
    product: dict[str, Any] | None = None  # what a shop's page offers: name, price, currency, availability, seller
