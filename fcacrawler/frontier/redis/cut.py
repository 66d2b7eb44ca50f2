"""How a crawl in Redis is cut into parts: which hosts belong to which, and what their keys are called.

A node of a Redis Cluster has the keys of some of 16,384 slots; the slot is the CRC of what is in braces. Part p of S is
given a name whose slot is in the p-th of S stretches of slots, as nodes have them where nobody has moved any.
"""

from __future__ import annotations

from binascii import crc_hqx
from itertools import count
from zlib import crc32

SLOTS = 16_384


def slot_of(name: str) -> int:
    """The slot of keys with this in braces.

    >>> slot_of("123456789") == 0x31C3 % SLOTS  # the example in Redis Cluster's specification
    True
    """
    return crc_hqx(name.encode("utf-8", "surrogatepass"), 0) % SLOTS


def names_of(crawl: str, parts: int, cut: int = 0) -> list[str]:
    """Of a crawl's parts. ``cut``: how often it has been cut anew; names are others each time.

    >>> names_of("tea", 1)
    ['tea']
    >>> [(name, slot_of(name) * 4 // SLOTS) for name in names_of("tea", 4)]
    [('tea/0-0', 0), ('tea/1-2', 1), ('tea/2-0', 2), ('tea/3-2', 3)]
    >>> names_of("tea", 2, cut=1)
    ['tea/0.1-2', 'tea/1.1-2']
    """
    if parts == 1:
        return [crawl]
    again = f".{cut}" if cut else ""
    every = (((f"{crawl}/{part}{again}-{n}" for n in count())) for part in range(parts))
    return [next(name for name in some if slot_of(name) * parts // SLOTS == part) for part, some in enumerate(every)]


def part_of(name: str, parts: int) -> int:
    """Of a host, or of a site where sites have a budget."""
    return crc32(name.encode("utf-8", "surrogatepass")) % parts
