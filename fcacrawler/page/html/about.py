"""What a page says of itself: author, dates, licence, site; by its meta elements, JSON-LD, OpenGraph and microdata."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from itertools import islice
from typing import Any

from fcacrawler.page.html.microdata import MicrodataScan
from fcacrawler.page.html.scan import Scan
from fcacrawler.page.html.shown import shown
from fcacrawler.page.identity.urls import resolve
from fcacrawler.values.pages import About

_LONGEST, _AUTHORS = 300, 10
_SCRIPT = 200_000  # characters of a JSON-LD script that are parsed
_NODES, _DEEPEST = 500, 4  # of JSON-LD that are looked at
_PAGES = ("Article", "Posting", "Page", "Report", "Book", "CreativeWork", "Course", "Recipe", "Dataset", "Thesis")
_METAS = {
    "author": """author article:author dc.creator dcterms.creator citation_author parsely-author byl""",
    "published": """article:published_time datepublished dc.date.issued dcterms.issued dcterms.created dc.date
        dcterms.date citation_publication_date parsely-pub-date pubdate date publishdate dc.date.created""",
    "modified": """article:modified_time og:updated_time datemodified dcterms.modified dc.date.modified last-modified
        lastmod""",
    "licence": "dcterms.license dc.rights.license dcterms.rights dc.rights license",
    "site": "og:site_name application-name dc.publisher citation_journal_title",
}
_BY_NAME = {name: (what, n) for what, listed in _METAS.items() for n, name in enumerate(listed.split())}
_LINKED = {
    "author": ("author", "creator"),
    "published": ("datePublished", "dateCreated"),
    "modified": ("dateModified",),
    "licence": ("license",),
    "site": ("publisher",),
}
_DAY = re.compile(
    r"(\d{4})[-/.]?(\d\d)[-/.]?(\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d{1,9})?)? ?(Z|[+-]\d\d:?\d\d)?)?"
)


def about_of(seen: Scan, here: str) -> About:
    """The first that says something wins: JSON-LD, meta elements and OpenGraph, microdata, links and times."""
    said = {what: list(told) for what, told in _of_metas(seen.metas).items()}
    if seen.json_ld:
        data = linked_data(seen.json_ld)
        for what, names in _LINKED.items():
            first = [text for name in names if (text := _text_of(what, data.get(name)))]
            said[what] = [*said.get(what, ()), *first] if what == "site" else [*first, *said.get(what, ())]
    if isinstance(seen, MicrodataScan) and seen.said:
        for what, names in _LINKED.items():
            said.setdefault(what, []).extend(seen.said[name] for name in names if name in seen.said)
    for what, link in seen.said_by.items():
        text = (
            resolve(here, link.href)
            if what == "license"
            else seen.text[seen.offsets[link.start] : seen.offsets[link.end]]
        )
        said.setdefault("licence" if what == "license" else what, []).append(text[: 2 * _LONGEST])
    if seen.time:
        said.setdefault("published", []).append(seen.time)
    if not said and not seen.licence:
        return _NOTHING
    return About(
        author=_first(map(_name, said.get("author", ())))[:_LONGEST],
        published=_first(map(date_of, said.get("published", ()))),
        modified=_first(map(date_of, said.get("modified", ()))),
        site=_first(shown(text[:_LONGEST]) for text in said.get("site", ())),
        licence=_licence(_first((resolve(here, seen.licence), *said.get("licence", ()))), here),
    )


_NOTHING = About()


def _of_metas(metas: Mapping[str, str]) -> dict[str, list[str]]:
    """What is said of what, the better names first."""
    found: dict[str, list[tuple[int, str]]] = {}
    for name, text in metas.items():
        if name in _BY_NAME and text:
            what, place = _BY_NAME[name]
            found.setdefault(what, []).append((place, text))
    return {what: [text for _, text in sorted(told)] for what, told in found.items()}


def _text_of(what: str, value: Any) -> str:
    return _people(value) if what in ("author", "site") else _link(value)


def date_of(text: str) -> str:
    """A date as ISO 8601 has it, with its time if it says one; "" for what is none.

    >>> date_of("2024-02-30"), date_of("2024-02-03T10:00:00.123Z"), date_of("20240203"), date_of("yesterday")
    ('', '2024-02-03T10:00:00+00:00', '2024-02-03', '')
    >>> date_of("Sat, 03 Feb 2024 10:00:00 +0100"), date_of("2024/02/03 11:30")
    ('2024-02-03T10:00:00+01:00', '2024-02-03T11:30:00')
    """
    text = text[:100].strip()
    match = _DAY.match(text)
    try:
        if match is None:
            return parsedate_to_datetime(text).isoformat() if "," in text[:12] or text[:1].isdigit() else ""
        year, month, day, hour, minute, second, zone = match.groups()
        if hour is None:
            return datetime(int(year), int(month), int(day)).date().isoformat()
        zone = "+00:00" if zone == "Z" else zone or ""
        return datetime.fromisoformat(f"{year}-{month}-{day}T{hour}:{minute}:{second or '00'}{zone}").isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""


def linked_data(scripts: Iterable[str]) -> dict[str, Any]:
    """What JSON-LD says of the page: the properties of the first thing that is an article or a page.

    >>> linked_data(['{"@graph": [{"@type": "Person"}, {"@type": "NewsArticle", "author": "Ada"}]}'])["author"]
    'Ada'
    """
    found: list[tuple[int, dict[str, Any]]] = []
    for script in scripts:
        if len(script) > _SCRIPT:
            continue
        try:
            tree = json.loads(script.strip().removesuffix(";"), strict=False)
        except (ValueError, RecursionError):
            continue
        found += [(_nearness(node), node) for node in islice(_nodes(tree), _NODES)]
    best = sorted((f for f in found if f[0] < len(_PAGES)), key=lambda f: f[0])
    said: dict[str, Any] = {}
    for _, node in best[:3]:  # an article, then the page that it is on
        for name, value in node.items():
            said.setdefault(name, value)
    return said


def _nearness(node: Mapping[str, Any]) -> int:
    kinds = node.get("@type")
    names = [str(kind).rpartition("/")[2] for kind in (kinds if isinstance(kinds, list) else [kinds])[:_AUTHORS]]
    return min((n for n, end in enumerate(_PAGES) for name in names if name.endswith(end)), default=len(_PAGES))


def _nodes(tree: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
    if isinstance(tree, list) and depth < _DEEPEST:
        for one in tree:
            yield from _nodes(one, depth + 1)
    elif isinstance(tree, dict):
        yield tree
        for name in ("@graph", "mainEntity", "mainEntityOfPage"):
            if depth < _DEEPEST and isinstance(tree.get(name), dict | list):
                yield from _nodes(tree[name], depth + 1)


def _people(value: Any) -> str:
    names = [_named(one) for one in (value if isinstance(value, list) else [value])[:_AUTHORS]]
    return ", ".join(dict.fromkeys(filter(None, names)))


def _named(value: Any) -> str:
    if isinstance(value, dict):
        value = value.get("name") or ""
        value = value[0] if isinstance(value, list) and value else value
    return _name(value) if isinstance(value, str) else ""


def _name(text: str) -> str:
    """Of a person; a URL is none.

    >>> _name(" By Ada  Lovelace "), _name("https://example.org/ada")
    ('Ada Lovelace', '')
    """
    text = shown(text[:_LONGEST])
    return "" if "://" in text else re.sub(r"^(?:by|von|par|por|di) ", "", text, flags=re.I)


def _link(value: Any) -> str:
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, dict):
        value = value.get("url") or value.get("@id") or value.get("name") or ""
    return value if isinstance(value, str) else ""


def _licence(text: str, here: str) -> str:
    """A URL in full, or what is said in words."""
    text = shown(text[: 4 * _LONGEST])
    is_place = "/" in text and " " not in text
    return (resolve(here, text) or text)[: 2 * _LONGEST] if is_place else text[:_LONGEST]


def _first(texts: Iterable[str]) -> str:
    return next(filter(None, texts), "")
