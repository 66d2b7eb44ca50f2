"""An HTML response → ``Page``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from operator import attrgetter

from fcacrawler.page.html.about import about_of
from fcacrawler.page.html.content import declared_main, main_blocks
from fcacrawler.page.html.encoding import decode
from fcacrawler.page.html.links import links_of, refreshed
from fcacrawler.page.html.microdata import MENTIONED, MicrodataScan
from fcacrawler.page.html.scan import Scan, scan
from fcacrawler.page.html.shown import printable, shown
from fcacrawler.page.html.title import title_of
from fcacrawler.page.html.written import markdown, plain
from fcacrawler.page.identity.duplicates import simhash
from fcacrawler.page.identity.urls import canonical_url, resolve
from fcacrawler.page.signals import said_of_use
from fcacrawler.page.text.language import told
from fcacrawler.values.options import at_least, option
from fcacrawler.values.pages import Page

HEADERS = (
    "x-robots-tag", "content-language", "refresh", "content-usage", "content-signal", "tdm-reservation", "tdm-policy",
)  # fmt: skip
_READ = {"pdf": ("pdf",), "text": (), "feed": ("rss", "atom")}  # kinds of documents → how their names end
TEXTS = {"plain": "plain", "markdown": "markdown", "off": "off"}
TEXTS |= dict.fromkeys(("1", "true", "yes"), "plain") | dict.fromkeys(("", "0", "false", "no"), "off")  # as it was once
_HTML = ("text/html", "application/xhtml+xml")
_HEADING, _DESCRIPTION = 300, 1000  # characters kept
_HEADINGS = 50
_NO_ENDINGS: frozenset[str] = frozenset()
_is_heading = attrgetter("heading")
_ANCHORS = 5  # for each distinct link so many are looked at


@dataclass(frozen=True, slots=True)
class PageOptions:
    """What one page may cost at most."""

    body_bytes: int = option(4_000_000, "bytes of a body that are read; the rest is left out", at_least(1000))
    elements: int = option(100_000, "HTML elements of a page that are read", at_least(100))
    links: int = option(2_000, "distinct links of a page that are kept", at_least(1))
    text_chars: int = option(200_000, "characters of main text that are kept", at_least(100))
    context_words: int = option(20, "words kept before and after a link", at_least(0))
    read: str = option(
        "",
        "what is read as pages besides HTML: pdf (the extra), text, feed (RSS, Atom), with commas between",
        lambda said: None if {*_several(said)} <= {*_READ} else f"must be of {', '.join(_READ)}",
        "read",
    )
    text: str = option(
        "plain",
        "a page's main text in its item: plain, markdown (headings, lists, links, tables, code), or off",
        lambda said: None if said.lower() in TEXTS else "must be plain, markdown or off",
    )

    @property
    def wanted(self) -> frozenset[str]:
        """Kinds of documents besides HTML."""
        return frozenset(_several(self.read))


def _several(said: str) -> list[str]:
    return [name.strip() for name in said.split(",") if name.strip()]


def read_page(
    url: str,
    final_url: str,
    body: bytes,
    *,
    content_type: str = "",
    headers: Mapping[str, str] | None = None,
    options: PageOptions | None = None,
    whole: bool = False,
    languages: frozenset[str] = frozenset(),
) -> Page:
    """Read a page. Never fails, and never costs more than ``options`` allow, whatever the bytes.

    ``headers``: of the response, names in lower case; those of ``HEADERS`` are used.
    ``whole``: all of it is main content, as of what was no HTML and has been made it.
    ``languages``: that are wanted; translations into these that the page's head names are links.
    """
    options = options or PageOptions()
    headers = headers or {}
    source = decode(body[: options.body_bytes], content_type)
    kind = MicrodataScan if MENTIONED in source else Scan
    wanted = TEXTS[options.text.lower()]
    seen = scan(source, options.elements, _ANCHORS * options.links, kind, shapes=wanted == "markdown")
    here = canonical_url(final_url)
    main = seen.blocks if whole else main_blocks(seen.blocks)
    text = plain(seen, main)
    headings = tuple(printable(b.text)[:_HEADING] for b in islice(filter(_is_heading, seen.blocks), _HEADINGS))
    refresh = refreshed(headers.get("refresh", "")) or refreshed(seen.metas.get("refresh", ""))
    endings = frozenset(ending for kind in options.wanted for ending in _READ[kind]) if options.read else _NO_ENDINGS
    links, left_out, too_long = links_of(seen, here, refresh, options.links, options.context_words, endings, languages)
    robots = _robots(seen.metas.get("robots", ""), headers.get("x-robots-tag", ""))
    long = len(text) > options.text_chars
    text = text[: options.text_chars]
    readers = () if whole or wanted == "off" else declared_main(seen.blocks)
    written = text if wanted == "plain" else ""
    if wanted == "markdown":
        written = markdown(seen, readers or main, resolve(here, seen.base) or here, options.text_chars)
    elif readers and wanted == "plain":
        written = plain(seen, readers)
    long = long or len(written) > options.text_chars
    written = written[: options.text_chars]
    title = title_of(seen, here)
    declared = seen.language or seen.metas.get("content-language") or headers.get("content-language", "")
    language = told(declared, text or title)
    return Page(
        url=canonical_url(url) or url,
        final_url=here or final_url,
        title=title,
        language=language.code,
        certainty=language.certainty,
        text=text,
        links=links,
        headings=headings,
        description=shown(seen.metas.get("description") or seen.metas.get("og:description", ""))[:_DESCRIPTION],
        canonical=resolve(here, seen.canonical),
        index="noindex" not in robots,
        follow="nofollow" not in robots,
        content_hash=blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest() if text else "",
        simhash=simhash(text),
        too_long=too_long,
        truncated=seen.truncated or left_out or long or len(body) > options.body_bytes,
        cut=seen.cut or long or len(body) > options.body_bytes,
        written=written,
        about=about_of(seen, here),
        signals=said_of_use(seen.metas, headers),
    )


def _robots(meta: str, header: str) -> frozenset[str]:
    """Directives for everybody: those for another robot by name ("googlebot: noindex") are not ours."""
    said = {d.strip() for d in f"{meta},{header}".lower().split(",")}
    return frozenset(said | {"noindex", "nofollow"} if "none" in said else said)


def is_html(content_type: str, body: bytes) -> bool:
    """By its type, or where it tells none, by how it begins.

    >>> is_html("text/html; charset=utf-8", b""), is_html("image/png", b"<html>"), is_html("", b" <!DOCTYPE html>")
    (True, False, True)
    """
    kind = content_type.split(";")[0].strip().lower()
    return kind in _HTML or (not kind and body[:512].lstrip().startswith(b"<"))
