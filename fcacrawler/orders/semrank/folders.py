"""The folders that a page stands in: those that stand together are often of one kind."""

from __future__ import annotations

from functools import lru_cache
from zlib import crc32

from fcacrawler.lowlevel.numbers import UNKNOWN
from fcacrawler.orders.semrank.groups import LEVELS, ROOM


def folders(url: str) -> list[int]:
    """Numbers of the host, of the first folder, the second and the third; UNKNOWN for those that there are not.

    >>> work, home = folders("http://e.org/~ann/work/x.html"), folders("http://e.org/~ann/")
    >>> work[:2] == home[:2], work[3], home[2:]
    (True, -1, [-1, -1])
    """
    path = url.partition("?")[0]
    return _folders(path[: path.rfind("/", 8) + 1] or path)


@lru_cache(1 << 12)
def _folders(path: str) -> list[int]:
    """Of a path that ends with a slash: what would follow is the page."""
    parts = path.split("/")[2:]
    parts = parts[: max(1, min(len(parts) - 1, LEVELS))]
    here = [crc32("/".join(parts[: k + 1]).encode(errors="replace")) % ROOM for k in range(len(parts))]
    return here + [UNKNOWN] * (LEVELS - len(here))
