"""The item of a page: a line of the JSONL."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any


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
    text: str = ""  # main content, plain or as Markdown; "" with FCA_TEXT=off
    content_hash: str = ""  # of the main content
    duplicate_of: str | None = None  # URL of an earlier page with (nearly) the same content
    mark: str | None = None  # what a user says of it: good or bad
    out_links: int = 0  # how many distinct URLs it links to
    changed: bool | None = None  # since it was fetched before; None for a page that was not asked for again
    gone: str | None = None  # since when a page that was asked for again is not there (404, 410): UTC, ISO 8601
    product: dict[str, Any] | None = None  # what a shop's page offers: name, price, currency, availability, seller
    text_cut: bool = False  # there was more text than a page may have (FCA_TEXT_CHARS, FCA_BODY_BYTES, FCA_ELEMENTS)
    kind: str = "html"  # what it was before it was read: html, pdf, text or feed
    description: str = ""  # as the page gives it
    author: str = ""  # as the page names them, with commas between
    published: str = ""  # as the page says: ISO 8601, a day or a moment
    modified: str = ""  # likewise
    site: str = ""  # the site's name, as the page says
    licence: str = ""  # a URL, or words, as the page says
    canonical: str = ""  # what the page itself says its URL is
    signals: dict[str, str] = field(default_factory=dict)  # what its owner says of its use, by where that is said
    record: dict[str, Any] | None = None  # where its response is recorded: file, offset, length, URL; with FCA_RECORD
    language_certainty: float = 0.0  # how sure the language is, in [0, 1]


NOW: Mapping[str, str] = MappingProxyType(
    {
        "semrank_before": "what `semrank` was when the page came",
        "relevant_before": "what `relevant` was when the page came",
        "changed_after": "how many pages were known when `relevant` last changed; None: it never did",
    }
)  # what stands besides in an item that says what is thought of its page now


def as_json(item: PageItem) -> str:
    """As it is kept in a crawl's store."""
    return json.dumps({f.name: getattr(item, f.name) for f in fields(PageItem)}, ensure_ascii=False)
