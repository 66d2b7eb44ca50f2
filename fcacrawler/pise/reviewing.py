"""Being asked about the pages whose marks would teach most: ``scrapy review --json`` as a process for each crawl, held
as long as somebody answers."""

from __future__ import annotations

import json
import subprocess
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from threading import Condition, Thread
from typing import Any

from fcacrawler.pise.errands import command, environment
from fcacrawler.values.errors import BadOptions

HELD = 3  # reviews at once: each holds a crawl in memory
PATIENCE = 20.0  # seconds until an answer to a mark must have come
SAYS = ("good", "bad", "skip", "undo")


class Reviewer:
    """One crawl's. ``now``: what it said last."""

    def __init__(self, folder: Path) -> None:
        self.now: dict[str, Any] = {}
        self.problem = ""
        self._lines = 0
        self._came = Condition()
        self._process = subprocess.Popen(
            command(["review", str(folder), "--json"]), env=environment(), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder,
        )  # fmt: skip
        Thread(target=self._read, daemon=True, name="review").start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        for line in self._process.stdout:
            with self._came:
                self.now, self._lines = json.loads(line), self._lines + 1
                self._came.notify_all()
        told = self._process.stderr.read().decode("utf-8", "replace")
        with self._came:
            self.problem = (told[-500:] if self._process.wait() else "") or "it has ended"
            self._came.notify_all()

    @property
    def ready(self) -> bool:
        return "replayed" not in self.now and bool(self.now)

    def say(self, word: str) -> None:
        """Of the page that was proposed; the next one is there when this returns, or nearly."""
        if word not in SAYS:
            raise BadOptions([f"{word[:20]!r} cannot be said: {', '.join(SAYS)}"])
        if not self.ready or self.problem or self._process.stdin is None:
            raise BadOptions(["nothing is asked yet: wait until a page is shown"])
        with self._came:
            seen = self._lines
            try:
                self._process.stdin.write(json.dumps({"mark": word}).encode() + b"\n")
                self._process.stdin.flush()
            except OSError:
                raise BadOptions(["the review has ended: begin it again"]) from None
            self._came.wait_for(lambda: self._lines > seen or bool(self.problem), PATIENCE)

    def close(self) -> None:
        """It keeps what is thought now, and ends."""
        if self._process.stdin is not None:
            self._process.stdin.close()


@dataclass(slots=True)
class Reviews:
    """By the crawl's folder; the one that was not asked for longest goes."""

    _held: OrderedDict[Path, Reviewer] = field(default_factory=OrderedDict)

    def of(self, folder: Path) -> Reviewer:
        found = self._held.pop(folder, None)
        if found is None or found.problem:
            while len(self._held) >= HELD:
                self._held.popitem(last=False)[1].close()
            found = Reviewer(folder)
        self._held[folder] = found
        return found

    def held(self, folder: Path) -> Reviewer | None:
        return self._held.get(folder)

    def end(self, folder: Path) -> None:
        if (found := self._held.pop(folder, None)) is not None:
            found.close()

    def close(self) -> None:
        for found in self._held.values():
            found.close()
