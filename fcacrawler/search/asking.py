"""The pages of several crawls that answer a query best: words and vectors as one sum of evidence.

score = BM25 + u·share·z + 6·t·j³, u = 1 + 15·x²·v, t = 1 + max(6, 15·v)·x². BM25 is that of the stems and, as one more,
of all of them in a row. z is how far the page's cosine with the query lies above that of other pages (in standard
deviations), share the part of the best by words that have a vector at all (a query in a language that the vectors
cannot read has none), and j how much of its title the query is, and the other way round (Jaccard). x says how unsure
the words are: BM25 is a sum of log odds, so exp(BM25) makes them a distribution over pages, and x is its entropy, 0
where one page is meant and 1 where all are as likely. v says how sure the vectors are: how far the z of the best
hundredth lies above that of noise. So a name outweighs the meaning, and a subject that hundreds of pages speak of is
left to it, if it knows some.

Why so: decisions 250, 342, 397.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fcacrawler.page.text.stems import stems
from fcacrawler.search.evidence import CANDIDATES, Unsure, overlap, readable
from fcacrawler.search.facets import NONE, Facets, facets
from fcacrawler.search.nearness import Floats
from fcacrawler.search.opened import ANY, Filter, Opened, Row
from fcacrawler.search.snippets import Pieces, snippet
from fcacrawler.semrank.cover import KEYWORDS, cover
from fcacrawler.values.errors import FcaError

IN_A_ROW = 5  # words of a query from which on all of them in a row count as much as any one of them
TITLE = 6.0  # of a title that is the query, in standard deviations
BEST = 20  # pages by words, of which it is seen whether vectors can read the query
TITLES = 200  # of the best whose titles are looked at
NEAR = 1.0  # standard deviations from which on a page is found that has none of the words
LONGEST = 2_000  # characters of a query
MOST = 64  # stems of a query
FIRST = 10  # hits that between them show the concepts of what was found …
POOL = 100  # … as far as it is among so many
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
    facets: Facets = NONE
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
    asked: list[_Asked] = []
    for job in jobs:
        wanted = job.stems(words)
        if len(wanted) > MOST:
            notes.append(f"only the first {MOST} of {len(wanted)} different words are looked for")
        vector = job.vectors.embed([words])[0] if job.vectors is not None else None
        telling = job.stems(words, every=False) or wanted  # stop words only where there is nothing else
        looked = dict.fromkeys(telling[:MOST], 1.0)
        if 1 < len(telling) <= MOST:
            looked |= dict.fromkeys(job.rows_of_stems(words), min(1.0, (len(wanted) - 1) / (IN_A_ROW - 1)))
        worded = job.worded(looked, query.only, most)
        asked.append(_Asked(job, wanted[:MOST], worded, _meaning(job, vector, worded)))
    if not any(one.wanted for one in asked):
        raise FcaError("there is no word to look for: say some, such as auto racing")
    return _answered(asked, query, words, most, notes)


def alike(jobs: Sequence[Opened], job: Opened, row: Row, query: Query) -> Found:
    """Pages like this one, without it: by its best keywords and its vector. Of ``query`` the words do not count."""
    words = " ".join([row.title, *list(job.item(row.number).get("keywords", ()))[:LIKE]])
    most = max(CANDIDATES, query.skip + query.n)
    asked: list[_Asked] = []
    for other in jobs:
        same = other.vectors is not None and job.vectors is not None and other.vectors.size == job.vectors.size
        wanted = other.stems(words)[:MOST]
        worded = other.worded(dict.fromkeys(wanted, 1.0), query.only, most)
        asked.append(_Asked(other, wanted, worded, _meaning(other, job.vector(row.number) if same else None, worded)))
    return _answered(asked, query, words, most, but=row.same_as)


def told(jobs: Sequence[Opened], best: Sequence[tuple[str, float]], query: Query) -> Found:
    """What another engine has found, in its order, as far as these crawls have it. ``best``: URLs, with its scores."""
    score = dict(reversed(best))
    rows = [_Scored(score[row.url], job, row) for job in jobs for row in job.known([*score], query.only)]
    missing = len(score.keys() - {scored.row.url for scored in rows}) if not query.only else 0
    notes = [f"{missing} of the {len(score)} pages that were found there are in no crawl here"] if missing else []
    return _found(rows, query, query.words[:LONGEST], notes, 0.0)


class _Scored(NamedTuple):
    score: float
    job: Opened
    row: Row


class _Asked(NamedTuple):
    """A crawl, and what it says to the words."""

    job: Opened
    wanted: Sequence[str]  # stems
    worded: Mapping[int, float]  # number of a page → BM25, best first
    meaning: Floats  # number of a page → z; empty if there is no vector of the query


def _meaning(job: Opened, vector: Floats | None, worded: Mapping[int, float]) -> Floats:
    known = vector is not None and bool(vector.any())
    return job.meaning(vector, list(worded)) if vector is not None and known else np.zeros(0, np.float32)


def _answered(
    asked: Sequence[_Asked], query: Query, words: str, most: int, notes: Sequence[str] = (), but: str = ""
) -> Found:  # fmt: skip
    """``but``: the page whose like is looked for, which is not shown; nothing is covered then."""
    unsure = Unsure.of((s for one in asked for s in one.worded.values()), (one.meaning for one in asked))
    scored = (place for one in asked for place in _scored(one, query.only, most, unsure))
    left = [place for place in scored if place.row.same_as != but]
    return _found(left, query, words, notes, 0.0 if but else unsure.x)


def _scored(asked: _Asked, only: Filter, most: int, unsure: Unsure) -> list[_Scored]:
    """The candidates of one crawl."""
    job, wanted, worded, meaning = asked
    weight = unsure.vectors * readable(list(worded)[:BEST], meaning)
    numbers = list(dict.fromkeys([*worded, *(_nearest(job, meaning, only, most) if weight else ())]))
    near = [meaning[n] if n < len(meaning) else 0.0 for n in numbers] if weight else [0.0] * len(numbers)
    score = {n: worded.get(n, 0.0) + weight * float(z) for n, z in zip(numbers, near, strict=True)}
    rows = sorted(job.rows(numbers), key=lambda row: (-score[row.number], row.number))
    told = set(wanted)
    for row in rows[:TITLES]:
        if row.number in worded:
            alike = overlap(told, set(stems(row.title, row.language, every=True).split()))
            score[row.number] += TITLE * unsure.titles * alike**3
    return [_Scored(score[row.number], job, row) for row in rows]


def _nearest(job: Opened, meaning: Floats, only: Filter, most: int) -> list[int]:
    """Numbers of the pages that mean most nearly the same."""
    near = np.flatnonzero(meaning >= NEAR)
    if only:
        near = np.intersect1d(near, job.allowed(only))
    return greatest(meaning, near, most)


def greatest(values: Floats, among: NDArray[np.int64], most: int) -> list[int]:
    """At most so many of these places, those of the greatest values first, and of equals the earlier.

    >>> greatest(np.array([1, 3, 2, 3, 9], np.float32), np.array([0, 1, 2, 3]), 2)
    [1, 3]
    """
    if len(among) > most:
        among = among[values[among] >= np.partition(values[among], -most)[-most]]
    best: list[int] = among[np.argsort(-values[among], kind="stable")[:most]].tolist()
    return best


def _found(scored: Iterable[_Scored], query: Query, words: str, notes: Sequence[str], openness: float) -> Found:
    by_text: dict[str, _Group] = {}
    for score, job, row in sorted(scored, key=lambda place: -place.score):
        if (group := by_text.get(row.same_as)) is None:
            by_text[row.same_as] = _Group(job, row, score)
        elif row.url != group.row.url and row.url not in group.copies:
            group.copies.append(row.url)
            if row.url == row.same_as:  # the original stands for them
                group.copies[-1], group.job, group.row = group.row.url, job, row
    found = list(by_text.values())
    rows = [group.row for group in found]
    pool = rows[:POOL] if words else rows
    scores, keywords = [g.score for g in found], [[*filter(None, r.keywords.split("\n"))][:KEYWORDS] for r in pool]
    if words:
        first = covering(scores, keywords, openness)
    else:
        first = cover(scores, keywords, FIRST, (), vectors_of(found), [row.relevant for row in rows])
    groups = [found[place] for place in dict.fromkeys([*first, *range(len(found))])]
    shown = groups[query.skip : query.skip + query.n]
    return Found(
        hits=tuple(_hit(group, words) for group in shown),
        count=len(groups),
        facets=facets(rows),
        notes=tuple(dict.fromkeys(notes)),
    )


def vectors_of(groups: Sequence[_Group]) -> Floats | None:
    """A row a page; None where they come of crawls that compare texts by vectors of several sizes, or by none."""
    rows = [group.job.vector(group.row.number) for group in groups]
    size = max(map(len, rows), default=0)
    rows = [row if len(row) else np.zeros(size, np.float32) for row in rows]
    return np.stack(rows) if size and {len(row) for row in rows} == {size} else None


def covering(scores: Sequence[float], keywords: Sequence[Sequence[str]], openness: float) -> list[int]:
    """What stands on the first page, of what was found, by its places, best first: the best, then those that between
    them show the concepts of what is as likely to be meant. Where the words say which page is meant nothing moves:
    ``CANDIDATES`` ** openness pages are as good as equally likely.

    >>> covering([5.0, 4.0, 3.9, 3.8, 3.7, 3.6, 3.5], [["tea"]] * 4 + [["cup"]] * 3, 0.8)
    [0, 4, 1, 2, 3, 5, 6]
    >>> covering([5.0, 4.0, 3.9, 3.8, 3.7, 3.6, 3.5], [["tea"]] * 4 + [["cup"]] * 3, 0.1)
    []
    """
    pool = min(POOL, len(scores), int(CANDIDATES**openness))
    if pool <= 2:
        return []
    best, worst = scores[0], scores[pool - 1]
    ranks = [(score - worst) / max(best - worst, 1e-9) for score in scores[:pool]]
    return cover(ranks, keywords[:pool], FIRST, [0])


def browse(jobs: Sequence[Opened], query: Query) -> Found:
    """Where nothing is asked for: the first pages of the harvest (decision 206). Words do not count."""
    most = max(CANDIDATES, query.skip + query.n)
    best = [_Scored(row.relevance, job, row) for job in jobs for row in job.best(query.only, most)]
    return _found(best, query, "", [], 1.0)


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
