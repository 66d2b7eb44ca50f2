"""The crawls in a folder: what is there, how each goes, and a new one.

Nothing here takes a path or an argument of a command from outside: a crawl is a name of a folder in the folder, and
what a new one is to look for is written into a file that the crawl reads.

Why so: decision 212.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from shutil import rmtree
from typing import Any

from fcacrawler.app.asking import remedy, talk
from fcacrawler.app.assembly import crawl_name, retold
from fcacrawler.app.beginning import KEPT
from fcacrawler.frontier.sqlite.store import NAME, read_store, told
from fcacrawler.pise.errands import environment
from fcacrawler.pise.wanted import Wanted, checked
from fcacrawler.values.errors import BadOptions, BadStore

SOCKET = "control"  # in a crawl's folder
PLAIN = re.compile(r"[^\W_][\w.-]{0,80}")
ASKS = frozenset({"pause", "resume", "gamma", "pages", "seed", "block"})


@dataclass(frozen=True, slots=True)
class Card:
    """A crawl in the list."""

    name: str
    topic: str
    pages: int
    status: dict[str, Any] | None  # of one that runs and can be asked
    problem: str = ""
    alive: bool = False  # it was started from here and has not ended


@dataclass(slots=True)
class Crawls:
    """By name. Those that were started from here are looked after."""

    folder: Path
    clicks: Path
    omega: Path | None = None  # what was learned from them, if crawls are to be told
    _started: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def names(self) -> list[str]:
        """The newest first."""
        with suppress(OSError):
            there = [entry.path for entry in os.scandir(self.folder) if (Path(entry.path) / NAME).is_file()]
            named = [Path(path) for path in there if PLAIN.fullmatch(Path(path).name)]
            return [path.name for path in sorted(named, key=lambda path: -(path / NAME).stat().st_mtime)]
        return []

    def path(self, name: str) -> Path:
        """Raises BadStore for what is no crawl in this folder."""
        if name not in self.names():
            raise BadStore(f"there is no crawl {name[:80]!r} in {self.folder}")
        return self.folder / name

    def card(self, name: str) -> Card:
        """Raises BadStore for what is no crawl in this folder, nor begins to be one."""
        if self.started(name) and name not in self.names():
            return Card(name, name, 0, None, self.refusal(name), self._alive(name))
        path = self.path(name)
        try:
            with closing(read_store(path)) as db:
                (pages,) = db.execute("SELECT count(*) FROM pages").fetchone()
                text = told(db)
            topic = retold(text)[1].words if text else name
        except (BadStore, ValueError, TypeError, KeyError, AttributeError) as error:
            return Card(name, name, 0, None, str(error))
        return Card(name, topic, pages, self.status(name), alive=self._alive(name))

    def status(self, name: str) -> dict[str, Any] | None:
        """As the crawl tells it; None if it does not run, or cannot be asked."""
        with suppress(OSError, ValueError, KeyError):
            (answer,) = talk(str(self.path(name) / SOCKET), [{"ask": "status"}])
            found: dict[str, Any] = answer["status"]
            return found
        return None

    def _alive(self, name: str) -> bool:
        process = self._started.get(name)
        return process is not None and process.poll() is None

    def ask(self, name: str, ask: str, value: str) -> str:
        """What the crawl says to that. ``stop`` is a budget of what it has: what is in flight lands."""
        if ask == "stop":
            status = self.status(name)
            ask, value = "pages", str(max(1, status["pages"])) if status else "1"
        if ask not in ASKS:
            raise BadOptions([f"{ask[:40]!r} cannot be asked"])
        try:
            (answer,) = talk(str(self.path(name) / SOCKET), [{"ask": ask, "value": value}])
        except OSError as error:
            raise BadOptions([f"{name}: {remedy(error)}"]) from None
        return str(answer["said"] if answer["ok"] else answer["error"])

    def start(self, wanted: Wanted) -> str:
        """Its name. Raises BadOptions with all that is wrong."""
        topic, pages = checked(wanted)
        name = self._free(crawl_name(wanted.topic)[:60])
        folder = self.folder / name
        folder.mkdir(parents=True)
        try:
            self.clicks.touch(0o600)
            (folder / "topic.toml").write_text(topic, "utf-8")
            if wanted.taken:
                wanted.by_engines().write(folder / KEPT)
        except OSError as error:
            rmtree(folder, ignore_errors=True)
            raise BadOptions([f"{folder} cannot be written to: {error.strerror}"]) from None
        arguments = [f"topic={name}/topic.toml", f"pages={pages}", f"stay={wanted.stay}", f"control={name}/{SOCKET}"]
        arguments += [f"languages={wanted.codes}"] if wanted.codes else []
        settings = [f"JOBDIR={name}", f"LOG_FILE={name}/log.txt", "FCA_PROGRESS=off", f"FCA_CLICKS={self.clicks}"]
        settings += [f"FCA_LOG={self.omega}"] if self.omega else []
        settings += ["FCA_WORLD=demo"] if wanted.demo else []
        settings += ["DOWNLOAD_DELAY=0.05"] if wanted.demo or os.environ.get("FCA_WORLD") else []  # it is nobody's host
        settings += [f"FCA_ENGINES={'none' if wanted.demo else wanted.engines}"] if wanted.engines else []
        command = [sys.executable, "-m", "scrapy", "crawl", "semrank", "-o", f"{name}/pages.jsonl"]
        command += [word for pair in arguments for word in ("-a", pair)]
        command += [word for pair in settings for word in ("-s", pair)]
        with (folder / "output.txt").open("wb") as output:
            self._started[name] = subprocess.Popen(
                command,
                cwd=self.folder,
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # it goes on when the page is closed
            )
        return name

    def refusal(self, name: str) -> str:
        """Why a crawl that was started from here did not begin; "" while it may yet."""
        process = self._started.get(name)
        if process is None or process.poll() in (None, 0):
            return ""
        return (self.folder / name / "output.txt").read_text("utf-8", "replace")[-2000:] or "it ended at once"

    def started(self, name: str) -> bool:
        return name in self._started

    def _free(self, name: str) -> str:
        name = name if PLAIN.fullmatch(name) else "crawl"
        numbered = (f"{name}-{n}" if n > 1 else name for n in range(1, 10_000))
        return next(one for one in numbered if not (self.folder / one).exists())
