"""A page: as it was read, and as judge and order see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fcacrawler.values.links import Evidence, Link


@dataclass(frozen=True, slots=True)
class About:
    """What a page says of itself. "" for what it does not say."""

    author: str = ""  # several with commas between
    published: str = ""  # ISO 8601: a day, or a moment
    modified: str = ""
    site: str = ""  # the site's name
    licence: str = ""  # a URL, or words


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
    certainty: float = 0.0  # of the language, in [0, 1]
    truncated: bool = False  # the body was larger than a page may cost
    cut: bool = False  # … and text is missing for that
    written: str = ""  # the main content as its user wants it; "" where nobody does
    about: About = About()
    signals: Mapping[str, str] = field(default_factory=dict)  # what its owner says of its use, by where that is said


@dataclass(frozen=True, slots=True)
class SeenPage:
    """A fetched page as orders and judges see it: plain data, enough to rebuild what they learned."""

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
