"""What the crawls of a folder have fetched, as the page asks for it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, time
from typing import Any, NamedTuple

from fcacrawler.app.marking import marked
from fcacrawler.app.marks import standing
from fcacrawler.app.opinion import NAME as VERDICTS
from fcacrawler.app.searching import index, judge, vectors_named, vectors_of
from fcacrawler.app.story import fetched
from fcacrawler.frontier.sqlite.store import NAME as STORE
from fcacrawler.page.text.plain import plain
from fcacrawler.pise import clicks
from fcacrawler.pise.asked import Asked
from fcacrawler.pise.crawls import Crawls
from fcacrawler.pise.errands import Errands
from fcacrawler.pise.learning import Learning
from fcacrawler.pise.reviewing import Reviews
from fcacrawler.pise.running import EMPTY, Going, going
from fcacrawler.search import Filter, Found, Hit, Opened, Query, ask, browse, told
from fcacrawler.search.asking import LONGEST, alike
from fcacrawler.search.evidence import CANDIDATES
from fcacrawler.search.index import NAME as INDEX
from fcacrawler.search.opened import Row
from fcacrawler.semrank.neighbours import View, view
from fcacrawler.values.errors import BadStore, FcaError

logger = logging.getLogger(__name__)

Elsewhere = Callable[[str, int], Sequence[tuple[str, float]]]  # words, how many → URLs with scores, best first
PAGE, EXPORTED = 10, 1000  # hits on a page, and that are exported
AGE = 60.0  # seconds that an index is held open
STILL = 10.0  # seconds in which nothing is written where no crawl runs: one that does makes its pages searchable itself
LINKS = 10  # crawls whose links are learned from, the latest
MAPPED = 2_000  # pages of a map, the most relevant
SUPPORT = 3  # of them that a concept below has at least


class _Held(NamedTuple):
    since: float
    file: int  # of the index, as its file system numbers it
    job: Opened


class Readers(threading.local):
    """The indexes that this thread has opened: by crawl, with when that was and what the file was then."""

    def __init__(self) -> None:
        self.held: dict[Path, _Held] = {}

    def of(self, folder: Path) -> Opened:
        file = (folder / INDEX).stat().st_ino if (folder / INDEX).is_file() else 0
        held = self.held.get(folder)
        if held is None or held.file != file or monotonic() - held.since > AGE:
            self.drop(folder)
            held = self.held[folder] = _Held(monotonic(), file, Opened(folder, vectors_named(vectors_of(folder))))
        held.job.follow()
        return held.job

    def drop(self, folder: Path) -> None:
        if (held := self.held.pop(folder, None)) is not None:
            held.job.close()


class Harvest:
    """Nothing is held between two questions but what is opened for reading, which crawls were started from here, and
    what takes long."""

    def __init__(self, folder: Path, keep_clicks: bool, elsewhere: Elsewhere | None = None) -> None:
        """``elsewhere``: another engine that has the pages, and finds them."""
        self.folder = folder
        self._elsewhere = elsewhere
        self.crawls = Crawls(folder, (folder / clicks.NAME).absolute())
        self.keep_clicks = keep_clicks
        self.errands = Errands(folder)
        self.reviews = Reviews()
        self.learning = Learning(folder, self.crawls.clicks, self.errands)
        self._readers = Readers()
        self._done: dict[Path, tuple[int, ...]] = {}  # what files of crawls were when these were made searchable
        self._why_not: dict[Path, str] = {}  # crawls that could not be made searchable

    def warm(self, until: float) -> None:
        """What a first question would wait for is loaded: vectors, words, the newest crawls; no crawl is begun with
        after this moment of the monotonic clock."""
        for name in self.crawls.names():
            if monotonic() < until:
                with suppress(FcaError, OSError):
                    self.search(Asked(self.crawls.card(name).topic, name))
                self._readers.drop(self.crawls.folder / name)

    def follow(self) -> None:
        """What is due every few seconds: pages of crawls that do not run are made searchable, those of others are as
        relevant as is thought now, and clicks are learned from."""
        for name in self.crawls.names():
            try:
                folder = self.crawls.path(name)
                stamp = _stamp(folder)
                running = time() - max(stamp[:-1]) / 1e9 < STILL or self.crawls.status(name) is not None
                if self._done.get(folder) == stamp and not running:
                    continue
                if not running:
                    index(folder)
                    self._done[folder] = stamp
                elif (folder / INDEX).is_file():
                    judge(folder)
                self._why_not.pop(folder, None)
            except (FcaError, OSError) as error:
                logger.debug("%s is not made searchable: %s", name, error)
                self._why_not[self.crawls.folder / name] = str(error)
        self.learning.look([self.crawls.folder / name for name in self.crawls.names()[:LINKS]])
        self.crawls.omega = self.learning.for_crawls

    @contextmanager
    def _opened(self, job: str) -> Iterator[tuple[list[Opened], list[str]]]:
        """The crawls that can be searched, and what is to be said of the others."""
        jobs, notes = [], []
        for name in [job] if job else self.crawls.names():
            try:
                jobs.append(self._readers.of(self.crawls.path(name)))
            except BadStore as error:
                notes.append(f"{name} is left out: {self._why_not.get(self.crawls.folder / name, error)}")
        try:
            yield jobs, notes
        except BadStore:  # one that was damaged, or deleted, meanwhile
            for opened in jobs:
                self._readers.drop(opened.folder)
            raise

    def name(self, folder: str) -> str:
        """Of the crawl there."""
        return Path(folder).name

    def close(self) -> None:
        self.errands.close()
        self.reviews.close()

    def search(self, asked: Asked) -> tuple[Found, list[str], dict[tuple[str, str], str]]:
        """The answer, what is to be said of it, and the marks of its pages by folder and URL."""
        with self._opened(asked.job) as (jobs, notes):
            found = self._found(jobs, Query(asked.words, PAGE, PAGE * (asked.place - 1), asked.only), notes)
        return found, notes, self._marks({hit.job for hit in found.hits})

    def _found(self, jobs: Sequence[Opened], query: Query, notes: list[str]) -> Found:
        if not jobs:
            return Found()
        if not query.words:
            return browse(jobs, query)
        if self._elsewhere is not None and any(map(str.isalnum, query.words)):
            try:
                return told(jobs, self._elsewhere(query.words[:LONGEST], max(CANDIDATES, query.skip + query.n)), query)
            except FcaError as error:
                notes.append(f"{error}; so this was found by our own index")
        return ask(jobs, query)

    def _marks(self, folders: set[str]) -> dict[tuple[str, str], str]:
        return {(f, url): mark.word for f in folders for url, mark in standing(marked(f, "").marks()).items()}

    def page(self, name: str, number: str) -> tuple[Mapping[str, Any], Sequence[Hit], str]:
        """An item, what is like it, and why it was fetched."""
        with self._opened(name) as (jobs, notes):
            job, row = self._row(jobs, notes, number)
            found = alike(jobs, job, row, Query("", 6))
            item = job.item(row.number)
        if not item:
            raise BadStore(f"{row.url} cannot be read in the store any more")
        return {**item, "semrank": row.relevance, "relevant": row.relevant}, found.hits, fetched(dict(item), None)

    def url(self, name: str, number: str) -> str:
        """The address of a stored page; raises BadStore for anything else."""
        with self._opened(name if name else "?") as (jobs, notes):
            _, row = self._row(jobs, notes, number)
            return row.url

    def _row(self, jobs: Sequence[Opened], notes: Sequence[str], number: str) -> tuple[Opened, Row]:
        wanted = int(number) if number.isascii() and number.isdigit() and len(number) < 15 else -1
        for job in jobs[:1]:
            for row in job.rows([wanted]):
                return job, row
        raise BadStore("; ".join(notes) or f"there is no page {number[:20]!r} in this crawl")

    def items(self, asked: Asked) -> list[Mapping[str, Any]]:
        """Of all that was found, best first."""
        with self._opened(asked.job) as (jobs, _):
            found = self._found(jobs, Query(asked.words, EXPORTED, 0, asked.only), [])
            by_folder = {str(job.folder): job for job in jobs}
            whole = [(by_folder[hit.job].item(hit.number), hit) for hit in found.hits]
        return [{**item, "semrank": hit.relevance, "relevant": hit.relevant} for item, hit in whole if item]

    def going(self, name: str) -> Going:
        with self._opened(name) as (jobs, _):
            return going(jobs[0]) if jobs else EMPTY

    def walk(self, name: str, keywords: Sequence[str]) -> tuple[View, list[Row], list[str]]:
        """A concept of a crawl's relevant pages with its neighbours, its pages, and what is to be said."""
        with self._opened(name) as (jobs, notes):
            best = [row for job in jobs[:1] for row in job.best(Filter(relevant=True), MAPPED)]
        rows = [row for row in best if row.url == row.same_as]
        known = plain([(row.language, row.keywords.split("\n") if row.keywords else []) for row in rows])
        seen = view(known, keywords, SUPPORT)
        return seen, [rows[n] for n in seen.here.extent], notes

    def keywords(self, beginning: str, name: str, most: int) -> list[str]:
        with self._opened(name) as (jobs, _):
            found = [word for job in jobs for word in job.keywords(beginning, most)]
        return list(dict.fromkeys(found))[:most]

    def newest(self, name: str, most: int = 50, relevant: bool = True) -> list[Row]:
        """The pages that came last, of a crawl or of all; raises BadStore for a crawl that cannot be read."""
        with self._opened(name) as (jobs, notes):
            if name and notes:
                raise BadStore(notes[0])
            rows = [row for job in jobs for row in job.newest(Filter(relevant=relevant), most)]
        return sorted(rows, key=lambda row: row.fetched, reverse=True)[:most]


def _stamp(folder: Path) -> tuple[int, ...]:
    """Of the files from which an index is made, and of itself."""
    made_from = [folder / name for name in (STORE, f"{STORE}-wal", VERDICTS)]
    times = [file.stat().st_mtime_ns for file in made_from if file.exists()]
    return (*times, (folder / INDEX).stat().st_ino if (folder / INDEX).exists() else 0)
