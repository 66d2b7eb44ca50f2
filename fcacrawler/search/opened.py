"""One crawl's index, to be asked: which pages have the words of a query, and which mean nearly the same.

Why so: decision 210.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fcacrawler.frontier.sqlite.salvage import Salvage
from fcacrawler.frontier.sqlite.store import read_store
from fcacrawler.page.text.stems import stems
from fcacrawler.search.index import LATE, ROWS, keyword_token, read_index
from fcacrawler.vectors import Vectors

Floats = NDArray[np.float32]
Half = NDArray[np.float16]

WEIGHTS = "4.0, 1.0, 1.0, 0.0"  # of words in the title, in what links call the page and in its URL, in the text
LANGUAGES = 8  # a query is read in so many of the harvest's languages, the commonest
BLOCK = 4096  # rows that are widened at a time …
WIDE = 200_000  # … of crawls of more pages than these; those of others are kept in memory, 1 kB a page
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


def quoted(word: str) -> str:
    """As FTS5 has it: nothing in it is syntax."""
    return '"' + word.replace('"', '""') + '"'


class Opened:
    """For one thread; as it is at this moment."""

    def __init__(self, folder: Path, vectors: Vectors | None) -> None:
        self.folder = folder
        self.vectors = vectors
        self._db = read_index(folder)
        self._salvage: Salvage | None = None
        self._rows = rows(folder / ROWS, vectors.size) if vectors is not None else np.zeros((0, 1), np.float16)
        common = "SELECT language FROM docs WHERE arrival IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ?"
        self.languages: list[str] = [language for (language,) in self._db.execute(common, (LANGUAGES,))]

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

    def worded(self, wanted: Iterable[str], only: Filter, most: int) -> dict[int, float]:
        """The pages that have any of these stems, best first: number → BM25."""
        match = " OR ".join(map(quoted, wanted))
        if not match:
            return {}
        test, values = only.sql()
        allowed = f"AND rowid IN (SELECT number FROM docs WHERE {test})" if only else ""
        rank = f"bm25(words, {WEIGHTS})"
        found = self._db.execute(
            f"SELECT rowid, -{rank} FROM words WHERE words MATCH ? {allowed} ORDER BY {rank}, rowid LIMIT ?",
            (match, *(values if only else ()), most),
        )
        return dict(found.fetchall())

    def meaning(self, query: Floats) -> Floats:
        """Of every page by number: how many standard deviations its cosine with the query lies above the mean of all;
        0 for pages without a vector."""
        cosines = np.empty(len(self._rows), np.float32)
        wide = widened(self.folder / ROWS, self._rows) if 0 < len(cosines) <= WIDE else cosines[:0]
        cosines[: len(wide)] = wide @ query if len(wide) else 0
        for start in range(len(wide), len(cosines), BLOCK):
            cosines[start : start + BLOCK] = self._rows[start : start + BLOCK].astype(np.float32) @ query
        known = cosines != 0
        if known.sum() < 2:
            return np.zeros_like(cosines)
        spread = cosines[known].std() + 1e-6
        return np.where(known, (cosines - cosines[known].mean()) / spread, 0).astype(np.float32)

    def allowed(self, only: Filter) -> NDArray[np.int64]:
        """The numbers of such pages."""
        test, values = only.sql()
        found = self._db.execute(f"SELECT number FROM docs WHERE {test} ORDER BY number", values)
        return np.fromiter((n for (n,) in found), np.int64)

    def vector(self, number: int) -> Floats:
        """A page's."""
        return self._rows[number].astype(np.float32) if number < len(self._rows) else np.zeros(0, np.float32)

    def rows(self, numbers: Sequence[int]) -> Iterator[Row]:
        columns = ", ".join(Row._fields)
        chosen = f"SELECT {columns} FROM docs WHERE arrival IS NOT NULL AND number IN (SELECT value FROM json_each(?))"
        for row in self._db.execute(chosen, (json.dumps(numbers),)):
            yield Row(*row)

    def newest(self, only: Filter, most: int) -> Iterator[Row]:
        """The pages that came last."""
        return self._sorted(only, "number DESC", most)

    def best(self, only: Filter, most: int) -> Iterator[Row]:
        """The most relevant."""
        return self._sorted(only, "relevant DESC, relevance DESC, number", most)

    def _sorted(self, only: Filter, by: str, most: int) -> Iterator[Row]:
        (test, values), columns = only.sql(), ", ".join(Row._fields)
        for row in self._db.execute(f"SELECT {columns} FROM docs WHERE {test} ORDER BY {by} LIMIT ?", (*values, most)):
            yield Row(*row)

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


def rows(path: Path, size: int) -> Half:
    """The vectors in a file, mapped into memory; a row that is being written is left out."""
    count = path.stat().st_size // (2 * size) if path.exists() else 0
    if not count:
        return np.zeros((0, size), np.float16)
    return np.memmap(path, np.float16, "r", shape=(count, size))


_known: dict[Path, tuple[int, Floats]] = {}  # of this process: the file's number, and its rows
_one = Lock()


def widened(path: Path, narrow: Half) -> Floats:
    """The rows in single precision, made once for all threads. A page may come later than those after it."""
    with _one:
        file = path.stat().st_ino
        known, wide = _known.get(path, (0, None))
        if wide is None or known != file or wide.shape[1] != narrow.shape[1] or len(wide) > len(narrow):
            wide = narrow.astype(np.float32)
        elif len(wide) < len(narrow):
            firm = max(0, len(wide) - LATE)
            wide = np.concatenate([wide[:firm], narrow[firm:].astype(np.float32)])
        _known[path] = file, wide
        return wide
