"""Near-duplicates: pages whose texts differ in little have fingerprints that differ in few bits.

*Charikar 2002; Manku, Jain & Das Sarma 2007*: each piece of a text (here: 16 bytes, about three words) votes with its
hash on each of 64 bits. So no words need be told apart, and Chinese costs what English costs.

Why so: decisions 098 and 423.
"""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from fcacrawler.lowlevel.compiled import compiled
from fcacrawler.page.identity.shelf import Shelf
from fcacrawler.values.pages import Page, SeenPage

Bytes = NDArray[np.uint8]
Hashes = NDArray[np.uint64]
_MOST = 16_384  # bytes of a text that are looked at
_SHORT = 200  # characters; shorter texts are duplicates only if they are equal
_FOR_A_LINK = 60  # characters that a page has for each of its links, or it lists links
_A, _B, _C = (np.uint64(odd) for odd in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9))
_0, _1, _8, _29, _32, _56, _62, _255, _ONES = (np.uint64(n) for n in (0, 1, 8, 29, 32, 56, 62, 255, 0x0101010101010101))
NEAREST = 5  # so many bits may differ
PAGES = 50  # of one text, where each lists other links
LISTED = 12  # … of the links that are listed: about one of six is another


def simhash(text: str) -> int:
    """A fingerprint of 64 bits, the same in every process; 0 for a text too short to have one.

    >>> a, b = (simhash(" ".join(f"word{i * i}" for i in range(n))) for n in (200, 202))
    >>> a != b, (a ^ b).bit_count() < 8
    (True, True)
    """
    data = text[:_MOST].lower().encode("utf-8", "replace")[:_MOST]
    return int(_majority(np.frombuffer(data, np.uint8))) if len(data) > 15 else 0


def listing(page: Page | SeenPage) -> int:
    """A fingerprint of the links in the main part of a page that has more than one for 60 characters, by what stands
    last in their URLs, so that those of a mirror are the same; 0 for other pages. Links to itself with other
    parameters, its filters and sortings, do not count."""
    here = page.url.partition("?")[0]
    shown = (link.url for link in page.links if not link.path.startswith("~") and link.url.partition("?")[0] != here)
    names = {url.rstrip("/").rpartition("/")[2] for url in shown}
    if _FOR_A_LINK * len(names) <= len(page.text):
        return 0
    hashed = b"".join(blake2b(name.encode(errors="replace"), digest_size=8).digest() for name in names)
    votes = np.unpackbits(np.frombuffer(hashed, np.uint8).reshape(-1, 8), axis=1).sum(0)
    return int.from_bytes(np.packbits(2 * votes > len(names)).tobytes())


@compiled
def _count(few: Hashes, votes: NDArray[np.int64]) -> None:
    for k in range(64):
        votes[k] += np.int64(few[k % 8] >> np.uint64(k - k % 8) & _255)
    few[:] = 0


@compiled
def _majority(data: Bytes) -> np.uint64:
    """The bits that most of the pieces have."""
    mixed = np.empty(data.size - 7, np.uint64)  # 8 bytes each, overlapping
    word = np.uint64(0)
    for i in range(data.size):
        word = word >> _8 | np.uint64(data[i]) << _56
        if i > 6:
            mixed[i - 7] = word * _A ^ (word * _A) >> _29
    pieces = 0
    for i in range(mixed.size - 8):
        h = (mixed[i] * _B + mixed[i + 8]) * _C
        mixed[pieces] = h
        pieces += h >> _62 == _0  # a quarter of them, chosen by what they say and not by where they stand
    votes, few = np.zeros(64, np.int64), np.zeros(8, np.uint64)  # each byte of these counts up to 255
    for i in range(pieces):
        h = (mixed[i] ^ mixed[i] >> _29) * _A
        h ^= h >> _32
        for k in range(8):
            few[k] += h >> np.uint64(k) & _ONES
        if i % 255 == 254:
            _count(few, votes)
    _count(few, votes)
    majority = _0
    for k in range(64):
        if 2 * votes[k] > pieces:
            majority |= _1 << np.uint64(k)
    return majority


class NearDuplicates:
    """The pages seen last, by fingerprint; of bounded size, the oldest is forgotten first.

    A look at all of 100,000 costs 0.15 ms. They take 2.4 MB from the beginning, and 20 bytes a page for its URL.
    """

    def __init__(self, distance: int = NEAREST, most: int = 100_000) -> None:
        """``distance``: bits in which near-duplicates may differ; ``most``: pages remembered."""
        if not 0 <= distance <= 64:
            raise ValueError(f"distance must lie between 0 and 64, not {distance}")
        if most < 1:
            raise ValueError(f"most must be at least 1, not {most}")
        self._distance = distance
        self._texts = np.full(most, 0, np.int64)  # hashes of content hashes
        self._prints = np.full(most, 0, np.uint64)  # fingerprints; 0: too short to resemble anything
        self._listed = np.full(most, 0, np.uint64)  # … of links; 0: it does not list them
        self._urls = Shelf(most)

    def __len__(self) -> int:
        return min(len(self._urls), len(self._texts))

    def add(self, url: str, page: Page | SeenPage) -> str | None:
        """The URL of an earlier page with (nearly) the same text; None if there is none: then this one is remembered.

        Of pages that list links fifty may say the same, if they list others: a list has so many pages, a trap has
        more. A page is no duplicate of itself, and a page without text of none.
        """
        if not page.content_hash:
            return None
        text, fingerprint = hash(page.content_hash), np.uint64(page.simhash if len(page.text) >= _SHORT else 0)
        listed, prints = np.uint64(listing(page)), self._prints[: len(self)]
        equal = self._first(self._unless_a_list(self._texts[: len(self)] == text, listed))
        if equal is not None:
            return equal if equal != url else None
        if fingerprint:
            same = (np.bitwise_count(prints ^ fingerprint) <= self._distance) & (prints != 0)
            near = self._first(self._unless_a_list(same, listed))
            if near is not None and near != url:
                return near
        self._remember(url, text, fingerprint, listed)
        return None

    def _unless_a_list(self, same: NDArray[np.bool_], listed: np.uint64) -> NDArray[np.bool_]:
        """Of those with the same text those with the same links; all, if they are many."""
        if np.count_nonzero(same) >= PAGES:
            return same
        return np.asarray(same & (np.bitwise_count(self._listed[: len(self)] ^ listed) <= LISTED))

    def _first(self, found: NDArray[np.bool_]) -> str | None:
        """The URL of one of those found; the same one for the same pages."""
        at = int(found.argmax()) if len(found) else 0
        if not len(found) or not found[at]:
            return None
        last = len(self._urls) - 1
        return self._urls[last - (last - at) % len(self._texts)]

    def _remember(self, url: str, text: int, fingerprint: np.uint64, listed: np.uint64) -> None:
        at = len(self._urls) % len(self._texts)
        self._texts[at], self._prints[at], self._listed[at] = text, fingerprint, listed
        self._urls.add(url)
