"""A feed (RSS, Atom) as HTML: a list of links, with what it says of each. Entities of its own are not expanded, and
nothing outside it is looked at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape, unescape

from lxml import etree

from fcacrawler.page.documents.plain import page

ENTRIES = 1000
_SUMMARY, _TITLE = 1000, 300  # characters kept
_ENTRY = ("item", "entry")
_TAG = re.compile(r"<[^<>]{0,2000}>")


def html_of_feed(body: bytes) -> str:
    """What is broken is read as far as it goes.

    >>> html_of_feed(b"<rss><channel><title>News</title><item><title>One</title><link>/1</link></item></channel></rss>")
    '<title>News</title><main><h1>News</h1><ul><li><a href="/1">One</a> </li></ul></main>'
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True, huge_tree=False)
    try:
        root = etree.fromstring(body, parser)
    except (etree.LxmlError, ValueError):
        root = None
    if root is None:
        return page("", ())
    title = _plain(_child(root, "title") or next((_child(e, "title") for e in _named(root, "channel")), ""))[:_TITLE]
    entries = "".join(map(_entry, _named(root, *_ENTRY)))
    return page(title, (f"<h1>{escape(title)}</h1>" * bool(title), f"<ul>{entries}</ul>"))


def _named(root: etree._Element, *names: str) -> Iterator[etree._Element]:
    found = 0
    for element in root.iter():
        if isinstance(element.tag, str) and element.tag.rpartition("}")[2] in names:
            yield element
            found += 1
            if found >= ENTRIES:
                return


def _entry(entry: etree._Element) -> str:
    title = _plain(_child(entry, "title"))[:_TITLE]
    summary = _plain(_child(entry, "description") or _child(entry, "summary") or _child(entry, "content"))[:_SUMMARY]
    return f'<li><a href="{escape(_link(entry))}">{escape(title)}</a> {escape(summary)}</li>'


def _link(entry: etree._Element) -> str:
    """Of Atom the alternate one, of RSS what stands in it."""
    for child in entry:
        if isinstance(child.tag, str) and child.tag.rpartition("}")[2] == "link":
            href = child.get("href") or (child.text or "").strip()
            if href and child.get("rel", "alternate") == "alternate":
                return str(href)
    return ""


def _child(element: etree._Element, name: str) -> str:
    for child in element:
        if isinstance(child.tag, str) and child.tag.rpartition("}")[2] == name:
            return "".join(child.itertext())[: 20 * _SUMMARY]
    return ""


def _plain(text: str) -> str:
    """Without the markup that many a feed has in its texts."""
    return " ".join(unescape(_TAG.sub(" ", text)).split())
