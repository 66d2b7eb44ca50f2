"""Crawls of hostile sites: the real command in a process of its own, with the project's own settings."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from time import monotonic
from typing import Any

RUN = Path(__file__).with_name("run.py")
ROOT = RUN.parents[2]
LONGEST = 300  # seconds
QUICK = {
    "FEEDS": {"items.jsonl": {"format": "jsonlines"}, "items.csv": {"format": "csv", "fields": ["url", "title"]}},
    "DOWNLOAD_DELAY": 0,
    "AUTOTHROTTLE_ENABLED": False,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
    "DOWNLOAD_TIMEOUT": 5,
    "RETRY_ENABLED": False,
    "FCA_PROGRESS": "live",
}


@dataclass
class Crawled:
    items: list[dict[str, Any]]
    stats: dict[str, Any]
    dropped: dict[str, int]
    megabytes: float
    cpu: float
    seconds: float
    log: str  # all that was written to the terminal
    folder: Path

    def item(self, path: str) -> dict[str, Any] | None:
        """Of the page that was asked for."""
        return next((i for i in self.items if i["url"].endswith(path)), None)

    def count(self, stat: str) -> int:
        return int(self.stats.get(stat, 0))


def crawl(
    folder: Path,
    seeds: Iterable[str],
    settings: Mapping[str, Any] | None = None,
    names: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
    **arguments: str,
) -> Crawled:
    """Its standard error is a terminal."""
    told = {
        "settings": {**QUICK, **(settings or {})},
        "arguments": {"topic": "auto racing", "seeds": ",".join(seeds), **arguments},
        "names": names or {},
    }
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = fcacrawler.settings\n")
    started = monotonic()
    ours, terminal = pty.openpty()
    with subprocess.Popen(
        [sys.executable, str(RUN), "out.json", json.dumps(told)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "200", **(environment or {})},
        stdout=terminal,
        stderr=terminal,
    ) as process:
        os.close(terminal)
        timer = Timer(LONGEST, process.kill)
        timer.start()
        log = b"".join(_read(ours)).decode("utf-8", "backslashreplace")
    timer.cancel()
    assert process.returncode == 0, log
    lines = (folder / "items.jsonl").read_text("utf-8").split("\n")
    items = [json.loads(line) for line in lines if line]
    return Crawled(
        items, **json.loads((folder / "out.json").read_text()), seconds=monotonic() - started, log=log, folder=folder
    )


def _read(terminal: int) -> Iterator[bytes]:
    """What is written to it, until nobody holds it any more."""
    try:
        while piece := os.read(terminal, 1 << 16):
            yield piece
    except OSError:  # so Linux says that the other side is closed
        pass
    finally:
        os.close(terminal)
