"""Pages 2, 3 … of a list, which may be without end."""

from __future__ import annotations

import re
from collections import OrderedDict

from fcacrawler.values.pages import SeenPage

REMEMBERED = 20_000  # series
MOST = 65_535  # parts of one that are counted
_DIGITS = re.compile("[0-9]+")


class Series:
    """Pages of one title whose URLs differ in digits only are of one series; how many have come is counted."""

    def __init__(self) -> None:
        self._pages: OrderedDict[int, int] = OrderedDict()  # by hash of the title and of the URL without digits

    def part(self, page: SeenPage) -> int:
        """Which page of its series this one is, that has come now: 1, 2, 3 …"""
        if not page.title:
            return 1
        series = hash((page.title, _DIGITS.sub("", page.url)))
        self._pages[series] = part = min(self._pages.pop(series, 0) + 1, MOST)
        if len(self._pages) > REMEMBERED:
            self._pages.popitem(last=False)
        return part
