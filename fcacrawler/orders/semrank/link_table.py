"""What does not change about a link that waits is computed once and kept in columns, within bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from fcacrawler.judge.languages import other_language
from fcacrawler.judge.profile import Profile
from fcacrawler.lowlevel.columns import Column, WeightedRows
from fcacrawler.lowlevel.numbers import UNKNOWN
from fcacrawler.orders.semrank.copies import kind_of
from fcacrawler.orders.semrank.features import ANCHOR, CONTEXT, URL
from fcacrawler.orders.semrank.folders import folders
from fcacrawler.orders.semrank.groups import LEVELS
from fcacrawler.orders.semrank.known import Links, Said
from fcacrawler.orders.semrank.neighbours import Whole, whole
from fcacrawler.orders.semrank.page_table import PageTable
from fcacrawler.orders.semrank.places import groups
from fcacrawler.page.text.short_texts import LONG, Lexicon
from fcacrawler.values.links import Candidate, Evidence
from fcacrawler.vectors import Vectors, embed

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
KEPT = 50_000  # links and names


@dataclass(slots=True)
class Record:
    """One candidate: the numbers of what its URL and its name say, and of its links."""

    evidence: tuple[Evidence, ...]
    name: int
    links: list[int]


class Columns:
    """All that is kept of candidates, by the numbers of their links and of their names."""

    def __init__(self, size: int) -> None:
        self.said, self.called = WeightedRows(), WeightedRows()  # words of links' texts, two each; of names
        self.stands = Column(np.int64, 3)  # of links: the page and the slot where it stands, and the host
        self.paths = Column(np.int32, LEVELS)  # of links: where in the layout they stand
        self.vectors = Column(np.int16, size)  # of names: as ``near`` compares them
        self.places = Column(np.int32, LEVELS)  # of names
        self.clicked = Column(np.int32)  # of names: numbers of clicked pages
        self.kinds = Column(np.int32)  # of names: see ``Copies``
        self.says = Column(np.int8)  # of names: the number of another language that they name


@dataclass(frozen=True, slots=True)
class Batch:
    """Candidates to be ranked together: i has the links[first[i]:first[i+1]] and one name."""

    columns: Columns
    names: Ints
    links: Ints
    first: Ints
    depths: Ints

    @classmethod
    def of(cls, records: Sequence[Record], candidates: Sequence[Candidate], columns: Columns) -> Batch:
        names = np.array([r.name for r in records], np.int64)
        links = np.array([n for r in records for n in r.links], np.int64)
        first = np.array([0, *accumulate(len(r.links) for r in records)], np.int64)
        return cls(columns, names, links, first, np.array([c.depth for c in candidates], np.int64))

    @property
    def vectors(self) -> Whole:
        return np.asarray(self.columns.vectors.values[self.names])

    @property
    def known(self) -> Links:
        c = self.columns
        return Links(
            self.first,
            self.links,
            self.names,
            c.stands.values,
            _said(c.said),
            _said(c.called),
            c.places.values,
            c.paths.values,
            c.clicked.values,
            self.depths,
        )

    @property
    def hosts(self) -> NDArray[np.int32]:
        """Of names, as numbers: see ``folders``."""
        return np.asarray(self.columns.places.values[self.names, 0])

    @property
    def kinds(self) -> NDArray[np.int32]:
        """Of names: see ``Copies``."""
        return np.asarray(self.columns.kinds.values[self.names])

    @property
    def says(self) -> NDArray[np.int8]:
        """Of names: the number of another language that they name; a seed says nothing."""
        return np.where(self.depths > 0, self.columns.says.values[self.names], UNKNOWN)

    @property
    def paths(self) -> NDArray[np.int32]:
        """Where in the layout their links stand."""
        return np.asarray(self.columns.paths.values[self.links])

    def words(self) -> tuple[Ints, Floats]:
        """Those of the first candidate's first link, and of its URL, by where they stand."""
        said, called, link, name = _said(self.columns.said), _said(self.columns.called), self.links[0], self.names[0]
        ids, values = [], []
        for of, row, place in ((said, 2 * link, ANCHOR), (said, 2 * link + 1, CONTEXT), (called, name, URL)):
            start, end = of.starts[row : row + 2]
            ids.append(of.ids[start:end] + place)
            values.append(of.values[start:end])
        return np.concatenate(ids), np.concatenate(values)


class Unread:
    """What is to be read of the candidates of a batch: links and names, with the numbers that they are given."""

    def __init__(self, columns: Columns) -> None:
        self.links: list[Evidence] = []
        self.named: list[Candidate] = []
        self._parents = columns.stands.values[:, 0]
        self._first_name = len(columns.places.values)

    def record(self, candidate: Candidate, old: Record | None) -> Record:
        """What the candidate has from before is taken over."""
        if old is None:
            return Record(candidate.evidence, self._name(candidate), [self._link(e) for e in candidate.evidence])
        known = self._known(old)
        numbers = [
            number if (number := known.get((e.parent, e.position))) is not None else self._link(e)
            for e in candidate.evidence
        ]
        called = old.name if old.evidence[:1] == candidate.evidence[:1] else self._name(candidate)
        return Record(candidate.evidence, called, numbers)

    def _link(self, link: Evidence) -> int:
        self.links.append(link)
        return len(self._parents) + len(self.links) - 1

    def _name(self, candidate: Candidate) -> int:
        self.named.append(candidate)
        return self._first_name + len(self.named) - 1

    def _known(self, record: Record) -> dict[tuple[str, int], int]:
        """The numbers of links that are still right: a page that was not known may be known by now."""
        parents = self._parents
        return {
            (e.parent, e.position): n
            for e, n in zip(record.evidence, record.links, strict=True)
            if n >= len(parents) or parents[n] != UNKNOWN
        }


class LinkTable:
    """Records by URL. A cache, emptied when it is full: nothing that is learned is in it."""

    def __init__(self, profile: Profile, pages: PageTable, vectors: Vectors | None, wanted: frozenset[str]) -> None:
        """``wanted``: languages; none: that of the profile."""
        self._profile = profile
        self._wanted = wanted
        self._pages = pages
        self._vectors = vectors
        self._clicked: Mapping[str, int] = {}
        self._language = profile.language
        self.lexicon = Lexicon(self._language)
        self._empty()

    def renew(self, clicked: Mapping[str, int] | None = None) -> None:
        """The topic's language may have changed: with that of the seeds. Or other pages have been clicked, with these
        numbers."""
        if clicked is not None:
            self._clicked = clicked
            self._empty()
        if self._profile.language != self._language:
            self._language = self._profile.language
            self.lexicon = Lexicon(self._language)
            self._empty()

    def _empty(self) -> None:
        self._records: dict[str, Record] = {}
        self._columns = Columns(self._vectors.size if self._vectors else 0)

    def batch(self, candidates: Sequence[Candidate]) -> Batch:
        if len(self._columns.stands.values) + len(self._columns.places.values) > KEPT:
            self._empty()
        unread = Unread(self._columns)
        records = []
        for c in candidates:
            record = self._records.get(c.url)
            if record is None or record.evidence is not c.evidence:
                record = self._records[c.url] = unread.record(c, record)
            records.append(record)
        self._add(unread.links, unread.named)
        return Batch.of(records, candidates, self._columns)

    def read(self, candidate: Candidate) -> Batch:
        """A batch of one that is not kept: the candidate waits no longer."""
        batch = self.batch([candidate])
        del self._records[candidate.url]
        return batch

    def names(self, links: Sequence[tuple[str, str]]) -> list[str]:
        """What URLs are called by these anchors, where it has not been read yet."""
        news = [(url, anchor) for url, anchor in links if url not in self._records]
        words = self._profile.url_words(*[url for url, _ in news])
        return [name(said, anchor) for said, (_, anchor) in zip(words, news, strict=True)]

    def vector(self, url: str, anchor: str) -> NDArray[np.float32]:
        """Where there are vectors."""
        assert self._vectors is not None
        return np.asarray(embed(self._vectors, [name(self._profile.url_words(url)[0], anchor)], self._language)[0])

    def _meant(self, named: Sequence[Candidate], urls: Sequence[str]) -> Whole:
        """What their names mean."""
        if self._vectors is None:
            return np.zeros((len(named), 0), np.int16)
        names = [name(u, c.evidence[0].anchor if c.evidence else "") for c, u in zip(named, urls, strict=True)]
        return whole(embed(self._vectors, names, self._language))

    def _add(self, links: Sequence[Evidence], named: Sequence[Candidate]) -> None:
        """Read texts, all at once."""
        if not links and not named:
            return
        columns, told = self._columns, 2 * len(links)
        texts = [text for e in links for text in (e.anchor, middle(e.context))]
        parents = list({e.parent: None for e in links})  # most share theirs
        urls = self._profile.url_words(*[c.url for c in named])
        rows = self.lexicon.rows(texts + urls)
        pages = dict(zip(parents, self._pages.number.those(parents), strict=True))
        hosts = {p: folders(p)[0] for p in parents}
        stands = np.array([(pages[e.parent], e.position, hosts[e.parent]) for e in links], np.int64).reshape(-1, 3)
        stands[:, 1] = self._pages.slots(stands[:, 0], stands[:, 1])
        places = np.array([folders(c.url) for c in named], np.int32).reshape(-1, LEVELS)
        clicked = [self._clicked.get(c.url, UNKNOWN) for c in named]
        vectors = self._meant(named, urls)
        paths = groups(self._pages.codes(stands[:, 1]), stands[:, 2], stands[:, 0])
        columns.stands.extend(stands)
        columns.paths.extend(paths)
        columns.vectors.extend(vectors)
        columns.places.extend(places)
        columns.clicked.extend(clicked)
        columns.kinds.extend([kind_of(c.url) for c in named])
        columns.says.extend([other_language(c, self._wanted or {self._language}) for c in named])
        columns.said.extend(rows.starts[: told + 1], rows.ids, rows.values)
        columns.called.extend(rows.starts[told:], rows.ids, rows.values)


def _said(rows: WeightedRows) -> Said:
    return Said(rows.starts.values, rows.ids.values, rows.weights.values)


def name(url_words: str, anchor: str) -> str:
    """What a link calls its page: its anchor, and the words of the URL that the anchor lacks. A long number is no name.

    >>> name("steam locomotive 1829 1040735", "Steam engine")
    'Steam engine locomotive 1829'
    """
    have = anchor.lower().split()
    lacked = [w for w in url_words.split() if w.lower() not in have and not (len(w) > LONG and w.isdigit())]
    return " ".join([anchor, *lacked]).strip()


def middle(context: str) -> str:
    """The nearer half of the words around a link.

    >>> middle("one two three four five six seven eight")
    'four five six'
    """
    n = len(context)
    return context[context.find(" ", n // 4) + 1 : max(context.rfind(" ", 0, n - n // 4), 0)]
