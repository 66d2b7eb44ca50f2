"""What takes longer than a page may: our commands as processes of their own, so that neither a crawl nor a search
waits for them. Whoever asks again is told how it went.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from time import monotonic

from fcacrawler.values.errors import FcaError

AT_ONCE = 2
MOST = 50  # answers that are kept …
FRESH = 60.0  # … for so many seconds
PATIENCE = 900.0  # seconds until one is given up


def command(arguments: Sequence[str], patient: bool = False) -> list[str]:
    """Of ours; ``patient``: with little claim to the processor, since nobody waits for it."""
    nice = shutil.which("nice") if patient else None
    return [*([nice, "-n", "10"] if nice else []), sys.executable, "-m", "scrapy", *arguments]


def environment() -> dict[str, str]:
    """Our commands are found wherever they run."""
    path = os.pathsep.join(filter(None, (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", ""))))
    return {**os.environ, "SCRAPY_SETTINGS_MODULE": "fcacrawler.settings", "PYTHONPATH": path}


@dataclass(slots=True)
class _Errand:
    answer: Future[str]
    told: float = inf  # when somebody was first told


@dataclass(slots=True)
class Errands:
    """By what was asked."""

    folder: Path  # where they run
    _threads: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(AT_ONCE, "errand"))
    _known: dict[tuple[str, ...], _Errand] = field(default_factory=dict)

    def ask(self, arguments: Sequence[str], fresh: float = FRESH) -> str | None:
        """What the command says; None while it runs. FcaError with its own words if it fails."""
        key = tuple(arguments)
        errand = self._known.get(key)
        if errand is None or monotonic() - errand.told > fresh:
            for old in list(self._known)[: max(0, len(self._known) - MOST)]:
                del self._known[old]
            errand = self._known[key] = _Errand(self._threads.submit(self._run, key))
        if not errand.answer.done():
            return None
        errand.told = min(errand.told, monotonic())
        return errand.answer.result()

    def _run(self, arguments: Sequence[str]) -> str:
        try:
            done = subprocess.run(
                command(arguments, arguments[0] == "learn"), cwd=self.folder, env=environment(),
                stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            raise FcaError(f"scrapy {arguments[0]}: {error}") from None
        said = done.stdout.decode("utf-8", "replace")
        if not said and done.returncode:
            raise FcaError(done.stderr.decode("utf-8", "replace")[-2000:] or f"scrapy {arguments[0]} ended")
        return said

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
