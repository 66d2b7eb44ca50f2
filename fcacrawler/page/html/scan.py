"""One pass over a page's markup: a fold over the events of libxml2's HTML tokeniser. No tree is built.

So time and memory are linear in the bytes, whatever they are: nesting has no depth to overflow, and nothing that a page
leaves open can be copied into everything that follows (HTML5's rules for building a tree allow both).

Why so: decision 010.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from itertools import accumulate

from lxml import etree

from fcacrawler.page.html.elements import BLOCK, CLOSEABLE, CLOSED_BY, CODE, ELSE, HEADINGS, KINDS, LINK, ZONES
from fcacrawler.page.html.lines import lines
from fcacrawler.page.html.shapes import ALL_SHAPES, SHAPES, Anchor, Block, Shape, entered, language_of_code
from fcacrawler.page.html.tag_paths import TagPath
from fcacrawler.page.html.zones import CLAIMED, SOUNDS_SO, names, zone_of

_TO_HEADINGS = names("¶ # § 🔗 \uf0c1")  # all that a link to the heading it stands in says
_SAYING = names("author license")  # what a link may say of its page
_SCRIPTS, _SCRIPT = 20, 200_000  # of JSON-LD that are kept, and characters of one
_TRANSLATIONS = 400


class Enough(Exception):
    """The page has cost as much as a page may cost."""


class Scan:
    """All that one pass over a page has gathered: the target of an lxml parser."""

    def __init__(self, most_elements: int, most_anchors: int) -> None:
        self.stream: list[str] = []  # all text that is shown, in order; a line's end between blocks
        self.text = ""  # all of it, …
        self.offsets: Sequence[int] = ()  # … and where in it each of these pieces begins
        self.plain = True  # whether all characters of the blocks may be shown
        self.data: Callable[[str], None] = self.stream.append  # called by the parser for every piece of text
        self.blocks: list[Block] = []
        self.anchors: list[Anchor] = []
        self.language = self.base = self.canonical = self.title = self.licence = self.time = ""
        self.said_by: dict[str, Anchor] = {}  # the first link that names its page's author, licence
        self.metas: dict[str, str] = {}
        self.json_ld: list[str] = []
        self.translations: list[tuple[str, str]] = []  # languages and where the page is in them, as its head says
        self.codes: list[tuple[int, int]] = []  # stretches of the stream that are code in a line of text
        self.truncated = self.cut = False
        self._elements = most_elements  # that may still come
        self._anchors = most_anchors
        self._depth = 0
        self._begun = 0  # where in the stream the block begins
        self._code = -1  # and the code in it that is open
        self._linked = 0  # characters of the block in links that are closed
        self._tag = ""  # that opened the block
        self._anchor: Anchor | None = None  # the link that is open
        self._silent = ""  # the element whose text is not shown
        self._is_data = False  # … is JSON-LD
        self._shapes = SHAPES  # that are looked for
        self._shape: Shape | None = None  # the innermost that is open
        self._highlight = ""  # the language of the code that comes next
        self._nested = self._silent_from = 0
        self._zone = self._zone_depth = 0
        self._around: list[tuple[int, int]] = []  # zones outside the present one, with their depths
        self._main_depth = self._articles = 0
        self._path = TagPath()
        self._opened = self._path.open.append

    # -- what the parser calls ----------------------------------------------------------------------------------

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._elements -= 1
        if self._elements < 0:
            raise Enough
        kind = KINDS.get(tag)
        if kind is None:
            return
        if kind == BLOCK:
            if self._silent and tag in CLOSED_BY and self._silent in CLOSEABLE:
                self._hush()
            if len(self.stream) != self._begun:
                self._cut()
            self._depth += 1
            self._opened((tag, attributes))
            self._tag = tag
            if tag in self._shapes:
                self._shape = shape = entered(self._shape, tag, self._depth, attributes)
                if tag == "pre" and self._highlight and shape is not None:
                    shape.language, self._highlight = shape.language or self._highlight, ""
            if attributes or tag in ZONES:
                self._enter(tag, attributes)
        elif kind == LINK:
            if "href" in attributes:
                self._open(attributes)
        elif kind == ELSE:
            self._special(tag, attributes)
        elif kind == CODE:
            self._code = self._here()
            if self._shape is not None and self._shape.tag == "pre":
                self._shape.language = self._shape.language or language_of_code(attributes.get("class") or "")
        elif not self._silent:
            self._silent, self._nested, self._silent_from = tag, 1, len(self.stream)
            self._is_data = tag == "script" and "ld+json" in (attributes.get("type") or "")
        elif tag == self._silent:
            self._nested += 1

    def end(self, tag: str) -> None:
        kind = KINDS.get(tag)
        if kind == BLOCK:
            if len(self.stream) != self._begun:
                self._cut()
            self._tag = ""
            depth = self._depth
            self._depth = depth - 1
            self._path.close()
            if depth <= self._zone_depth:
                self._zone, self._zone_depth = self._around.pop()
            if depth <= self._main_depth:
                self._main_depth = 0
            shape = self._shape
            if shape is not None and depth <= shape.depth:
                self._shape = shape.outer
        elif kind == LINK:
            if self._anchor is not None:
                self._close()
        elif kind == CODE:
            if not self._silent and self._begun <= self._code < len(self.stream):
                self.codes.append((self._code, len(self.stream)))
            self._code = -1
        elif tag == self._silent:
            self._nested -= 1
            if not self._nested:
                self._hush()

    def close(self) -> Scan:
        if self._silent:
            self._hush()
        if len(self.stream) != self._begun:
            self._cut()
        if self._anchor is not None:
            self._close()
        return self

    def laid_out(self) -> Scan:
        """When all is read: the text as a whole, and its blocks' lines."""
        self.text = "".join(self.stream)
        self.offsets = at = array("q", accumulate(map(len, self.stream), initial=0))
        found, self.plain = lines(self.text, [at[b.start] for b in self.blocks], [at[b.end] for b in self.blocks])
        for block, line in zip(self.blocks, found, strict=True):
            block.text, block.size = line, len(line)
        self.stream.clear()  # to which the parser holds as well
        return self

    # -- text and links -----------------------------------------------------------------------------------------

    def _cut(self) -> None:
        """A block ends here."""
        if self._silent:
            return
        stream, begun = self.stream, self._begun
        if not (stream[-1].isspace() and (len(stream) == begun + 1 or "".join(stream[begun:]).isspace())):
            if self._anchor is not None and self._tag != "p":  # a paragraph inside a link is text that can be clicked
                self._count()
            main, heading = self._main_depth > 0, self._tag in HEADINGS
            self.blocks.append(
                Block(begun, len(stream), self._linked, self._tag, main, self._zone, heading, self._shape)
            )
            stream.append("\n")
        self._begun = len(stream)
        self._linked = 0

    def _open(self, attributes: Mapping[str, str]) -> None:
        if self._anchor is not None:
            self._close()
        if len(self.anchors) >= self._anchors:
            self.truncated = True
            return
        if self.anchors and self.anchors[-1].end == len(self.stream):
            self.stream.append(" ")  # <a>one</a><a>two</a> are two words
        here = self._here()
        title = attributes.get("title") or attributes.get("aria-label") or ""
        rel = attributes.get("rel") or ""
        self._anchor = Anchor(
            attributes["href"],
            rel,
            title,
            here,
            here,
            path=self._path.of_link(attributes, self._zone),
            language=attributes.get("hreflang") or "",
        )
        self.anchors.append(self._anchor)
        if rel:
            for said in _SAYING.intersection(rel.lower().split()):
                self.said_by.setdefault(said, self._anchor)

    def _close(self) -> None:
        self._count()
        self._anchor = None

    def _count(self) -> None:
        """Text since the block or the link began is link text."""
        anchor = self._anchor
        if anchor is not None:
            anchor.end = end = self._here()
            begin = max(anchor.start, self._begun)
            said = "".join(self.stream[begin:end]).strip()
            if said in _TO_HEADINGS and anchor.href.startswith("#"):
                self.stream[begin:end] = [""] * (end - begin)
            else:
                self._linked += len(said)

    def _here(self) -> int:
        """Where in the stream of what is shown."""
        return self._silent_from if self._silent else len(self.stream)

    def _hush(self) -> None:
        """The element whose text is not shown ends: drop what it held, but a title is a title."""
        if self._silent == "title" and not self.title:
            self.title = "".join(self.stream[self._silent_from :])
        elif self._is_data and len(self.json_ld) < _SCRIPTS:
            self.json_ld.append("".join(self.stream[self._silent_from :])[: _SCRIPT + 1])
        del self.stream[self._silent_from :]
        self._silent = ""

    # -- what surrounds the text --------------------------------------------------------------------------------

    def _enter(self, tag: str, attributes: Mapping[str, str]) -> None:
        """A block-level element opens: is what it holds boilerplate, or the main part?"""
        if tag == "html":
            self.language = self.language or attributes.get("lang") or attributes.get("xml:lang") or ""
        elif tag == "main" or attributes.get("role") == "main":
            self._main_depth = self._main_depth or self._depth
            self._leave()
        elif tag == "article":
            self._articles += 1
            if self._zone == SOUNDS_SO:
                self._leave()
        elif self._zone < CLAIMED and tag != "body":
            if tag == "div" and (classes := attributes.get("class")) and classes.startswith("highlight-"):
                self._highlight = language_of_code(classes)
            zone = zone_of(tag, attributes, heading=self._main_depth > 0 or self._articles > 0)
            if zone > self._zone:
                self._around.append((self._zone, self._zone_depth))
                self._zone, self._zone_depth = zone, self._depth

    def _leave(self) -> None:
        """What is inside is no boilerplate, whatever it is inside of."""
        self._zone = self._zone_depth = 0
        self._around.clear()

    def _special(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "meta":
            name = attributes.get("name") or attributes.get("property") or attributes.get("http-equiv") or ""
            self.metas.setdefault(name.strip().lower(), attributes.get("content") or "")
        elif tag == "base":
            self.base = self.base or attributes.get("href") or ""
        elif tag == "link":
            rel = (attributes.get("rel") or "").lower()
            if not self.canonical and "canonical" in rel.split():
                self.canonical = attributes.get("href") or ""
            elif (said := attributes.get("hreflang")) and "alternate" in rel.split():
                if len(self.translations) < _TRANSLATIONS:
                    self.translations.append((said, attributes.get("href") or ""))
            elif not self.licence and "license" in rel.split():
                self.licence = attributes.get("href") or ""
        elif tag == "time":
            if not self.time and not self._zone and (self._articles or self._main_depth):
                self.time = attributes.get("datetime") or ""
        elif tag == "img":
            if self._anchor is not None and not self._anchor.alt:
                self._anchor.alt = attributes.get("alt") or attributes.get("title") or ""
        else:
            href = attributes.get("href") or attributes.get("src")
            if href and len(self.anchors) < self._anchors:
                here = self._here()
                words = attributes.get("alt") or attributes.get("title") or ""
                self.anchors.append(Anchor(href, attributes.get("rel") or "", words, here, here))


def scan(text: str, most_elements: int, most_anchors: int, kind: type[Scan] = Scan, shapes: bool = False) -> Scan:
    """Read markup; what is over the bounds is left out and told by ``truncated``. ``kind``: what looks for more;
    ``shapes``: lists, rows and quotations are told too."""
    target = kind(most_elements, most_anchors)
    if shapes:
        target._shapes = ALL_SHAPES
    parser = etree.HTMLParser(target=target, encoding="utf-8", huge_tree=True)
    try:
        parser.feed(text.encode("utf-8", "replace"))
        parser.close()
    except Enough:
        target.truncated = target.cut = True
    except etree.LxmlError:  # nothing in it that could be read
        pass
    seen = copy(target.close().laid_out())
    target.__dict__.clear()  # a parser and its target hold each other: what has been read shall go without them
    return seen
