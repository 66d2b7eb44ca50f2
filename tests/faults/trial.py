"""Crawls as processes, something that happens to them, and what is missing afterwards by the server's own log."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

from fcacrawler.frontier.sqlite.salvage import Items
from fcacrawler.frontier.sqlite.store import NAME
from tests.faults.web import Web

ROOT = Path(__file__).parents[2]
SETTINGS: dict[str, Any] = {
    "FCA_TUNNEL": 10**6,
    "FCA_PATIENCE": 0,
    "FCA_PRIVATE": 1,
    "FCA_JS": "never",
    "FCA_PROGRESS": "off",
    "FCA_BACKOFF": 1,
    "FCA_LEASE": 5,
    "DOWNLOAD_DELAY": 0.02,
    "AUTOTHROTTLE_ENABLED": 0,
    "DOWNLOAD_TIMEOUT": 5,
    "DNSCACHE_ENABLED": 0,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
    "TWISTED_REACTOR_ENABLED": 1,
    "LOG_LEVEL": "WARNING",
}


@dataclass
class Trial:
    """``before``: what a command begins with, where it runs in a network of its own."""

    web: Web
    folder: Path
    before: Sequence[str] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    exits: list[int] = field(default_factory=list)
    feeds: list[Path] = field(default_factory=list)
    logs: list[Path] = field(default_factory=list)

    def start(self, env: Mapping[str, str] | None = None, **more: Any) -> subprocess.Popen[bytes]:
        """A crawl, or a worker of one."""
        number = len(self.logs)
        self.feeds.append(self.home / f"{number}.jsonl")
        self.logs.append(self.folder / f"{number}.log")
        command = [*self.before, sys.executable, "-m", "scrapy", "crawl", "semrank", "-a", "topic=auto racing"]
        command += ["-a", f"seeds={self.web.url(0)}", "-a", "order=bfs", "-o", str(self.feeds[-1])]
        for name, value in {**SETTINGS, "JOBDIR": self.job, **self.settings}.items():
            command += ["-s", f"{name}={value}"]
        with self.logs[-1].open("wb") as log:
            return subprocess.Popen(
                command, cwd=ROOT, stderr=log, stdout=log, env={**os.environ, **(env or {})}, **more
            )

    @property
    def home(self) -> Path:
        """Where the crawl writes."""
        return self.folder / "out"

    @property
    def job(self) -> Path:
        return self.home / "job"

    def ended(self, process: subprocess.Popen[bytes], seconds: float = 240) -> int:
        try:
            self.exits.append(process.wait(seconds))
        finally:
            process.kill()
        return self.exits[-1]

    def run(self, **more: Any) -> int:
        return self.ended(self.start(**more))

    def when(self, pages: int) -> Event:
        """Set when so many have been answered."""
        reached = Event()
        before = self.web.on_page

        def on_page(n: int) -> None:
            before(n)
            if n >= pages:
                reached.set()

        self.web.on_page = on_page
        return reached

    @property
    def at_work(self) -> bool:
        """Whether each run has written an item: none is still starting."""
        return all(feed.exists() and feed.stat().st_size for feed in self.feeds)

    # -- what came of it

    @property
    def pages_lost(self) -> int:
        """That were never asked for."""
        return len(self.web.urls - set(self.web.answered))

    def in_feeds(self) -> list[set[str]]:
        """URLs by feed; what a kill has torn is no line."""
        return [{url for url in lines if url} for lines in self._lines()]

    @property
    def lines_twice(self) -> int:
        """In one feed."""
        return sum(len(lines) - len(set(lines)) for lines in self._lines())

    def _lines(self) -> list[list[str]]:
        texts = [feed.read_text("utf-8", "replace") if feed.exists() else "" for feed in self.feeds]
        return [[_url(line) for line in text.splitlines()] for text in texts]

    def exported(self) -> set[str]:
        return {json.loads(item)["url"] for item in Items(self.job)} if (self.job / NAME).exists() else set()

    @property
    def items_lost(self) -> int:
        """Of pages that were answered: in no feed and no export."""
        return len(set(self.web.answered).difference(*self.in_feeds()) - self.exported())

    @property
    def said(self) -> list[str]:
        """What the runs have said, once each."""
        lines = [line for log in self.logs for line in log.read_text("utf-8", "replace").splitlines()]
        told = [
            line.partition("] ")[2].partition(": ")[2] for line in lines if "] WARNING: " in line or "] ERROR: " in line
        ]
        plain = [
            line
            for line in lines
            if line.startswith(("- ", "The crawl was not", "another crawl")) or "another crawl runs" in line
        ]
        return list(dict.fromkeys([*told, *plain]))

    @property
    def tracebacks(self) -> int:
        return sum(log.read_text("utf-8", "replace").count("Traceback (most recent call last)") for log in self.logs)


def _url(line: str) -> str:
    try:
        return str(json.loads(line)["url"])
    except json.JSONDecodeError:
        return ""


def sometime(trial: Trial, process: subprocess.Popen[bytes], event: Event, then: Callable[[], None]) -> None:
    """Does it when the event has come and every run is at work, unless the process ends before."""
    while not (event.wait(0.05) and trial.at_work) and process.poll() is None:
        pass
    then()
