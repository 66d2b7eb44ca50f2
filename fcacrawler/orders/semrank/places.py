"""The tag paths that links stand at, as groups: of their kind, alike on all hosts, alike on this host, on this page."""

from __future__ import annotations

from functools import lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from fcacrawler.lowlevel.numbers import UNKNOWN
from fcacrawler.orders.semrank.groups import LEVELS, ROOM

Ints = NDArray[np.int64]
KINDS = 1 << 8


@lru_cache(1 << 12)
def code(path: str) -> int:
    """A number of a tag path: its hash, and that of its kind, which is the element that the link stands in, in
    boilerplate or not. UNKNOWN for none.

    >>> [code(p) // ROOM for p in ("a/li/ul", "a.x/li/ol", "~a/li/ul")]
    [82, 82, 31]
    """
    if not path:
        return UNKNOWN
    kind = path[:1] + path.partition("/")[2].partition("/")[0].partition(".")[0].partition("#")[0]
    return crc32(kind.encode()) % KINDS * ROOM + crc32(path.encode()) % ROOM


def groups(codes: Ints, hosts: Ints, pages: Ints) -> NDArray[np.int32]:
    """A row for each link: its kind, its path, that on its host, that on its page."""
    path = codes % ROOM
    mixed = path * 40_503
    found = np.stack([codes // ROOM * 257 + 1, path, mixed + hosts * 30_011 + 2, mixed + pages * 50_021 + 3], 1) % ROOM
    found[codes == UNKNOWN] = UNKNOWN
    found[pages == UNKNOWN, LEVELS - 1] = UNKNOWN
    return found.astype(np.int32)
