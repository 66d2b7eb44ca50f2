"""A text without markup as HTML: paragraphs with their lines, code that is indented, addresses that can be followed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby

_URL = re.compile(r"https?://[^\s<>\"'`]{1,2000}")
_AFTER = ".,;:!?)]}*_"  # at the end of an address it belongs to the sentence
_TITLE = 120  # characters of a line that may be a title
_LINKS = 2000


def html_of_text(text: str, name: str = "") -> str:
    """``name``: a title for a text whose first line is none.

    >>> html_of_text("The title\\n\\nSee http://e.org/a.\\nMore")
    '<title>The title</title><main><p>The title</p><p>See <a href="http://e.org/a">http://e.org/a</a>.<br>More</p></main>'
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n")
    first = next((line.strip("#=* \t") for line in text.split("\n", 50)[:50] if line.strip("#=* \t-")), "")
    title = first if 0 < len(first) <= _TITLE else name
    return page(title, paragraphs(text))


def page(title: str, parts: Iterable[str], head: str = "") -> str:
    return f"<title>{escape(title)}</title>{head}<main>{''.join(parts)}</main>"


def paragraphs(text: str) -> Iterator[str]:
    """Parted by empty lines."""
    links = _LINKS
    for is_said, run in groupby(text.split("\n"), lambda line: bool(line) and not line.isspace()):
        if not is_said:
            continue
        lines = list(run)
        if all(line.startswith(("    ", "\t")) for line in lines):
            yield f"<pre>{escape(chr(10).join(lines))}</pre>"
            continue
        said = [line.strip() for line in lines]
        links -= sum(line.count("://") for line in said)
        yield f"<p>{'<br>'.join(map(linked if links > 0 else escape, said))}</p>"


def linked(line: str) -> str:
    """Addresses in a line as links."""
    pieces, at = [], 0
    for match in _URL.finditer(line):
        url = match[0].rstrip(_AFTER)
        told = escape(url)
        pieces += [escape(line[at : match.start()]), f'<a href="{told}">{told}</a>']
        at = match.start() + len(url)
    return "".join((*pieces, escape(line[at:])))
