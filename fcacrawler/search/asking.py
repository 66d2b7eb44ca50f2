"""The pages of several crawls that answer a query best: words and vectors as one sum of evidence.

score = BM25 + 1.5 · share · z + 6 · j², where z is how far the page's cosine with the query lies above that of other
pages (in standard deviations), share the part of the best by words that have a vector at all (a query in a language
that the vectors cannot read has none), and j how much of its title the query is, and the other way round (Jaccard).
BM25 is a sum of log odds and grows with what the words say: a rare name outweighs the meaning, a common word does not.

Why so: decision 211.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fcacrawler.page.text.stems import stems
from fcacrawler.search.opened import ANY, Filter, Floats, Opened, Row
from fcacrawler.search.snippets import Pieces, snippet
from fcacrawler.values.errors import FcaError

VECTORS = 1.5  # weight of a standard deviation
TITLE = 6.0  # of a title that is the query
BEST = 20  # pages by words, of which it is seen whether vectors can read the query
TITLES = 200  # of the best whose titles are looked at
CANDIDATES = 500  # by words, and by vectors, of a crawl
NEAR = 1.0  # standard deviations from which on a page is found that has none of the words
LONGEST = 2_000  # characters of a query
MOST = 64  # stems of a query
LIKE = 12  # keywords of a page that stand for it


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked for."""

    words: str
    n: int = 10
    skip: int = 0
    only: Filter = ANY


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that was found."""

    job: str  # the folder of its crawl
    number: int
    score: float
    url: str
    title: str
    host: str
    language: str
    fetched: str
    relevance: float
    relevant: bool
    snippet: Pieces
    copies: tuple[str, ...]  # other pages with the same content


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a query."""

    hits: tuple[Hit, ...] = ()
    count: int = 0  # of all that were found, copies apart
    hosts: tuple[tuple[str, int], ...] = ()
    languages: tuple[tuple[str, int], ...] = ()
    notes: tuple[str, ...] = ()  # what whoever asked is to be told


@dataclass(slots=True)
class _Group:
    """A page and its copies, best first."""

    job: Opened
    row: Row
    score: float
    copies: list[str] = field(default_factory=list)


def ask(jobs: Sequence[Opened], query: Query) -> Found:
    """Raises FcaError for a query in which there is no word."""
    words = query.words[:LONGEST].encode("utf-8", "replace").decode()
    most = max(CANDIDATES, query.skip + query.n)
    notes = [f"only the first {LONGEST} characters are looked at"] if len(query.words) > LONGEST else []
    scored: list[tuple[float, Opened, Row]] = []
    any_word = False
    for job in jobs:
        wanted = job.stems(words)
        if len(wanted) > MOST:
            notes.append(f"only the first {MOST} of {len(wanted)} different words are looked for")
        any_word = any_word or bool(wanted)
        vector = job.vectors.embed([words])[0] if job.vectors is not None else None
        scored += _scored(job, wanted[:MOST], vector, query.only, most)
    if not any_word:
        raise FcaError("there is no word to look for: say some, such as auto racing")
    return _found(scored, query, words, notes)


def alike(jobs: Sequence[Opened], job: Opened, row: Row, query: Query) -> Found:
    """Pages like this one, without it: by its best keywords and its vector. Of ``query`` the words do not count."""
    words = " ".join([row.title, *list(job.item(row.number).get("keywords", ()))[:LIKE]])
    scored: list[tuple[float, Opened, Row]] = []
    for other in jobs:
        same = other.vectors is not None and job.vectors is not None and other.vectors.size == job.vectors.size
        vector = job.vector(row.number) if same else None
        wanted = other.stems(words)[:MOST]
        scored += _scored(other, wanted, vector, query.only, max(CANDIDATES, query.skip + query.n))
    return _found([place for place in scored if place[2].same_as != row.same_as], query, words, [])


def _scored(
    job: Opened, wanted: Sequence[str], vector: Floats | None, only: Filter, most: int
) -> list[tuple[float, Opened, Row]]:
    """The candidates of one crawl."""
    worded = job.worded(wanted, only, most)
    meaning = job.meaning(vector) if vector is not None and vector.any() else np.zeros(0, np.float32)
    weight = VECTORS * readable(list(worded)[:BEST], meaning)
    numbers = list(dict.fromkeys([*worded, *(_nearest(job, meaning, only, most) if weight else ())]))
    near = {n: float(meaning[n]) if n < len(meaning) else 0.0 for n in numbers}
    score = {n: worded.get(n, 0.0) + weight * near[n] for n in numbers}
    rows = sorted(job.rows(numbers), key=lambda row: (-score[row.number], row.number))
    told = set(wanted)
    for row in rows[:TITLES]:
        if row.number in worded:
            score[row.number] += TITLE * overlap(told, set(stems(row.title, row.language, every=True).split())) ** 2
    return [(score[row.number], job, row) for row in rows]


def _nearest(job: Opened, meaning: Floats, only: Filter, most: int) -> list[int]:
    """Numbers of the pages that mean most nearly the same."""
    near = np.flatnonzero(meaning >= NEAR)
    if only:
        near = np.intersect1d(near, job.allowed(only))
    best: list[int] = near[np.argsort(-meaning[near], kind="stable")[:most]].tolist()
    return best


def readable(best: Sequence[int], meaning: Floats) -> float:
    """The part of the best by words that have a vector: how far vectors can be asked at all.

    >>> readable([0, 2], np.array([1.5, -0.5, 0.0], np.float32)), readable([], np.array([], np.float32))
    (0.5, 0.0)
    """
    if not best:
        return float(bool(len(meaning)))
    return sum(n < len(meaning) and bool(meaning[n]) for n in best) / len(best)


def overlap(one: set[str], other: set[str]) -> float:
    """
    >>> overlap({"auto", "race"}, {"auto", "race", "histori"}) == 2 / 3, overlap(set(), set())
    (True, 0.0)
    """
    return len(one & other) / len(one | other) if one | other else 0.0


def _found(scored: Iterable[tuple[float, Opened, Row]], query: Query, words: str, notes: Sequence[str]) -> Found:
    groups: dict[str, _Group] = {}
    for score, job, row in sorted(scored, key=lambda place: -place[0]):
        if (group := groups.get(row.same_as)) is None:
            groups[row.same_as] = _Group(job, row, score)
        elif row.url != group.row.url and row.url not in group.copies:
            group.copies.append(row.url)
            if row.url == row.same_as:  # the original stands for them
                group.copies[-1], group.job, group.row = group.row.url, job, row
    shown = list(groups.values())[query.skip : query.skip + query.n]
    return Found(
        hits=tuple(_hit(group, words) for group in shown),
        count=len(groups),
        hosts=_counted(group.row.host for group in groups.values()),
        languages=_counted(group.row.language for group in groups.values()),
        notes=tuple(dict.fromkeys(notes)),
    )


def _hit(group: _Group, words: str) -> Hit:
    job, row = group.job, group.row
    item: Any = job.item(row.number)
    return Hit(
        job=str(job.folder),
        number=row.number,
        score=round(group.score, 4),
        url=row.url,
        title=row.title or row.url,
        host=row.host,
        language=row.language,
        fetched=item.get("fetched_at", row.fetched),
        relevance=row.relevance,
        relevant=bool(row.relevant),
        snippet=snippet(item.get("text", ""), row.language, set(stems(words, row.language).split())),
        copies=tuple(group.copies),
    )


def _counted(names: Iterable[str]) -> tuple[tuple[str, int], ...]:
    return tuple(Counter(names).most_common(10))
