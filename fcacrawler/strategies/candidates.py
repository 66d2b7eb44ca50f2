"""What does not change about a link that waits is computed once and kept, within bounds."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fcacrawler.items import Candidate, Evidence
from fcacrawler.strategies.harvest import Harvest
from fcacrawler.strategies.learning import WordOutcomes
from fcacrawler.strategies.lexicon import SPACE, Lexicon, dense, sums
from fcacrawler.strategies.profile import Profile
from fcacrawler.vectors import Vectors, embed

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Row = tuple[Ints, Floats]  # words and their weights; an anchor's, a URL's and a context's have numbers of their own
KEPT = 20_000  # candidates


@dataclass(slots=True)
class Record:
    """One candidate: its links, and what its URL and its name say. Numbers and slots are the harvest's."""

    evidence: tuple[Evidence, ...]
    parents: Ints
    slots: Ints
    anchors: Floats  # cosines with the topic
    contexts: Floats
    rows: list[Row]
    url: float
    url_row: Row
    vector: NDArray[np.float32]
    outcome: float = 0.0  # of its words, by the learner's …
    version: int = -1  # … version

    def words(self) -> Row:
        """Those of the first link, and of the URL."""
        (a, v), (b, w) = self.rows[0], self.url_row
        return np.concatenate([a, b]), np.concatenate([v, w])


@dataclass(frozen=True, slots=True)
class Batch:
    """Candidates to be ranked together: their links one after the other, ``owner`` says whose each is."""

    records: list[Record]
    owner: Ints
    count: Ints
    parents: Ints
    slots: Ints
    anchors: Floats
    contexts: Floats
    urls: Floats
    vectors: NDArray[np.float32]

    @classmethod
    def of(cls, records: list[Record]) -> Batch:
        count = np.array([len(r.evidence) for r in records])
        return cls(
            records,
            np.repeat(np.arange(len(records)), count),
            count,
            np.concatenate([r.parents for r in records]),
            np.concatenate([r.slots for r in records]),
            np.concatenate([r.anchors for r in records]),
            np.concatenate([r.contexts for r in records]),
            np.array([r.url for r in records]),
            np.stack([r.vector for r in records]),
        )

    def outcomes(self, learned: WordOutcomes) -> Floats:
        """Σ weights of the words at a link, mean over the links, plus those of the URL."""
        stale = [r for r in self.records if r.version != learned.version]
        if stale:
            rows = [row for r in stale for row in (*r.rows, r.url_row)]
            ids, values = (np.concatenate(parts) for parts in zip(*rows, strict=True))
            said = sums(learned.weights[ids] * values, np.cumsum([0, *(len(a) for a, _ in rows)]))
            links = np.array([len(r.rows) for r in stale])
            ends = np.cumsum(links + 1)
            shares = np.repeat(1 / np.maximum(links, 1), links + 1)
            shares[ends - 1] = 1.0
            total = sums(said * shares, np.concatenate(([0], ends)))
            for r, outcome in zip(stale, total.tolist(), strict=True):
                r.outcome, r.version = outcome, learned.version
        return np.array([r.outcome for r in self.records])


class Candidates:
    """Records by URL. A cache: nothing that is learned is in it."""

    def __init__(self, profile: Profile, harvest: Harvest, vectors: Vectors | None) -> None:
        self._profile = profile
        self._harvest = harvest
        self._vectors = vectors
        self._records: OrderedDict[str, Record] = OrderedDict()
        self._language = ""
        self._vector: object = None
        self.renew()

    def renew(self) -> None:
        """The topic's profile has changed, if it has."""
        if self._profile.language != self._language:
            self._language = self._profile.language
            self._lexicon = Lexicon(self._language)
        if self._profile.vector is not self._vector:
            self._vector = self._profile.vector
            self._topic = dense(self._profile.vector)
            self._records.clear()

    def batch(self, candidates: Sequence[Candidate]) -> Batch:
        records = [self._records.get(c.url) for c in candidates]
        news = [i for i, c in enumerate(candidates) if (r := records[i]) is None or r.evidence is not c.evidence]
        for i, record in zip(news, self._read([(candidates[i], records[i]) for i in news]), strict=True):
            records[i] = self._records[candidates[i].url] = record
        while len(self._records) > KEPT:
            self._records.popitem(last=False)
        return Batch.of([r for r in records if r is not None])

    def read(self, candidate: Candidate) -> Batch:
        """A batch of one that is not kept: the candidate waits no longer."""
        return Batch.of(self._read([(candidate, self._records.pop(candidate.url, None))]))

    def vector(self, url: str, anchor: str) -> NDArray[np.float32]:
        return np.asarray(self._embed([name(self._profile.url_words(url), anchor)])[0])

    def _embed(self, names: Sequence[str]) -> NDArray[np.float32]:
        if self._vectors is None:
            return np.zeros((len(names), 0), np.float32)
        return embed(self._vectors, names, self._language)

    def _read(self, found: Sequence[tuple[Candidate, Record | None]]) -> list[Record]:
        """Read what is new about candidates, all texts at once. Of a record from before, what it has is taken over."""
        before = [_places(r) for _, r in found]
        fresh = [i for i, (c, r) in enumerate(found) if r is None or c.evidence[:1] != r.evidence[:1]]
        links = [
            (i, j)
            for i, ((c, _), places) in enumerate(zip(found, before, strict=True))
            for j, e in enumerate(c.evidence)
            if (e.parent, e.position) not in places
        ]
        texts = [t for i, j in links for e in (found[i][0].evidence[j],) for t in (e.anchor, middle(e.context))]
        urls = [self._profile.url_words(found[i][0].url) for i in fresh]
        rows = self._lexicon.rows(texts + urls)
        cosines = np.clip(rows.dot(self._topic), 0.0, 1.0)
        news = {
            at: (cosines[2 * k], cosines[2 * k + 1], _joined(rows[2 * k], rows[2 * k + 1]))
            for k, at in enumerate(links)
        }
        names = [
            name(u, found[i][0].evidence[0].anchor if found[i][0].evidence else "")
            for i, u in zip(fresh, urls, strict=True)
        ]
        vectors = self._embed(names)
        said = {
            i: (float(cosines[len(texts) + k]), _shifted(rows[len(texts) + k], SPACE), vectors[k])
            for k, i in enumerate(fresh)
        }
        return [self._record(i, c, r, before[i], news, said) for i, (c, r) in enumerate(found)]

    def _record(
        self,
        i: int,
        candidate: Candidate,
        old: Record | None,
        places: dict[tuple[str, int], int],
        news: dict[tuple[int, int], tuple[float, float, Row]],
        said: dict[int, tuple[float, Row, NDArray[np.float32]]],
    ) -> Record:
        links = []
        for j, e in enumerate(candidate.evidence):
            at = places.get((e.parent, e.position))
            if at is None or old is None:
                links.append(news[i, j])
            else:
                links.append((old.anchors[at], old.contexts[at], old.rows[at]))
        known = [self._harvest.known(e) for e in candidate.evidence]
        url, url_row, vector = said[i] if i in said or old is None else (old.url, old.url_row, old.vector)
        return Record(
            candidate.evidence,
            np.array([parent for parent, _ in known], np.int64),
            np.array([slot for _, slot in known], np.int64),
            np.array([link[0] for link in links], np.float64),
            np.array([link[1] for link in links], np.float64),
            [link[2] for link in links],
            url,
            url_row,
            vector,
        )


def name(url_words: str, anchor: str) -> str:
    """What a link calls its page: its anchor, and the words of the URL that the anchor lacks.

    >>> name("steam locomotive", "Steam engine")
    'Steam engine locomotive'
    """
    have = anchor.lower().split()
    return " ".join([anchor, *(w for w in url_words.split() if w.lower() not in have)]).strip()


def middle(context: str) -> str:
    """The nearer half of the words around a link.

    >>> middle("one two three four five six seven eight")
    'four five six'
    """
    n = len(context)
    return context[context.find(" ", n // 4) + 1 : max(context.rfind(" ", 0, n - n // 4), 0)]


def _places(record: Record | None) -> dict[tuple[str, int], int]:
    """Where each link is, of a record that is still right."""
    if record is None:
        return {}
    return {(e.parent, e.position): j for j, e in enumerate(record.evidence)}


def _joined(anchor: Row, context: Row) -> Row:
    ids, values = _shifted(context, 2 * SPACE)
    return np.concatenate([anchor[0], ids]), np.concatenate([anchor[1], values])


def _shifted(row: Row, by: int) -> Row:
    return row[0] + by, row[1]
