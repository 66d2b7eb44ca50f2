"""Near-duplicates: pages whose texts differ in little have fingerprints that differ in few bits.

*Charikar 2002; Manku, Jain & Das Sarma 2007*: every shingle of three words casts a vote on each of 64 bits.
"""

from __future__ import annotations

import re
from collections import deque
from zlib import crc32

import numpy as np

from fcacrawler.items import Page, SeenPage

_TOKEN = re.compile(r"[^\W_]+")
_MOST = 4096  # words that a fingerprint is made from
_FEW = 24  # pages with fewer words are duplicates only if they are equal
_BANDS = 4


class _Hashes(dict[str, int]):
    """A word's hash, the same in every process."""

    def __missing__(self, word: str) -> int:
        if len(self) > 200_000:
            self.clear()
        value = self[word] = crc32(word.encode("utf-8", "replace"))
        return value


_HASHES = _Hashes()


def simhash(text: str) -> int:
    """A fingerprint of 64 bits; 0 for a text without words."""
    words = _TOKEN.findall(text[: 8 * _MOST].lower())[:_MOST]
    if not words:
        return 0
    h = np.fromiter(map(_HASHES.__getitem__, words), np.uint64, len(words))
    a, b = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
    if len(h) >= 3:
        h = h[:-2] * a + h[1:-1] * b + h[2:] * np.uint64(0x165667B19E3779F9)
    h = (h ^ (h >> np.uint64(29))) * a
    h = (h ^ (h >> np.uint64(32))) * b
    h ^= h >> np.uint64(31)
    bits = np.unpackbits(h.view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
    votes = 2 * bits.sum(0, dtype=np.int64) > len(h)
    return int.from_bytes(np.packbits(votes, bitorder="little").tobytes(), "little")


class NearDuplicates:
    """The pages seen last, by fingerprint: bounded, the oldest are forgotten."""

    def __init__(self, distance: int = 3, most: int = 200_000) -> None:
        """``distance``: bits in which near-duplicates may differ, at most 3; ``most``: pages remembered."""
        if not 0 <= distance < _BANDS:
            raise ValueError(f"distance must lie between 0 and {_BANDS - 1}, not {distance}")
        self._distance = distance
        self._most = most
        self._pages: dict[str, tuple[str, int]] = {}  # content hash → URL, fingerprint
        self._bands: tuple[dict[int, deque[str]], ...] = tuple({} for _ in range(_BANDS))

    def __len__(self) -> int:
        return len(self._pages)

    def add(self, url: str, page: Page | SeenPage) -> str | None:
        """The URL of an earlier page with (nearly) the same text, or None: then this page is remembered."""
        if not page.content_hash:
            return None
        same = self._pages.get(page.content_hash)
        if same is not None:
            return same[0] if same[0] != url else None
        long = page.text.count(" ") + page.text.count("\n") >= _FEW
        if long:
            near = self._near(page.simhash)
            if near is not None and near != url:
                return near
        self._pages[page.content_hash] = (url, page.simhash if long else 0)
        if long:
            for band, value in zip(self._bands, _parts(page.simhash), strict=True):
                band.setdefault(value, deque()).append(page.content_hash)
        if len(self._pages) > self._most:
            self._forget()
        return None

    def _near(self, fingerprint: int) -> str | None:
        for band, value in zip(self._bands, _parts(fingerprint), strict=True):
            for name in band.get(value, ()):
                url, other = self._pages[name]
                if (other ^ fingerprint).bit_count() <= self._distance:
                    return url
        return None

    def _forget(self) -> None:
        name = next(iter(self._pages))
        _, fingerprint = self._pages.pop(name)
        for band, value in zip(self._bands, _parts(fingerprint), strict=True):
            names = band.get(value)
            if names and names[0] == name:
                names.popleft()
                if not names:
                    del band[value]


def _parts(fingerprint: int) -> tuple[int, ...]:
    return tuple(fingerprint >> 16 * i & 0xFFFF for i in range(_BANDS))
