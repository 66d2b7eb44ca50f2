"""An HTML response → ``Page``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b

from fcacrawler.items import Link, Page
from fcacrawler.options import at_least, option
from fcacrawler.page.content import main_blocks
from fcacrawler.page.duplicates import simhash
from fcacrawler.page.encoding import decode
from fcacrawler.page.language import language_of
from fcacrawler.page.scan import Anchor, Scan, scan
from fcacrawler.page.urls import canonical_url, resolve

_TITLE, _DESCRIPTION, _ANCHOR = 300, 1000, 300  # characters kept
_HEADINGS = 50
_NOFOLLOW = frozenset(("nofollow", "ugc", "sponsored"))
_REFRESH = re.compile(r"\s*[\d.]*\s*[;,]?\s*(?:url\s*=\s*)?[\"']?([^\"']+)", re.I)
_NOT_PAGES = re.compile(
    r"[^?]*\.(?:jpe?g|png|gif|webp|svg|ico|bmp|tiff?|avif|css|js|mjs|map|woff2?|ttf|eot|otf|mp[34]|m4[av]|og[agv]|wav|flac|aac|"
    r"wma|wmv|avi|mov|mkv|webm|flv|swf|zip|gz|tgz|bz2|xz|7z|rar|tar|dmg|exe|msi|apk|deb|rpm|iso|bin|jar|class|pdf|ps|eps|"
    r"docx?|xlsx?|pptx?|od[tsp]|epub|mobi|torrent|psd|ai|dwg|csv|sqlite|ics|rss|atom)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class PageOptions:
    """What one page may cost at most."""

    body_bytes: int = option(2_000_000, "bytes of a body that are read; the rest is left out", at_least(1000))
    elements: int = option(100_000, "HTML elements of a page that are read", at_least(100))
    links: int = option(2_000, "distinct links of a page that are kept", at_least(1))
    text_chars: int = option(200_000, "characters of main text that are kept", at_least(100))
    context_words: int = option(20, "words kept before and after a link", at_least(0))


def read_page(
    url: str,
    final_url: str,
    body: bytes,
    *,
    content_type: str = "",
    headers: Mapping[str, str] | None = None,
    options: PageOptions | None = None,
) -> Page:
    """Read a page. Never fails, and never costs more than ``options`` allow, whatever the bytes.

    ``headers``: of the response, names in lower case; ``x-robots-tag``, ``content-language`` and ``refresh`` are used.
    """
    options = options or PageOptions()
    headers = headers or {}
    text = decode(body[: options.body_bytes], content_type)
    seen = scan(text, options.elements, 5 * options.links)
    here = canonical_url(final_url) or final_url
    found, size = [], 0
    for block in main_blocks(seen.blocks):
        line = _line("".join(seen.stream[block.start : block.end]))
        found.append(line)
        size += len(line) + 1
        if size > options.text_chars:
            break
    main = "\n".join(found)[: options.text_chars]
    robots = _robots(seen.metas.get("robots", ""), headers.get("x-robots-tag", ""))
    headings = tuple(_line("".join(seen.stream[b.start : b.end]))[:_TITLE] for b in seen.blocks if b.heading)[
        :_HEADINGS
    ]
    title = _line(seen.title)[:_TITLE] or _line(seen.metas.get("og:title", ""))[:_TITLE] or (headings or ("",))[0]
    links, more = _links(seen, here, resolve(here, seen.base) or here, options, headers.get("refresh", ""))
    return Page(
        url=canonical_url(url) or url,
        final_url=here,
        title=title,
        language=language_of(
            seen.language or seen.metas.get("content-language", "") or headers.get("content-language", ""),
            main or title,
        ),
        text=main,
        links=links,
        headings=headings,
        description=_line(seen.metas.get("description", "") or seen.metas.get("og:description", ""))[:_DESCRIPTION],
        canonical=resolve(here, seen.canonical),
        index="noindex" not in robots,
        follow="nofollow" not in robots,
        content_hash=blake2b(main.encode(), digest_size=16).hexdigest() if main else "",
        simhash=simhash(main),
        truncated=seen.truncated or more or len(body) > options.body_bytes or size > options.text_chars,
    )


def _line(text: str) -> str:
    return " ".join(text.split())


def _robots(meta: str, header: str) -> frozenset[str]:
    """Directives for everybody; those for another robot by name ("googlebot: noindex") are not ours."""
    said = {d.strip() for d in f"{meta},{header}".lower().split(",")}
    if "none" in said:
        said |= {"noindex", "nofollow"}
    return frozenset(said)


def _links(seen: Scan, here: str, base: str, options: PageOptions, refresh: str) -> tuple[tuple[Link, ...], bool]:
    """The links in order of the page, each URL once, and whether some were left out."""
    stream = "".join(seen.stream)
    anchors = list(seen.anchors)
    for target in (refresh, seen.metas.get("refresh", "")):
        match = _REFRESH.fullmatch(target)
        if match and match[1].strip():
            anchors.insert(0, Anchor(match[1], "", "", 0, 0))
    found: dict[str, Link] = {}
    known: dict[str, str] = {}
    for anchor in anchors:
        url = known.get(anchor.href)
        if url is None:
            url = known[anchor.href] = resolve(base, anchor.href)
        if not url or url == here or _NOT_PAGES.fullmatch(url):
            continue
        earlier = found.get(url)
        if earlier is not None and earlier.anchor:
            continue
        if earlier is None and len(found) >= options.links:
            return tuple(found.values()), True
        words = _line(stream[anchor.start : anchor.end][: 2 * _ANCHOR]) or _line(anchor.alt or anchor.title)
        rel = frozenset(anchor.rel.lower().split()) if anchor.rel else frozenset()
        position = len(found) if earlier is None else earlier.position
        context = _context(stream, anchor, options.context_words)
        found[url] = Link(url, words[:_ANCHOR], context, position, bool(rel & _NOFOLLOW))
    return tuple(found.values()), seen.truncated


def _context(stream: str, anchor: Anchor, words: int) -> str:
    """So many words before and after the link."""
    if not words:
        return ""
    reach = 12 * words
    before = stream[max(0, anchor.start - reach) : anchor.start].split()[-words:]
    after = stream[anchor.end : anchor.end + reach].split()[:words]
    return " ".join(before + after)
