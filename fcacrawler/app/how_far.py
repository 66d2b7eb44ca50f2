"""How far something is that takes a while, as its user sees it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import monotonic


class HowFar:
    """On standard error: one line that is written over on a terminal, else a line every ten seconds. Of how many is 0
    where nobody knows."""

    def __init__(self, what: str, unit: str, clock: Callable[[], float] = monotonic) -> None:
        self._what, self._unit, self._clock = what, unit, clock
        self._began = self._told = clock()
        self._first: int | None = None

    def __call__(self, done: int, of: int) -> None:
        now = self._clock()
        if self._first is None:
            self._first, self._began = done, now
        live = sys.stderr.isatty()
        if now - self._told < (0.2 if live else 10) and not (done == of and (live or self._told > self._began)):
            return
        self._told, fresh = now, done - self._first
        left = _told((now - self._began) / fresh * (of - done)) if fresh and done < of else ""
        text = f"{self._what}: {done:,}{f' of {of:,}' if of else ''} {self._unit}{left}"
        sys.stderr.write((f"\r\033[K{text}" if live else text) + ("\n" if not live or done == of else ""))
        sys.stderr.flush()


def _told(seconds: float) -> str:
    """
    >>> _told(89.6), _told(100)
    (', about 90 s left', ', about 2 min left')
    """
    return f", about {seconds:.0f} s left" if seconds < 90 else f", about {seconds / 60:.0f} min left"
