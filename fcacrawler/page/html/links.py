"""The links of a page: where they lead, what they say, and what stands around them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fcacrawler.page.html.scan import Scan
from fcacrawler.page.html.shapes import Anchor
from fcacrawler.page.html.shown import printable, shown
from fcacrawler.page.identity.urls import is_too_long, resolve
from fcacrawler.page.text.language import code_of
from fcacrawler.values.links import Link

_ANCHOR = 300  # characters kept
_LETTERS = 12  # characters a word, white space and all, that are searched for context
_NOFOLLOW = frozenset(("nofollow", "ugc", "sponsored"))
_REFRESH = re.compile(r"\s*[\d.]*\s*[;,]?\s*(?:url\s*=\s*)?[\"']?([^\"']*)", re.I)
_OTHER_MEDIA = frozenset(  # what names of files end with that hold no HTML
    """
    jpg jpeg png gif webp avif svg ico bmp tif tiff psd css js mjs map woff woff2 ttf eot otf mp3 mp4 mpg mpeg m4a m4v
    oga ogg ogv wav flac aac wma wmv avi mov mkv webm flv swf zip gz tgz bz2 xz zst 7z rar tar dmg exe msi apk deb rpm
    iso bin jar class pdf ps eps doc docx xls xlsx ppt pptx odt ods odp rtf epub mobi torrent dwg csv sqlite ics rss
    atom
    """.split()
)


def refreshed(content: str) -> str:
    """Where a refresh leads to: of a meta element or of the header.

    >>> refreshed("0; URL='next.html'")
    'next.html'
    """
    match = _REFRESH.match(content[:3000])
    return match[1].strip() if match else ""


def links_of(
    seen: Scan,
    here: str,
    refresh: str,
    most: int,
    words: int,
    read: frozenset[str] = frozenset(),
    languages: frozenset[str] = frozenset(),
) -> tuple[tuple[Link, ...], bool, int]:
    """The links to other HTML pages in order of the page, each URL once; whether some were left out for their number;
    and how many were for their length.

    A URL linked twice keeps its first position, takes the first anchor that says something, and may be followed if one
    of its links may be.
    ``here``: canonical URL of the page; ``refresh``: where it forwards to, which counts as its first link;
    ``words``: of context on either side; ``read``: what names of files end with that are wanted besides HTML;
    ``languages``: translations into these that the page's head names are links too, its last.
    """
    base = resolve(here, seen.base) or here
    others = _OTHER_MEDIA - read if read else _OTHER_MEDIA
    stream, offsets = seen.text, seen.offsets
    found: dict[str, Link] = {}
    too_long = 0
    for anchor, url in _resolved(seen.anchors, base, refresh):
        if not url or url == here or url.partition("?")[0].rpartition(".")[2].lower() in others:
            too_long += not url and is_too_long(base, anchor.href)
            continue
        earlier = found.get(url)
        if earlier is not None and earlier.anchor and not earlier.nofollow:
            continue
        if earlier is None and len(found) >= most:
            return tuple(found.values()), True, too_long
        start, end = offsets[anchor.start], offsets[anchor.end]
        said = shown(stream[start:end][: 2 * _ANCHOR]) or shown(anchor.alt or anchor.title)
        nofollow = bool(anchor.rel) and not _NOFOLLOW.isdisjoint(anchor.rel.lower().split())
        if earlier is None:
            around = _around(stream, start, end, words)
            language = anchor.language and code_of(anchor.language)
            found[url] = Link(url, said[:_ANCHOR], around, len(found), nofollow, anchor.path, language)
        else:
            said = earlier.anchor or said[:_ANCHOR]
            found[url] = earlier._replace(anchor=said, nofollow=earlier.nofollow and nofollow)
    for said, href in seen.translations:
        url, language = resolve(base, href), code_of(said)
        if (earlier := found.get(url)) is not None:
            found[url] = earlier._replace(language=earlier.language or language)
        elif language in languages and url and url != here and len(found) < most:
            found[url] = Link(url, "", "", len(found), language=language)
    return tuple(found.values()), False, too_long


def _resolved(anchors: list[Anchor], base: str, refresh: str) -> Iterator[tuple[Anchor, str]]:
    if refresh:
        yield Anchor(refresh, "", "", 0, 0), resolve(base, refresh)
    known: dict[str, str] = {}
    for anchor in anchors:
        url = known.get(anchor.href)
        if url is None:
            url = known[anchor.href] = resolve(base, anchor.href)
        yield anchor, url


def _around(stream: str, start: int, end: int, words: int) -> str:
    """So many words before and after a link."""
    if not words:
        return ""
    reach = _LETTERS * words
    before = stream[max(0, start - reach) : start].rsplit(None, words)[-words:]
    after = stream[end : end + reach].split(None, words)[:words]
    return printable(" ".join(before + after))
