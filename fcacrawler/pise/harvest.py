"""What the crawls of a folder have fetched, as the page asks for it."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fcacrawler.app.marking import marked
from fcacrawler.app.marks import standing
from fcacrawler.app.searching import index, vectors_named, vectors_of
from fcacrawler.app.story import fetched
from fcacrawler.pise import clicks
from fcacrawler.pise.crawls import Crawls
from fcacrawler.search import Filter, Found, Hit, Opened, Query, ask
from fcacrawler.search.asking import alike
from fcacrawler.search.opened import Row
from fcacrawler.values.errors import BadStore, FcaError

logger = logging.getLogger(__name__)

PAGE, DEEPEST, EXPORTED = 10, 50, 1000  # hits on a page, pages of hits, and hits that are exported


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as its address has it."""

    words: str = ""
    job: str = ""  # "": all
    host: str = ""
    language: str = ""
    relevant: bool = False
    since: str = ""
    place: int = 1  # which page of hits

    @classmethod
    def read(cls, params: Mapping[str, str]) -> Asked:
        place = params.get("p", "1")
        number = int(place) if place.isascii() and place.isdigit() and len(place) < 4 else 1
        job, host, language = (params.get(name, "")[:300] for name in ("job", "host", "language"))
        relevant = params.get("relevant", "") == "1"
        words = params.get("q", "")[:3000].strip()
        return cls(words, job, host, language, relevant, params.get("since", "")[:30], min(max(number, 1), DEEPEST))

    def params(self, **other: Any) -> dict[str, str]:
        """Of its address, or of one that differs in this."""
        new = replace(self, **{"place": 1, **other})
        values = {"q": new.words, "job": new.job, "host": new.host, "language": new.language, "since": new.since}
        values |= {"relevant": "1" if new.relevant else "", "p": str(new.place) if new.place > 1 else ""}
        return {name: value for name, value in values.items() if value}

    @property
    def only(self) -> Filter:
        return Filter(self.host, self.language, self.relevant, since=self.since)


class Harvest:
    """Opened anew for each question: nothing is held between two."""

    def __init__(self, folder: Path, keep_clicks: bool) -> None:
        self.crawls = Crawls(folder, (folder / clicks.NAME).absolute())
        self.keep_clicks = keep_clicks

    def make_searchable(self) -> None:
        """What the crawls that do not run have left out."""
        for name in self.crawls.names():
            try:
                if self.crawls.status(name) is None:
                    index(self.crawls.path(name))
            except (FcaError, OSError) as error:
                logger.debug("%s is not made searchable: %s", name, error)

    @contextmanager
    def _opened(self, job: str) -> Iterator[tuple[list[Opened], list[str]]]:
        """The crawls that can be searched, and what is to be said of the others."""
        with ExitStack() as stack:
            jobs, notes = [], []
            for name in [job] if job else self.crawls.names():
                try:
                    jobs.append(stack.enter_context(closing(self._one(name))))
                except BadStore as error:
                    notes.append(f"{name} is left out: {error}")
            yield jobs, notes

    def _one(self, name: str) -> Opened:
        folder = self.crawls.path(name)
        return Opened(folder, vectors_named(vectors_of(folder)))

    def search(self, asked: Asked) -> tuple[Found, list[str], dict[tuple[str, str], str]]:
        """The answer, what is to be said of it, and the marks of its pages by folder and URL."""
        with self._opened(asked.job) as (jobs, notes):
            query = Query(asked.words, PAGE, PAGE * (asked.place - 1), asked.only)
            found = ask(jobs, query) if jobs else Found()
        return found, notes, self._marks({hit.job for hit in found.hits})

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
            return self._row(jobs, notes, number)[1].url

    def _row(self, jobs: Sequence[Opened], notes: Sequence[str], number: str) -> tuple[Opened, Row]:
        wanted = int(number) if number.isascii() and number.isdigit() and len(number) < 15 else -1
        for job in jobs[:1]:
            for row in job.rows([wanted]):
                return job, row
        raise BadStore("; ".join(notes) or f"there is no page {number[:20]!r} in this crawl")

    def items(self, asked: Asked) -> list[Mapping[str, Any]]:
        """Of all that was found, best first."""
        with self._opened(asked.job) as (jobs, _):
            found = ask(jobs, Query(asked.words, EXPORTED, 0, asked.only))
            by_folder = {str(job.folder): job for job in jobs}
            whole = [(by_folder[hit.job].item(hit.number), hit) for hit in found.hits]
        return [{**item, "semrank": hit.relevance, "relevant": hit.relevant} for item, hit in whole if item]

    def newest(self, name: str, most: int = 50, relevant: bool = True) -> list[Row]:
        """The pages that came last."""
        with self._opened(name if name else "?") as (jobs, _):
            return [row for job in jobs for row in job.newest(Filter(relevant=relevant), most)]
