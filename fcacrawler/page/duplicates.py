"""Near-duplicates: pages whose texts differ in little have fingerprints that differ in few bits.

*Charikar 2002; Manku, Jain & Das Sarma 2007*: each piece of a text (here: 16 bytes, about three words) votes with its
hash on each of 64 bits. So no words need be told apart, and Chinese costs what English costs.
"""

from __future__ import annotations

from collections import deque
from itertools import accumulate, pairwise

import numpy as np

from fcacrawler.items import Page, SeenPage

_MOST = 16_384  # bytes of a text that are looked at
_SHORT = 200  # characters; shorter texts are duplicates only if they are equal
_A, _B, _C = (np.uint64(odd) for odd in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9))
_BANDS = tuple(pairwise(accumulate((0, 11, 11, 11, 11, 10, 10))))  # bit ranges
NEAREST = len(_BANDS) - 1  # so many bits may differ, and one band at least is equal all the same


def simhash(text: str) -> int:
    """A fingerprint of 64 bits, the same in every process; 0 for a text too short to have one.

    >>> a, b = (simhash(" ".join(f"word{i * i}" for i in range(n))) for n in (200, 202))
    >>> a != b, (a ^ b).bit_count() < 8
    (True, True)
    """
    data = text.lower().encode("utf-8", "replace")[:_MOST]
    count = len(data) - 15
    if count < 1:
        return 0
    words = np.ndarray(shape=(count + 8,), dtype="<u8", buffer=data, strides=(1,))  # 8 bytes each, overlapping
    h = words * _A
    h ^= h >> np.uint64(29)
    h = (h[:-8] * _B + h[8:]) * _C
    h = h[h >> np.uint64(62) == 0]  # a quarter of them, chosen by what they say and not by where they stand
    h ^= h >> np.uint64(29)
    h *= _A
    h ^= h >> np.uint64(32)
    bits = np.unpackbits(h.view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
    majority = 2 * bits.sum(axis=0, dtype=np.int32) > len(h)
    return int.from_bytes(np.packbits(majority, bitorder="little").tobytes(), "little")


class NearDuplicates:
    """The pages seen last, by fingerprint; of bounded size, the oldest is forgotten first."""

    def __init__(self, distance: int = NEAREST, most: int = 100_000) -> None:
        """``distance``: bits in which near-duplicates may differ; ``most``: pages remembered (about 0.4 kB each)."""
        if not 0 <= distance <= NEAREST:
            raise ValueError(f"distance must lie between 0 and {NEAREST}, not {distance}")
        if most < 1:
            raise ValueError(f"most must be at least 1, not {most}")
        self._distance = distance
        self._most = most
        self._pages: dict[str, tuple[int, str]] = {}  # content hash → fingerprint (0: short), URL
        self._bands: tuple[dict[int, deque[tuple[int, str]]], ...] = tuple({} for _ in _BANDS)

    def __len__(self) -> int:
        return len(self._pages)

    def add(self, url: str, page: Page | SeenPage) -> str | None:
        """The URL of an earlier page with (nearly) the same text; None if there is none: then this one is remembered.

        A page is no duplicate of itself, and a page without text of none.
        """
        if not page.content_hash:
            return None
        equal = self._pages.get(page.content_hash)
        if equal is not None:
            return equal[1] if equal[1] != url else None
        entry = (page.simhash if len(page.text) >= _SHORT else 0, url)
        if entry[0]:
            near = self._near(entry[0])
            if near is not None and near != url:
                return near
        self._remember(page.content_hash, entry)
        return None

    def _near(self, fingerprint: int) -> str | None:
        for band, value in zip(self._bands, _parts(fingerprint), strict=True):
            for other, url in band.get(value, ()):
                if (other ^ fingerprint).bit_count() <= self._distance:
                    return url
        return None

    def _remember(self, name: str, entry: tuple[int, str]) -> None:
        self._pages[name] = entry
        if entry[0]:
            for band, value in zip(self._bands, _parts(entry[0]), strict=True):
                band.setdefault(value, deque()).append(entry)
        if len(self._pages) > self._most:
            self._forget(self._pages.pop(next(iter(self._pages))))

    def _forget(self, oldest: tuple[int, str]) -> None:
        """The oldest page is the first in each of its bands."""
        if oldest[0]:
            for band, value in zip(self._bands, _parts(oldest[0]), strict=True):
                band[value].popleft()
                if not band[value]:
                    del band[value]


def _parts(fingerprint: int) -> list[int]:
    return [fingerprint >> low & (1 << high - low) - 1 for low, high in _BANDS]
