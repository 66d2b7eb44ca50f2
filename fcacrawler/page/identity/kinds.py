"""What URLs have in common that differ in numbers, or that one programme answers."""

from __future__ import annotations

import re

_NUMBERED = re.compile(r"[^/?&=;._~-]*\d[^/?&=;._~-]*")  # a word with a digit in it


def shape(url: str) -> str:
    """A URL without its numbers.

    >>> shape("http://a1.test/calendar/2026/11?day=7b"), shape("http://a1.test/")
    ('http://a1.test/calendar/#/#?day=#', 'http://a1.test/')
    """
    start = url.find("/", 8) + 1 or len(url)
    return url[:start] + _NUMBERED.sub("#", url[start:])


def kind(url: str) -> str:
    """What URLs have in common that one programme answers: host, folder without numbers, and names of parameters.

    >>> kind("http://a.test/session/9f3c/page?id=7&sort=up")
    'http://a.test/session/#/?id&sort'
    """
    path, _, query = shape(url).partition("?")
    return f"{path.rpartition('/')[0]}/?{'&'.join(p.partition('=')[0] for p in query.split('&'))}"
