"""For scripts and notebooks: begin a crawl, read its pages while it runs, search and mark them, have them as a table.

A crawl runs in a process of its own (``crawl``), or in the loop of this one (``crawl_async``). What it brings home is
in its folder, where ``Harvest`` reads it: while it runs, when it has ended, and years later.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import fields, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from fcacrawler.app.asking import remedy, talk
from fcacrawler.app.assembly import crawl_name
from fcacrawler.app.forgetting import gone_of
from fcacrawler.app.marks import said
from fcacrawler.app.opinion import ItemsNow
from fcacrawler.app.searching import opened
from fcacrawler.frontier.forgetting import Removed
from fcacrawler.frontier.sqlite.forgetting import forget
from fcacrawler.frontier.sqlite.mark_log import NAME as MARKS
from fcacrawler.frontier.sqlite.mark_log import append
from fcacrawler.frontier.sqlite.salvage import Salvage
from fcacrawler.frontier.sqlite.store import read_store
from fcacrawler.items import PageItem
from fcacrawler.page import canonical_url
from fcacrawler.search import Filter, Hit, Query, ask
from fcacrawler.values.errors import BadOptions, BadStore, FcaError
from fcacrawler.values.extras import extras
from fcacrawler.values.topics import Topic

if TYPE_CHECKING:
    import pandas
    import pyarrow

LOOK = 0.25  # seconds between two looks at what has come
LATE = 2_000  # a page may come so many numbers later than the next one
FIELDS = frozenset(f.name for f in fields(PageItem))


class CrawlFailed(FcaError):
    """A crawl that was refused, or could not go on: what it has said."""


class Harvest:
    """The pages of a crawl in a folder, whether or not it runs.

    ``len(harvest)`` is how many there are; iterating gives them as they come, and ends when the crawl has ended.
    """

    def __init__(self, folder: str | Path, process: subprocess.Popen[bytes] | None = None, control: str = "") -> None:
        """``process``, ``control``: of the crawl that is at it; of ``crawl``."""
        self.folder = Path(folder)
        self._process, self._control = process, control

    def __repr__(self) -> str:
        return f"Harvest({str(self.folder)!r})"

    def __len__(self) -> int:
        with suppress(BadStore), closing(read_store(self.folder)) as db:
            return int(db.execute("SELECT count(*) FROM pages WHERE item != x''").fetchone()[0])
        return 0

    def __iter__(self) -> Iterator[PageItem]:
        """As they were judged when they came."""
        seen: set[int] = set()
        ended = False
        while not ended:
            if ended := not self.running:
                self._check()
            for number, item in self._new(seen):
                seen.add(number)
                if item:
                    yield item
            if not ended:
                time.sleep(LOOK)

    def _new(self, seen: set[int]) -> list[tuple[int, PageItem | None]]:
        try:
            with closing(read_store(self.folder)) as db:
                salvage, floor = Salvage(db), max(seen, default=LATE) - LATE
                rows = db.execute("SELECT number FROM pages WHERE number > ? ORDER BY number", (floor,)).fetchall()
                return [(n, _item(salvage.item_at(n))) for (n,) in rows if n not in seen]
        except BadStore:
            if seen or not self.running:
                raise
            return []  # it is being made

    # -- the crawl

    @property
    def running(self) -> bool:
        """Whether the crawl that was begun here is at it."""
        return self._process is not None and self._process.poll() is None

    def wait(self, seconds: float | None = None) -> Self:
        """Until the crawl has ended. Raises CrawlFailed with what it has said if it was refused or could not go on, and
        TimeoutError."""
        if self._process is not None:
            try:
                self._process.wait(seconds)
            except subprocess.TimeoutExpired:
                raise TimeoutError(f"the crawl in {self.folder} runs on after {seconds} s") from None
        self._check()
        return self

    def stop(self) -> Self:
        """What is in flight lands, then the crawl ends; ``crawl`` with the same folder goes on with it."""
        if self._process is not None and self.running:
            self._process.send_signal(signal.SIGINT)
            self._process.wait()
        return self

    def ask(self, what: str, value: Any = None) -> dict[str, Any]:
        """Something of the running crawl, as ``scrapy control`` does: pause, resume, gamma, pages, seed, block, status.
        Its state."""
        if not self._control:
            raise CrawlFailed(f"{self.folder}: no crawl that was begun here runs; scrapy control asks others")
        try:
            (answer,) = talk(self._control, [{"ask": what, "value": value}])
        except OSError as error:
            raise CrawlFailed(f"{self.folder}: {remedy(error)}") from None
        if not answer["ok"]:
            raise BadOptions([str(answer["error"])])
        state: dict[str, Any] = answer["status"]
        return state

    def _check(self) -> None:
        if self._process is not None and self._process.poll() not in (None, 0, -signal.SIGINT):
            output = self.folder / "output.txt"
            told = output.read_text("utf-8", "replace").strip() if output.is_file() else ""
            raise CrawlFailed(told[-2000:] or f"the crawl in {self.folder} failed: {self.folder / 'log.txt'}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    # -- what is done with its pages

    def search(
        self, words: str, n: int = 10, *, relevant: bool = False, host: str = "", language: str = ""
    ) -> list[Hit]:
        """The n pages that answer best, by words and by meaning."""
        with opened([self.folder]) as jobs:
            only = Filter(host=host, language=language, relevant=relevant)
            return list(ask(jobs, Query(words, n, only=only)).hits)

    def mark(self, url: str, good: bool | None = True) -> None:
        """Say that a page is about the topic, or is not; None takes it back. A crawl that runs learns from it."""
        if not (canonical := canonical_url(url)):
            raise BadOptions([f"{url!r} is no URL that begins with http:// or https://"])
        read_store(self.folder).close()
        append(self.folder / MARKS, [said(canonical, good)])

    def forget(self, page_or_host: str, again: bool = False) -> Removed:
        """A page, or all of a host, is gone from the folder's files, and is not fetched again unless ``again``. No
        crawl may run there."""
        return forget(self.folder, gone_of(page_or_host), again)

    def now(self, relevant: bool = False) -> Iterator[dict[str, Any]]:
        """All pages as they are judged by all that is known now."""
        items = map(json.loads, ItemsNow(self.folder))
        return (item for item in items if item["relevant"] or not relevant)

    def to_arrow(self, relevant: bool = False) -> pyarrow.Table:
        """``now`` as a table: a column a field. What has parts (path, keywords, explanation) is JSON."""
        with extras():
            import pyarrow
        rows = [{name: _cell(value) for name, value in item.items()} for item in self.now(relevant)]
        return pyarrow.Table.from_pylist(rows)

    def to_pandas(self, relevant: bool = False) -> pandas.DataFrame:
        """``to_arrow``, for pandas."""
        with extras():
            import pandas  # noqa: F401  # told if it is missing
        return self.to_arrow(relevant).to_pandas()


def crawl(
    topic: Topic | str,
    folder: str | Path = "",
    *,
    seeds: Sequence[str] = (),
    settings: Mapping[str, object] | None = None,
    **arguments: object,
) -> Harvest:
    """Begin a crawl in a process of its own, or go on with the one in ``folder`` (default ``jobs/TOPIC``).

    ``arguments`` are those of ``-a`` (pages, order, gamma, stay …), ``settings`` Scrapy's and FCA_….
    """
    topic = _topic(topic, seeds)
    folder = Path(folder or Path("jobs") / crawl_name(topic.words)).absolute()
    _write(topic, folder)
    control = str(folder / "control")
    if len(os.fsencode(control)) > 100:
        control = str(Path(tempfile.mkdtemp(prefix="fca-")) / "control")
    given = {"topic": folder / "topic.toml", "control": control, **arguments}
    set_ = {"JOBDIR": folder, "LOG_FILE": folder / "log.txt", "FCA_PROGRESS": "off", **(settings or {})}
    command = [sys.executable, "-m", "fcacrawler", "crawl", "semrank", "-O", str(folder / "pages.jsonl")]
    command += [word for name, value in given.items() for word in ("-a", f"{name}={value}")]
    command += [word for name, value in set_.items() for word in ("-s", f"{name}={value}")]
    path = os.pathsep.join(filter(None, (str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", ""))))
    with (folder / "output.txt").open("wb") as output:
        process = subprocess.Popen(
            command,
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C is this process's: ``stop`` ends the crawl
        )
    return Harvest(folder, process, control)


async def crawl_async(
    topic: Topic | str,
    folder: str | Path = "",
    *,
    seeds: Sequence[str] = (),
    settings: Mapping[str, object] | None = None,
    **arguments: object,
) -> Harvest:
    """The same in this process: in its reactor if it has one, else in the loop that runs (a notebook's). Ends with the
    crawl; ``Harvest(folder)`` reads its pages meanwhile."""
    from scrapy.crawler import AsyncCrawlerRunner
    from scrapy.settings import Settings
    from scrapy.utils.reactor import is_reactor_installed

    from fcacrawler import settings as project

    topic = _topic(topic, seeds)
    folder = Path(folder or Path("jobs") / crawl_name(topic.words)).absolute()
    _write(topic, folder)
    every = Settings()
    every.setmodule(project)
    given = {
        "TWISTED_REACTOR_ENABLED": is_reactor_installed(),
        "JOBDIR": str(folder),
        "FEEDS": {str(folder / "pages.jsonl"): {"format": "jsonlines", "overwrite": True}},
        "FCA_PROGRESS": "off",
    }
    every.update({**given, **(settings or {})}, priority="cmdline")
    words = {name: str(value) for name, value in arguments.items()}
    await AsyncCrawlerRunner(every).crawl("semrank", topic=str(folder / "topic.toml"), **words)
    return Harvest(folder)


def _topic(topic: Topic | str, seeds: Sequence[str]) -> Topic:
    topic = Topic(topic) if isinstance(topic, str) else topic
    return replace(topic, seeds=(*topic.seeds, *seeds))


def _write(topic: Topic, folder: Path) -> None:
    """What a crawl reads of its topic; texts as files."""
    folder.mkdir(parents=True, exist_ok=True)
    examples = list(topic.examples)
    for n, text in enumerate(topic.texts, 1):
        (folder / f"example-{n}.txt").write_text(text, "utf-8")
        examples.append(f"./example-{n}.txt")
    lists = {"seeds": topic.seeds, "examples": examples, "avoid": topic.avoid}
    lines = [f"words = {_quoted(topic.words)}"]
    lines += [f"{name} = [{', '.join(map(_quoted, values))}]" for name, values in lists.items() if values]
    (folder / "topic.toml").write_text("\n".join(lines) + "\n", "utf-8")


def _quoted(text: str) -> str:
    """As TOML has it.

    >>> _quoted('green "tea"')
    '"green \\\\"tea\\\\""'
    """
    return json.dumps("".join(c if c.isprintable() else " " for c in text), ensure_ascii=False)


def _item(text: str) -> PageItem | None:
    return PageItem(**{name: value for name, value in json.loads(text).items() if name in FIELDS}) if text else None


def _cell(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value
