"""Where in a page's layout a link stands: the elements around it, as a path.

Links of one path are a menu, a list, a breadcrumb trail; what they lead to is often of one kind.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from fcacrawler.page.html.zones import names

MOST = 6  # elements of a path
LONGEST = 24  # characters of a name
_UNNAMED = names("a h1 h2 h3 h4 h5 h6 section dt p li td tr")  # whose ids name one thing, which comes once
_NUMBER = re.compile("[0-9]{2,}")


class TagPath:
    """The block-level elements that are open, each with its first class, or else its id. A path holds the innermost
    six that have a name or stand nearest to the link, which is in front: ``a/li/ul.menu``, and a ``~`` before what is
    in boilerplate."""

    def __init__(self) -> None:
        self.open: list[tuple[str, Mapping[str, str]]] = []
        """Each with its attributes, the innermost last; more are appended."""
        self._paths: list[str] = []  # of the outermost of them

    def close(self) -> None:
        """The innermost element ends."""
        if self.open:
            del self.open[-1]
            if len(self._paths) > len(self.open):
                del self._paths[-1]

    def of_link(self, attributes: Mapping[str, str], zone: int) -> str:
        """Of a link that begins here."""
        paths = self._paths
        for tag, held in self.open[len(paths) :]:
            paths.append(_inside(paths[-1] if paths else "", _element(tag, held)))
        return f"{'~' * (zone > 0)}{_element('a', attributes)}{paths[-1] if paths else ''}"


def _element(tag: str, attributes: Mapping[str, str]) -> str:
    return _named(tag, attributes.get("class") or "", attributes.get("id") or "") if attributes else tag


@lru_cache(1 << 12)
def _named(tag: str, classes: str, name: str) -> str:
    """
    >>> _named("ul", "menu wide", "x"), _named("div", "", "post-1234"), _named("section", "", "how-to-begin")
    ('ul.menu', 'div#post-9', 'section')
    """
    first = classes[: 4 * LONGEST].split(maxsplit=1)[:1]
    if first:
        return f"{tag}.{_NUMBER.sub('9', first[0][:LONGEST])}"
    return tag if not name or tag in _UNNAMED else f"{tag}#{_NUMBER.sub('9', name[:LONGEST])}"


@lru_cache(1 << 12)
def _inside(path: str, element: str) -> str:
    """The path of an element in an element with that path.

    >>> _inside("/ul/div.menu/div/body/html", "li")
    '/li/ul/div.menu/div/body/html'
    """
    return "/" + "/".join([element, *path[1:].split("/")][:MOST]).strip("/")
