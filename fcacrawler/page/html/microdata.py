"""Microdata of an article, gathered in the one pass over its markup. Only pages that have such data are read so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fcacrawler.page.html.scan import Scan

MENTIONED = "itemprop"
WANTED = frozenset(("author", "creator", "datePublished", "dateCreated", "dateModified", "license", "name"))
PROPERTIES, OPEN, LONGEST = 200, 50, 300  # that are kept; that are open at a time; characters of one
_ARTICLE = ("Article", "Posting", "Page", "Report", "Book", "CreativeWork", "Course", "Recipe", "Dataset", "Thesis")
_PERSON = ("author", "creator")


@dataclass(slots=True)
class _Property:
    name: str
    level: int  # how many elements were open
    start: int  # its text is Scan.stream[start:]
    given: str  # by an attribute, which says more than the text


class MicrodataScan(Scan):
    """A scan that keeps what an article says of itself in microdata: the first of each kind."""

    def __init__(self, most_elements: int, most_anchors: int) -> None:
        super().__init__(most_elements, most_anchors)
        self.said: dict[str, str] = {}
        self._level = 0
        self._read = PROPERTIES
        self._properties: list[_Property] = []
        self._scopes: list[tuple[int, str]] = []  # level, and what the item is: "article", a property of one, or ""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._level += 1
        super().start(tag, attributes)
        if attributes and ("itemprop" in attributes or "itemscope" in attributes):
            self._property(attributes)

    def end(self, tag: str) -> None:
        properties = self._properties
        while properties and properties[-1].level >= self._level:
            self._keep(properties.pop())
        while self._scopes and self._scopes[-1][0] >= self._level:
            self._scopes.pop()
        self._level -= 1
        super().end(tag)

    def _property(self, attributes: Mapping[str, str]) -> None:
        inside = self._scopes[-1][1] if self._scopes else ""
        names = (attributes.get("itemprop") or "")[:LONGEST].split()
        name = next((name for name in names if name in WANTED), "")
        ours = inside == "article" or (inside in _PERSON and name == "name")
        if name and ours and self._read and len(self._properties) < OPEN:
            self._read -= 1
            given = next((said for a in ("content", "datetime", "href") if (said := attributes.get(a))), "")
            self._properties.append(_Property(inside if name == "name" else name, self._level, self._here(), given))
        if "itemscope" in attributes and len(self._scopes) < OPEN:
            kinds = (attributes.get("itemtype") or "")[:LONGEST].split()
            article = any(kind.rpartition("/")[2].endswith(_ARTICLE) for kind in kinds)
            person = name if inside == "article" and name in _PERSON else ""
            self._scopes.append((self._level, "article" if article else person))

    def _keep(self, found: _Property) -> None:
        if found.name == "article" or (found.name in self.said and found.name not in _PERSON):
            return  # the article's own name is its title
        text = found.given
        if not text:
            pieces = self.stream[found.start : found.start + LONGEST]
            text = "".join(pieces)[:LONGEST]
        if text.strip():
            self.said.setdefault(found.name, text)
