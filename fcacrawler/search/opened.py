"""One crawl's index, to be asked: which pages have the words of a query, and which mean nearly the same.

Why so: decision 210.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fcacrawler.frontier.sqlite.salvage import Salvage
from fcacrawler.frontier.sqlite.store import read_store
from fcacrawler.page.text.stems import stems
from fcacrawler.search.index import ROWS, keyword_token, read_index
from fcacrawler.search.nearness import Floats, nearness, rows
from fcacrawler.search.postings import Postings, quoted
from fcacrawler.vectors import Vectors

LANGUAGES = 8  # a query is read in so many of the harvest's languages, the commonest
BEARS = "number IN (SELECT rowid FROM words WHERE words MATCH ?)"
TAUGHT = "SELECT substr(term, 2), doc FROM vocabulary WHERE term >= ? AND term < ? LIMIT ?"
MOST_TERMS = 500  # that are looked at for suggestions


class Filter(NamedTuple):
    """Which pages are asked for; "" and 0: any."""

    host: str = ""
    language: str = ""
    relevant: bool = False
    least: float = 0.0  # relevance
    since: str = ""  # fetched then or later, ISO 8601
    concept: tuple[str, ...] = ()  # keywords that it has, all of them

    def __bool__(self) -> bool:
        return any(self)

    def sql(self) -> tuple[str, tuple[Any, ...]]:
        """What a page must fulfil, and the values of its question marks."""
        asked = ("host = ?", "language = ?", "relevant = ?", "relevance >= ?", "fetched >= ?", BEARS)
        values = (*self[:5], " AND ".join(f"keywords : {quoted(keyword_token(k))}" for k in self.concept))
        wanted = [(test, value) for test, value in zip(asked, values, strict=True) if value]
        return " AND ".join(["arrival IS NOT NULL", *(test for test, _ in wanted)]), tuple(v for _, v in wanted)


ANY = Filter()


class _Allowed(NamedTuple):
    """The pages that a filter lets through."""

    version: int  # of the index
    only: Filter
    numbers: NDArray[np.int64]


class Row(NamedTuple):
    """A page as the index knows it."""

    number: int
    url: str
    title: str
    host: str
    language: str
    fetched: str
    relevance: float
    relevant: bool
    same_as: str
    keywords: str  # a line each, best first


_postings = Postings()  # of this process


class Opened:
    """For one thread; as it is at this moment."""

    def __init__(self, folder: Path, vectors: Vectors | None) -> None:
        self.folder = folder
        self.vectors = vectors
        self._db = read_index(folder)
        self._salvage: Salvage | None = None
        self._allowed = _Allowed(-1, ANY, np.zeros(0, np.int64))
        self._rows = rows(folder / ROWS, vectors.size) if vectors is not None else np.zeros((0, 1), np.float16)

    @cached_property
    def languages(self) -> list[str]:
        """The commonest when it was first asked."""
        common = "SELECT language FROM docs WHERE arrival IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ?"
        return [language for (language,) in self._db.execute(common, (LANGUAGES,))]

    def follow(self) -> None:
        """Vectors that have come since are seen too; rows always are."""
        if self.vectors is not None:
            path = self.folder / ROWS
            if path.exists() and path.stat().st_size // (2 * self.vectors.size) != len(self._rows):
                self._rows = rows(path, self.vectors.size)

    def __len__(self) -> int:
        (count,) = self._db.execute("SELECT count(*) FROM docs WHERE arrival IS NOT NULL").fetchone()
        return int(count)

    def stems(self, words: str, every: bool = True) -> list[str]:
        """Of a query, each once, as the languages of the harvest have them; ``every``: stop words too."""
        found = (stem for language in self.languages or [""] for stem in stems(words, language, every=every).split())
        return list(dict.fromkeys(found))

    def rows_of_stems(self, words: str) -> list[str]:
        """All stems of a query that say something, in a row, as each language has them; none of a single stem."""
        found = (stems(words, language) for language in self.languages or [""])
        return [row for row in dict.fromkeys(found) if " " in row]

    def worded(self, wanted: Mapping[str, float], only: Filter, most: int) -> dict[int, float]:
        """The pages that have any of these stems, or stems in a row, best first: number → BM25. ``wanted``: what each
        of them weighs."""
        scores = _postings.scores(self._db, wanted)
        if only:
            kept = np.zeros(len(scores), np.bool_)
            allowed = self.allowed(only)
            kept[allowed[allowed < len(scores)]] = True
            scores[~kept] = 0
        found = np.flatnonzero(scores)
        if len(found) > most:
            found = found[scores[found] >= np.partition(scores[found], -most)[-most]]
        best = found[np.lexsort((found, -scores[found]))][:most]
        return dict(zip(best.tolist(), scores[best].tolist(), strict=True))

    def meaning(self, query: Floats, also: Sequence[int] = ()) -> Floats:
        """Of every page by number: how far it is nearer to this vector than usual. ``also``: pages of which that must
        be known."""
        return nearness(self.folder / ROWS, self._rows, query, also)

    def allowed(self, only: Filter) -> NDArray[np.int64]:
        """The numbers of such pages; those of the last filter are kept until there is something new."""
        (version,) = self._db.execute("PRAGMA data_version").fetchone()
        if (self._allowed.version, self._allowed.only) != (version, only):
            test, values = only.sql()
            found = self._db.execute(f"SELECT number FROM docs WHERE {test} ORDER BY number", values).fetchall()
            self._allowed = _Allowed(version, only, np.array(found, np.int64).reshape(-1))
        return self._allowed.numbers

    def vector(self, number: int) -> Floats:
        """A page's."""
        return self._rows[number].astype(np.float32) if number < len(self._rows) else np.zeros(0, np.float32)

    def rows(self, numbers: Sequence[int]) -> list[Row]:
        columns = ", ".join(Row._fields)
        chosen = f"SELECT {columns} FROM docs WHERE arrival IS NOT NULL AND number IN (SELECT value FROM json_each(?))"
        return [Row(*row) for row in self._db.execute(chosen, (json.dumps(numbers),)).fetchall()]

    def known(self, urls: Sequence[str], only: Filter) -> list[Row]:
        """Those of these pages that it has, as far as they are asked for."""
        test, values = only.sql()
        chosen = f"SELECT {', '.join(Row._fields)} FROM docs WHERE url IN (SELECT value FROM json_each(?)) AND {test}"
        return [Row(*row) for row in self._db.execute(chosen, (json.dumps(urls), *values)).fetchall()]

    def newest(self, only: Filter, most: int) -> list[Row]:
        """The pages that came last."""
        return self._sorted(only, "number DESC", most)

    def best(self, only: Filter, most: int) -> list[Row]:
        """The most relevant."""
        return self._sorted(only, "relevant DESC, relevance DESC, number", most)

    def _sorted(self, only: Filter, by: str, most: int) -> list[Row]:
        (test, values), columns = only.sql(), ", ".join(Row._fields)
        found = self._db.execute(f"SELECT {columns} FROM docs WHERE {test} ORDER BY {by} LIMIT ?", (*values, most))
        return [Row(*row) for row in found.fetchall()]

    def keywords(self, beginning: str, most: int) -> list[str]:
        """Keywords of pages that begin so, those of most pages first."""
        first = keyword_token(beginning.lower())
        found = self._db.execute(TAUGHT, (first, first + chr(0x10FFFF), MOST_TERMS)).fetchall()
        return [word.replace("_", " ") for word, _ in sorted(found, key=lambda known: (-known[1], known[0]))[:most]]

    def judged(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Of all pages in the order in which they came: which are relevant as is thought now, and which are copies."""
        rows = self._db.execute("SELECT relevant, url <> same_as FROM docs WHERE arrival IS NOT NULL ORDER BY number")
        both = np.array(rows.fetchall(), np.bool_).reshape(-1, 2)
        return both[:, 0], both[:, 1]

    def hosts(self, most: int) -> list[tuple[str, int, int]]:
        """Those of most pages: host, pages, and how many of them are relevant."""
        counted = "SELECT host, count(*), sum(relevant) FROM docs WHERE arrival IS NOT NULL GROUP BY 1"
        return self._db.execute(f"{counted} ORDER BY 2 DESC, 1 LIMIT ?", (most,)).fetchall()

    def at(self, url: str) -> Row | None:
        """The page of a URL."""
        columns = ", ".join(Row._fields)
        found = self._db.execute(f"SELECT {columns} FROM docs WHERE url = ? AND arrival IS NOT NULL", (url,)).fetchone()
        return Row(*found) if found else None

    def item(self, number: int) -> Mapping[str, Any]:
        """As it is in the crawl's store now; empty if it cannot be read."""
        if self._salvage is None:
            self._store = read_store(self.folder)
            self._salvage = Salvage(self._store)
        item: dict[str, Any] = json.loads(self._salvage.item_at(number) or "{}")
        if item and not item.get("text") and (page := self._salvage.page_at(number)) is not None:  # FCA_TEXT=0
            item["text"] = page.text
        return item

    def close(self) -> None:
        self._db.close()
        if self._salvage is not None:
            self._store.close()
