"""A running crawl can be asked: over a Unix socket that only its user may open, in lines of JSON, off unless asked for.

    {"ask": "gamma", "value": 0.3}  →  {"ok": true, "said": "γ is 0.3", "status": {…}}

Nothing that comes in is code: what may be asked is the table ``ASKS``.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import stat
from collections.abc import Callable
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from fcacrawler.addon import FocusedCrawl, focus_of
from fcacrawler.app.config import declared, read_value
from fcacrawler.app.marks import said
from fcacrawler.downloads.hosts import wake
from fcacrawler.extensions.left_out import left_out
from fcacrawler.extensions.report import Report
from fcacrawler.page import canonical_url, key_of
from fcacrawler.values.errors import BadOptions, FcaError
from fcacrawler.values.links import Candidate
from fcacrawler.values.marks import UNDONE, WORDS

LONGEST = 16_384  # bytes of a line
NESTED = 100  # brackets in a line
PATIENCE = 30.0  # seconds until a line must have come
AT_ONCE = 8  # connections
ERRORS = 12  # kinds of what was not fetched or not read
SETTINGS = {s.argument: s for s in declared() if s.section == "crawl" and s.argument}


class Control:
    """What may be asked of a crawl, and its answers."""

    def __init__(self, crawler: Crawler, focus: FocusedCrawl, path: Path) -> None:
        self.crawler = crawler
        self.focus = focus
        self.path = path
        self._socket = bound(path)
        self._server: asyncio.Server | None = None
        self._talks: set[asyncio.StreamWriter] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Control:
        focus = focus_of(crawler)
        if not focus.config.run.control:
            raise NotConfigured
        with focus.refusing():
            control = cls(crawler, focus, Path(focus.config.run.control))
        crawler.signals.connect(control.spider_opened, signals.spider_opened)
        crawler.signals.connect(control.spider_closed, signals.spider_closed)
        return control

    async def spider_opened(self, spider: Spider) -> None:
        self._server = await asyncio.start_unix_server(self._talk, sock=self._socket, limit=LONGEST)

    def spider_closed(self, spider: Spider) -> None:
        if self._server is not None:
            self._server.close()
        for writer in self._talks:
            writer.close()
        self.path.unlink(missing_ok=True)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._talks.add(writer)
        try:
            while len(self._talks) <= AT_ONCE:
                try:
                    line = await asyncio.wait_for(reader.readline(), PATIENCE)
                except ValueError:
                    line = b" " * LONGEST
                if not line:
                    break
                writer.write(json.dumps(self.answer(line)).encode() + b"\n")
                await writer.drain()
                if len(line) >= LONGEST:
                    break
        except (TimeoutError, ConnectionError):
            pass  # gone, or silent
        finally:
            self._talks.discard(writer)
            writer.close()

    def answer(self, line: bytes) -> dict[str, Any]:
        """To one line: never an exception, whatever it holds."""
        try:
            if len(line) >= LONGEST:
                raise BadOptions([f"a line must be shorter than {LONGEST} bytes"])
            if line.count(b"[") + line.count(b"{") > NESTED:
                raise BadOptions(["a line must not be nested"])
            asked = json.loads(line)
            if not isinstance(asked, dict) or not asked.keys() <= {"ask", "value"}:
                raise BadOptions(['ask like this: {"ask": "gamma", "value": 0.3}'])
            ask = ASKS.get(str(asked.get("ask")))
            if ask is None:
                raise BadOptions([f"{asked.get('ask')!r} cannot be asked; what can: {', '.join(ASKS)}"])
            said = ask(self, asked.get("value"))
            wake(self.crawler)
            return {"ok": True, "said": said, "status": self.status()}
        except FcaError as error:
            return {"ok": False, "error": str(error)}
        except ValueError:
            return {"ok": False, "error": "not a line of JSON"}

    # -- what may be asked

    def pause(self, value: Any) -> str:
        self.crawler.engine.pause()
        return "paused: what is in flight lands, nothing more leaves"

    def resume(self, value: Any) -> str:
        self.crawler.engine.unpause()
        return "goes on"

    def tell(self, value: Any) -> str:
        return "paused" if self.crawler.engine.paused else "runs"

    def gamma(self, value: Any) -> str:
        return f"γ is {self._set('gamma', value)}"

    def pages(self, value: Any) -> str:
        if self.focus.parts.crawl.shared:
            raise BadOptions(["pages: the budget of a crawl that workers share is that of its start"])
        return f"the budget is {self._set('pages', value) or 'without end'}"

    def _set(self, name: str, value: Any) -> Any:
        if isinstance(value, bool):
            raise BadOptions([f"{name}: must be a number"])
        value = read_value(SETTINGS[name], name, value)
        self.focus.parts.crawl.retune(**{name: value})
        return value

    def seed(self, value: Any) -> str:
        url = canonical_url(str(value))
        if not url:
            raise BadOptions([f"seed {value!r}: must be a URL that begins with http:// or https://"])
        key, host = key_of(url)
        if not self.focus.parts.crawl.seed([Candidate(key, url, host, 0)]):
            raise BadOptions([f"{url} is known and waits no more: it is in flight, done, dead or evicted"])
        return f"{url} is next"

    def good(self, value: Any) -> str:
        return self._mark("good", value)

    def bad(self, value: Any) -> str:
        return self._mark("bad", value)

    def undo(self, value: Any) -> str:
        return self._mark(UNDONE, value)

    def _mark(self, word: str, value: Any) -> str:
        url = canonical_url(str(value))
        if not url:
            raise BadOptions([f"{word} {value!r}: must be a URL that begins with http:// or https://"])
        crawl = self.focus.parts.crawl
        crawl.mark([said(url, WORDS[word])])
        known = crawl.judge.relevance(url) is not None
        return f"{url}: {'its mark is taken back' if word == UNDONE else word}" + ("" if known else ", not read yet")

    def block(self, value: Any) -> str:
        url = canonical_url(f"http://{value}/")
        if not url or url.count("/") != 3:
            raise BadOptions([f"block {value!r}: must be a host, such as www.example.com"])
        _, host = key_of(url)
        self.focus.parts.crawl.block(host)
        return f"nothing more is fetched from {host} and the hosts below it"

    def status(self) -> dict[str, Any]:
        crawl = self.focus.parts.crawl
        return {
            "topic": self.focus.parts.topic.words,
            "order": self.focus.config.run.order,
            "paused": self.crawler.engine.paused,
            "gamma": crawl.options.gamma,
            "budget": crawl.options.pages,
            "pages": crawl.fetched,
            "relevant": crawl.thought().finds,
            "lately": round(crawl.harvest.lately(), 4),
            "recall": asdict(crawl.verdicts.completeness) if crawl.verdicts.completeness is not None else None,
            **asdict(crawl.sizes()),
            "blocked": sorted(crawl.sieve.rules.blocked),
            "dropped": dict(crawl.sieve.dropped),
            "marks": len(crawl.judge.marks),
            "errors": dict(islice(left_out(self.crawler, self.focus).items(), ERRORS)),
            **self._reported(),
        }

    def _reported(self) -> dict[str, Any]:
        """What the report counts."""
        report = self.crawler.get_extension(Report)
        if report is None:
            return {}
        now = report.snapshot()
        named = {"hosts": now.hosts, "pausing": now.pausing, "below": now.below, "below_relevant": now.below_relevant}
        return {"seconds": round(now.seconds, 1), "rate": round(now.rate, 2), **named}


ASKS: dict[str, Callable[[Control, Any], str]] = {
    "status": Control.tell,
    "pause": Control.pause,
    "resume": Control.resume,
    "gamma": Control.gamma,
    "pages": Control.pages,
    "seed": Control.seed,
    "block": Control.block,
    "good": Control.good,
    "bad": Control.bad,
    "undo": Control.undo,
}


def check_path(path: Path) -> None:
    """Raises BadOptions if no control can be put there."""
    problem = ""
    there = next(folder for folder in path.absolute().parents if folder.exists())  # what is below it will be made
    if len(os.fsencode(path)) > 100:
        problem = "is too long for a socket: 100 bytes at most"
    elif not there.is_dir():
        problem = f"{there} is no folder"
    elif not os.access(there, os.W_OK):
        problem = f"the folder {there} cannot be written to"
    elif path.exists() and not stat.S_ISSOCK(path.stat().st_mode):
        problem = "there is something else of that name: take another one"
    elif path.exists() and _answers(path):
        problem = "another crawl listens there: take another name"
    if problem:
        raise BadOptions([f"-a control={path}: {problem}"])


def bound(path: Path) -> socket.socket:
    """A socket that only its user may open, from the first moment; one that a killed crawl has left is taken over."""
    check_path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    made = socket.socket(socket.AF_UNIX)
    mask = os.umask(0o177)
    try:
        made.bind(str(path))
    finally:
        os.umask(mask)
    return made


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1)
        return probe.connect_ex(str(path)) == 0
