"""One pass over a page's markup: a fold over the events of libxml2's HTML tokeniser. No tree is built.

So cost and memory are linear in the bytes whatever they are: nesting has no depth to overflow, and nothing that a
page leaves open can be copied into everything that follows (HTML5 tree building can be made quadratic by both).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from lxml import etree


def _names(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_BLOCKS = _names("""
    address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure
    footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre search
    section summary table tbody td tfoot th thead tr ul""")
_SILENT = _names("""
    script style template svg math select button textarea iframe object applet canvas audio video datalist noembed
    noframes noscript""")
_ENDS_SILENCE = _names("p div h1 h2 h3 table ul ol section article main footer header nav aside body")
_UNCLOSED = _names("svg math select button canvas audio video object applet noscript template")
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_ZONES = frozenset(("nav", "footer", "aside", "menu", "dialog", "search"))
_ROLES = _names("navigation complementary contentinfo banner search menu menubar dialog alertdialog toolbar")
_HINT = re.compile(
    r"(?:^|[\s_-])(?:nav(?:igation|bar)?|menu|side-?bar|footer|foot|breadcrumbs?|cookies?|consent|gdpr|banner|promo(?:ted)?|"
    r"sponsor(?:ed)?|advert\w*|ads?|share|sharing|social|related|recommend\w*|newsletter|subscribe|subscription|popup|"
    r"modal|comments?|disqus|pagination|pager|toolbar|widget|skip|login|masthead|toc|print-?footer|catlinks|copyright|"
    r"legal|noprint|outbrain|taboola|tags)(?:$|[\s_-])",
    re.I,
)


class Enough(Exception):
    """The page has cost as much as a page may cost."""


@dataclass(slots=True)
class Block:
    """A run of text between two block-level tags."""

    start: int  # its text is Scan.stream[start:end]
    end: int = 0
    size: int = 0  # characters, runs of white space at the ends of text nodes left out
    linked: int = 0  # of these, how many stand in links
    heading: bool = False
    main: bool = False  # inside <main>
    zone: int = 0  # 0: none; 1: its class or id sounds like boilerplate; 2: its element or role says so


@dataclass(slots=True)
class Anchor:
    """A link as it was met."""

    href: str
    rel: str
    title: str
    start: int  # offsets in the text stream
    end: int = -1
    zone: int = 0
    alt: str = ""


@dataclass(slots=True)
class Scan:
    """All that one pass over a page has gathered: the target of an lxml parser."""

    most_elements: int
    most_anchors: int
    stream: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    anchors: list[Anchor] = field(default_factory=list)
    language: str = ""
    base: str = ""
    canonical: str = ""
    title: str = ""
    metas: dict[str, str] = field(default_factory=dict)
    truncated: bool = False

    _at: int = 0  # characters in the stream
    _depth: int = 0
    _elements: int = 0
    _block: Block = field(default_factory=lambda: Block(0))
    _anchor: Anchor | None = None
    _silent: str = ""  # the element whose text is not shown
    _silent_depth: int = 0
    _zone: int = 0
    _zone_depth: int = 0
    _main_depth: int = 0
    _in_title: bool = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._depth += 1
        self._elements += 1
        if self._elements > self.most_elements:
            raise Enough
        if self._silent and tag in _ENDS_SILENCE and self._silent in _UNCLOSED:
            self._silent = ""
        if tag == "a":
            href = attributes.get("href")
            if href is not None:
                self._open(href, attributes)
        elif tag in _BLOCKS:
            self._cut()
            if tag in _HEADINGS:
                self._block.heading = True
            self._enter(tag, attributes)
        elif tag in _SILENT:
            if not self._silent:
                self._silent, self._silent_depth = tag, self._depth
        elif tag == "img":
            if self._anchor is not None and not self._anchor.alt:
                self._anchor.alt = attributes.get("alt") or attributes.get("title") or ""
        elif tag in _SPECIAL:
            self._special(tag, attributes)

    def end(self, tag: str) -> None:
        depth = self._depth
        self._depth = depth - 1
        if tag == "a":
            if self._anchor is not None:
                self._anchor.end = self._at
                self._anchor = None
        elif tag in _BLOCKS:
            self._cut()
            if self._zone and depth <= self._zone_depth:
                self._zone = self._block.zone = 0
            if self._main_depth and depth <= self._main_depth:
                self._main_depth = 0
                self._block.main = False
        elif tag == self._silent and depth <= self._silent_depth:
            self._silent = ""
        elif tag == "title":
            self._in_title = False

    def data(self, text: str) -> None:
        if self._silent:
            return
        if self._in_title:
            self.title += text
            return
        self.stream.append(text)
        self._at += len(text)
        size = len(text.strip())
        self._block.size += size
        if self._anchor is not None:
            self._block.linked += size

    def close(self) -> Scan:
        self._cut()
        if self._anchor is not None:
            self._anchor.end = self._at
        return self

    def _cut(self) -> None:
        """A block ends here."""
        if self._block.size:
            self._block.end = len(self.stream)
            self.blocks.append(self._block)
            self._block = Block(self._block.end + 1, zone=self._zone, main=bool(self._main_depth))
            self.stream.append("\n")
            self._at += 1

    def _open(self, href: str, attributes: Mapping[str, str]) -> None:
        if self._anchor is not None:
            self._anchor.end = self._at
            self._anchor = None
        if len(self.anchors) >= self.most_anchors:
            self.truncated = True
            return
        title = attributes.get("title") or attributes.get("aria-label") or ""
        self._anchor = Anchor(href, attributes.get("rel") or "", title, self._at, zone=self._zone)
        self.anchors.append(self._anchor)

    def _enter(self, tag: str, attributes: Mapping[str, str]) -> None:
        """A block-level element opens: is what it holds boilerplate, or the main part?"""
        if tag == "html":
            self.language = self.language or attributes.get("lang") or attributes.get("xml:lang") or ""
        elif tag == "main" or (attributes and attributes.get("role") == "main"):
            self._main_depth = self._main_depth or self._depth
            self._block.main = True
            self._zone = self._block.zone = 0
        elif tag == "article" and self._zone == 1:
            self._zone = self._block.zone = 0
        elif self._zone < 2:
            zone = _zone(tag, attributes)
            if zone > self._zone:
                self._zone, self._zone_depth = zone, self._depth
                self._block.zone = zone

    def _special(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "title":
            self._in_title = not self.title and not self._silent
        elif tag == "meta":
            name = attributes.get("name") or attributes.get("property") or attributes.get("http-equiv") or ""
            self.metas.setdefault(name.strip().lower(), attributes.get("content") or "")
        elif tag == "base":
            self.base = self.base or attributes.get("href") or ""
        elif tag == "link":
            if not self.canonical and "canonical" in (attributes.get("rel") or "").lower().split():
                self.canonical = attributes.get("href") or ""
        else:  # area, frame
            href = attributes.get("href") or attributes.get("src")
            if href and len(self.anchors) < self.most_anchors:
                words = attributes.get("alt") or attributes.get("title") or ""
                rel = attributes.get("rel") or ""
                self.anchors.append(Anchor(href, rel, words, self._at, self._at, self._zone))


_SPECIAL = frozenset(("title", "meta", "base", "link", "area", "frame"))


def _zone(tag: str, attributes: Mapping[str, str]) -> int:
    if tag in _ZONES:
        return 2
    if not attributes or tag in ("html", "body"):
        return 0
    if attributes.get("role") in _ROLES or "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return 2
    return _hinted(attributes.get("class") or "", attributes.get("id") or "")


@lru_cache(maxsize=4096)
def _hinted(classes: str, name: str) -> int:
    return 1 if _HINT.search(classes[:200]) or _HINT.search(name[:100]) else 0


def scan(text: str, most_elements: int, most_anchors: int) -> Scan:
    """Read markup; what is over the bounds is left out and told by ``truncated``."""
    target = Scan(most_elements, most_anchors)
    parser = etree.HTMLParser(target=target, encoding="utf-8", huge_tree=True)
    try:
        parser.feed(text.encode("utf-8", "replace"))
        parser.close()
    except Enough:
        target.truncated = True
    except etree.LxmlError:  # nothing in it that could be read
        pass
    target.close()
    return target
