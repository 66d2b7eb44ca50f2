"""Which pages of a site need a browser: learned page by page, for each host and shape of path."""

from __future__ import annotations

import json
import os
import re
from collections import OrderedDict
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

MOST = 5_000  # shapes that are remembered: those met last; some 2 MB
ENOUGH = 3  # pages of a shape for which the browser was of no use, until it is asked no more
VAIN = 5  # pages of a host that could not be shown, until no other of it is tried that is not known to need it
_FOLDERS = 3  # of a path that tell shapes apart
_NUMBER = re.compile(r"\d+")


def shape_of(url: str) -> str:
    """Host and path of a URL, less what differs from page to page.

    >>> shape_of("https://a.example/app/2024/the-race?id=7&tab=2"), shape_of("https://a.example/item-12.html")
    ('a.example/app/0/*?id&tab', 'a.example/*.html')
    >>> shape_of("https://a.example/"), shape_of("https://a.example")
    ('a.example/', 'a.example/')
    """
    parts = urlsplit(url)
    *folders, last = parts.path.lstrip("/").split("/")
    ending = os.path.splitext(last)[1] if last else ""
    path = [_NUMBER.sub("0", f) for f in folders[:_FOLDERS]] + [f"*{ending}" if last else ""]
    names = sorted({name for name, _ in parse_qsl(parts.query[:1000], keep_blank_values=True)})
    return f"{parts.netloc}/{'/'.join(path)}{'?' if names else ''}{'&'.join(names)}"[:500]


class Learned:
    """For each shape: how many of its pages were shown by the browser, and how many needed it. The same for a host, of
    those that needed it or could not be shown."""

    def __init__(self, path: Path | None = None, most: int = MOST) -> None:
        """``path``: where it is kept; what is kept there is taken up."""
        self._path = path
        self._most = most
        self._shapes: OrderedDict[str, tuple[int, int]] = OrderedDict()
        if path is not None and path.exists():
            self._shapes.update(_read(path))

    def needs(self, url: str) -> bool | None:
        """Do pages such as this one need a browser? None: not known, the page itself is to be looked at."""
        known = self._says(shape_of(url))
        vain, needed = self._shapes.get(urlsplit(url).netloc, (0, 0))
        return False if known is None and vain >= VAIN and not needed else known

    def _says(self, shape: str) -> bool | None:
        shown, needed = self._shapes.get(shape, (0, 0))
        if needed * 2 > shown:
            return True
        return False if shown >= ENOUGH and not needed else None

    def note(self, url: str, needed: bool) -> None:
        """The browser has shown this page, which needed it or did not."""
        self._count(shape_of(url), needed)
        if needed:
            self._count(urlsplit(url).netloc, True)

    def failed(self, url: str) -> None:
        """The browser could not show this page."""
        self._count(shape_of(url), False)
        self._count(urlsplit(url).netloc, False)

    def _count(self, shape: str, needed: bool) -> None:
        before, (shown, gained) = self._says(shape), self._shapes.pop(shape, (0, 0))
        self._shapes[shape] = shown + 1, gained + needed
        if len(self._shapes) > self._most:
            self._shapes.popitem(last=False)
        if self._path is not None and self._says(shape) != before:
            self._write(self._path)

    def _write(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(".new")
        new.write_text(json.dumps(self._shapes, ensure_ascii=False, indent=0), "utf-8")
        new.replace(path)


def _read(path: Path) -> dict[str, tuple[int, int]]:
    """What was written; nothing of a file that is out of order, for it is soon learned anew."""
    try:
        found = json.loads(path.read_text("utf-8"))
        return {str(shape): (int(shown), int(needed)) for shape, (shown, needed) in found.items()}
    except (ValueError, TypeError, AttributeError):
        return {}
