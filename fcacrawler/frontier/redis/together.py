"""What a frontier that many workers share has none of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fcacrawler.frontier import Entry, Frontier


class Together:
    """Part of a ``Frontier``: see there."""

    keeps_items = False
    shared = True

    def keep(self, key: bytes, item: str) -> None:
        """Items are in the workers' feeds."""

    def again(self, ranks: Sequence[tuple[bytes, float]]) -> list[bytes]:
        return []

    def taken(self) -> Mapping[str, int]:
        """What all workers have taken of a host is counted where they share it."""
        return {}

    def __iter__(self: Frontier) -> Iterator[Entry]:
        return iter(self.top(2**31))
