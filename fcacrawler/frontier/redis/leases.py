"""What a worker in Redis holds: leases fetched ahead, and those handed out."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence

from fcacrawler.frontier import Entry
from fcacrawler.frontier.redis.records import Told, load_link
from fcacrawler.values.errors import BadRecord

logger = logging.getLogger(__name__)

Free = Callable[[str], bool]


def leases_of(answer: Sequence[bytes], bad: Callable[[bytes], object]) -> Iterator[Told]:
    """What lease.lua, list_best.lua or list_dead.lua answered; ``bad`` hears of a key whose record is not ours."""
    for key, record, more in zip(answer[::3], answer[1::3], answer[2::3], strict=True):
        try:
            yield load_link(key, record, more)
        except BadRecord as e:
            logger.error("a link in Redis is left out: %s", e)
            bad(key)


class Leases:
    """``ready`` are not yet handed out. From hosts in ``refused`` this worker in particular cannot fetch now."""

    def __init__(self) -> None:
        self.ready: deque[Told] = deque()
        self.refused: set[str] = set()
        self._out: dict[bytes, Told] = {}

    def __len__(self) -> int:
        return len(self.ready) + len(self._out)

    def keys(self) -> Iterator[bytes]:
        yield from self._out
        yield from (lease.entry.candidate.key for lease in self.ready)

    def pick(self, free: Free, floor: float) -> Entry | None:
        """The first that may be fetched is handed out."""
        for lease in self.ready:
            entry = lease.entry
            if entry.rank > floor and free(entry.candidate.host):
                self.ready.remove(lease)
                self._out[entry.candidate.key] = lease
                return entry
        return None

    def overtaken(self, free: Free, news: Iterable[Entry]) -> bool:
        """Is any of these to leave before those that are ready?"""
        next_one = next((lease.entry for lease in self.ready if free(lease.entry.candidate.host)), None)
        return next_one is not None and any(e.rank > next_one.rank and free(e.candidate.host) for e in news)

    def give_up(self) -> Sequence[Told]:
        """Those that are ready, to be given back."""
        given, self.ready = self.ready, deque()
        return given

    def refuse(self, free: Free, ahead: int) -> Iterator[Told]:
        """Those whose hosts are not free here are to be given back, but for a few that will be needed soon."""
        for lease in tuple(self.ready):
            host = lease.entry.candidate.host
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

    def take(self, key: bytes) -> Told | None:
        """It is over."""
        return self._out.pop(key, None)
