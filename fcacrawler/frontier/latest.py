"""A set that forgets what came first."""

from __future__ import annotations

from itertools import islice


class Latest:
    """The ``n`` keys that were added last; twice as many at most whenever ``forget`` has been called."""

    def __init__(self, n: int) -> None:
        self._n = n
        self._keys: dict[bytes, None] = {}

    def __contains__(self, key: bytes) -> bool:
        return key in self._keys

    def add(self, key: bytes) -> None:
        self._keys[key] = None

    def forget(self) -> None:
        """Only when it is asked to: what somebody has just looked up must not be gone before it is used."""
        if len(self._keys) > 2 * self._n:
            for old in list(islice(self._keys, self._n)):
                del self._keys[old]

    def discard(self, key: bytes) -> None:
        self._keys.pop(key, None)
