"""Variants of a page: filtered, sorted, to be printed, with a session's number; and the page itself says so.

A shop's listing with five filters has thousands of variants, each with a text of its own and links to the next ones.
Their ``rel=canonical`` tells what they are. It is believed only where it can hardly be a mistake: if it differs from
the page's URL by nothing but parameters that it has not.
"""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

from fcacrawler.lowlevel.numbers import Numbers


class Variants:
    """The pages seen last: so many at least, twice as many at most.

    >>> variants, shoes = Variants(), "http://shop.test/shoes"
    >>> variants.add(shoes, shoes), variants.add(shoes + "?colour=red&size=9", shoes), variants.add(shoes + "?p=2", "")
    (None, 'http://shop.test/shoes', None)
    """

    def __init__(self, most: int = 20_000) -> None:
        self._most = most
        self._seen, self._before = Numbers(), Numbers()

    def add(self, url: str, canonical: str) -> str | None:
        """The URL of an earlier page that this one is a variant of; None if there is none: then it is remembered."""
        if (canonical in self._seen or canonical in self._before) and is_variant(url, canonical):
            return canonical
        self._seen.add(url)
        if len(self._seen) >= self._most:
            self._seen, self._before = Numbers(), self._seen
        return None


def is_variant(url: str, canonical: str) -> bool:
    """Whether a URL is that of its canonical page with parameters added.

    >>> is_variant("http://a.test/x?q=1&s=2", "http://a.test/x?q=1"), is_variant("http://a.test/x", "http://a.test/")
    (True, False)
    """
    here, there = urlsplit(url), urlsplit(canonical)
    if here[:3] != there[:3]:
        return False
    more, fewer = (parse_qsl(parts.query, keep_blank_values=True) for parts in (here, there))
    return len(fewer) < len(more) and all(pair in more for pair in fewer)
