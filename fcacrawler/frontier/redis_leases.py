"""What a worker in Redis holds: leases fetched ahead, and those handed out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from fcacrawler.frontier import Entry

Free = Callable[[str], bool]
Lease = tuple[Entry, int]  # and the generation of its record


class Leases:
    """``ready`` are not yet handed out. From hosts in ``refused`` this worker in particular cannot fetch now."""

    def __init__(self) -> None:
        self.ready: deque[Lease] = deque()
        self.refused: set[str] = set()
        self._out: dict[bytes, Lease] = {}

    def __len__(self) -> int:
        return len(self.ready) + len(self._out)

    def keys(self) -> Iterator[bytes]:
        yield from self._out
        yield from (entry.candidate.key for entry, _ in self.ready)

    def pick(self, free: Free, floor: float) -> Entry | None:
        """The first that may be fetched is handed out."""
        for lease in self.ready:
            entry = lease[0]
            if entry.rank > floor and free(entry.candidate.host):
                self.ready.remove(lease)
                self._out[entry.candidate.key] = lease
                return entry
        return None

    def refuse(self, free: Free, ahead: int) -> Iterator[Lease]:
        """Those whose hosts are not free here are to be given back, but for a few that will be needed soon."""
        for lease in tuple(self.ready):
            host = lease[0].candidate.host
            if not free(host):
                self.refused.add(host)
                if len(self.ready) >= ahead:
                    self.ready.remove(lease)
                    yield lease

    def still_refused(self, free: Free) -> bool:
        """Is none of the refused hosts free again? Those that are, are refused no more."""
        still = {host for host in self.refused if not free(host)}
        same, self.refused = still == self.refused, still
        return same

    def take(self, key: bytes) -> Lease | None:
        """It is over."""
        return self._out.pop(key, None)
