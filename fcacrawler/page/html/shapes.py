"""What the scan of a page gathers: blocks of text, links, and the lists, tables and code that blocks stand in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

SHAPES = frozenset(("table", "pre"))  # without which a text cannot be told from what surrounds it
ALL_SHAPES = frozenset((*SHAPES, "ul", "ol", "li", "tr", "td", "th", "blockquote"))  # that Markdown can tell
DEEPEST = 24  # elements inside one another; what is deeper counts as part of the last


@dataclass(slots=True, eq=False)
class Shape:
    """An element that says how its text is laid out."""

    tag: str
    depth: int  # at which it was opened
    outer: Shape | None
    level: int  # how many are around it
    table: Shape | None = None  # the innermost that it is, or stands in
    code: Shape | None = None  # likewise
    number: int = 0  # of an item, a row, a cell: its place among its kind
    held: int = 0  # items, rows or cells in it
    language: str = ""  # of code, if it is told

    def nearest(self, *tags: str) -> Shape | None:
        """The innermost element of these kinds: this one, or around it."""
        shape: Shape | None = self
        while shape is not None and shape.tag not in tags:
            shape = shape.outer
        return shape


@dataclass(slots=True, eq=False)
class Block:
    """A run of text between two block-level tags."""

    start: int  # it is Scan.stream[start:end] …
    end: int
    linked: int  # how many of its characters stand in links
    tag: str  # that opened it; "" where it goes on after an inner element
    main: bool  # inside <main>
    zone: int  # 0: none; 1: a class or id around it sounds like boilerplate; 2: an element or role around it says so
    heading: bool
    shape: Shape | None = None  # the list, table or code that it stands in
    text: str = ""  # … on one line
    size: int = 0  # characters


@dataclass(slots=True)
class Anchor:
    """A link as it was met."""

    href: str
    rel: str
    title: str
    start: int  # its text is Scan.stream[start:end]
    end: int
    alt: str = ""
    path: str = ""  # see ``TagPath``
    language: str = ""  # hreflang


_HOLDERS = {"li": ("ul", "ol"), "tr": ("table",), "td": ("tr",), "th": ("tr",)}


def entered(outer: Shape | None, tag: str, depth: int, attributes: Mapping[str, str]) -> Shape | None:
    """The innermost shape, now that this element has been opened."""
    if outer is None:
        shape = Shape(tag, depth, None, 0)
    elif outer.level >= DEEPEST:
        return outer
    else:
        shape = Shape(tag, depth, outer, outer.level + 1, outer.table, outer.code)
        holder = outer.nearest(*_HOLDERS[tag]) if tag in _HOLDERS else None
        if holder is not None:
            holder.held += 1
            shape.number = holder.held
    if tag == "table":
        shape.table = shape
    elif tag == "ol":
        start = attributes.get("start") or ""
        shape.held = int(start) - 1 if start.isdecimal() and len(start) < 10 else 0
    elif tag == "pre":
        shape.code = shape.code or shape
        shape.language = language_of_code(attributes.get("class") or "")
    return shape


_NO_LANGUAGES = frozenset(("default", "none", "text", "plaintext", "plain"))


def language_of_code(classes: str) -> str:
    """As highlighters name it.

    >>> language_of_code("highlight language-python"), language_of_code("lang-c++"), language_of_code("wide")
    ('python', 'c++', '')
    """
    for name in classes[:200].split():
        for prefix in ("language-", "lang-", "highlight-source-", "highlight-"):
            said = name.removeprefix(prefix)
            if said != name and said not in _NO_LANGUAGES and said.replace("+", "").replace("-", "").isalnum():
                return said
    return ""
