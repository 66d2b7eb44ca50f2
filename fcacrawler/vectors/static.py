"""One vector a word, looked up: microseconds a text, no model at run time.

The rows were distilled from sentence models (``distill``). A text's vector is norm Σ s·q over its words, where s is a
word's scale, which holds how much the word weighs, and q its row: a byte for every few of its numbers, which says which
of the 256 entries of their book they are (product quantisation: Jégou, Douze & Schmid 2011). The first rows, English,
have twice as many bytes as the others. The numbers of a byte do not stand together, so that each has one that varies
much.
"""

from __future__ import annotations

import io
import json
from collections.abc import Collection, Sequence
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fcacrawler.lowlevel.compiled import compiled
from fcacrawler.lowlevel.spellings import Spellings
from fcacrawler.vectors.parts import parts, spellings, words

Array = NDArray[np.float32]
Ints = NDArray[np.int64]
Codes = NDArray[np.uint8]


class Rows(NamedTuple):
    """Rows as numbers of entries in books: ``codes`` are rows × bytes, ``books`` bytes × 256 × numbers of a byte."""

    fine: Codes
    fine_books: Array
    codes: Codes
    books: Array
    scales: Array

    @classmethod
    def of(cls, fine: Codes, fine_books: Any, codes: Codes, books: Any, scales: Any) -> Rows:
        """Codes are views that nobody writes to, as where they are mapped: one kind of array, compiled once."""
        views = [x.view() for x in (fine, codes)]
        for view in views:
            view.flags.writeable = False
        return cls(
            views[0], fine_books.astype(np.float32), views[1], books.astype(np.float32), scales.astype(np.float32)
        )

    def cosines(self, vector: Array) -> Array:
        """Of each row with a unit vector: what each entry adds is told once, and looked up."""
        found = [
            says[np.arange(len(says)), codes].sum(1)
            / np.maximum(np.sqrt(squares[np.arange(len(says)), codes].sum(1)), 1e-9)
            for codes, books in ((self.fine, self.fine_books), (self.codes, self.books))
            for parts in [vector.reshape(books.shape[2], -1).T]
            for says, squares in [(np.einsum("bek,bk->be", books, parts), np.einsum("bek,bek->be", books, books))]
        ]
        return np.asarray(np.concatenate(found), np.float32)


class Static:
    """Rows of words and of what continues them."""

    slow = False

    def __init__(self, names: Sequence[str], rows: Rows, languages: Collection[str]) -> None:
        self.languages = frozenset(languages)
        self.names = names
        self._vocabulary = {name: i for i, name in enumerate(names)}
        self._spellings, self._lock = Spellings(self._known), Lock()
        self._rows = rows
        self.size = rows.books.shape[0] * rows.books.shape[2]

    @classmethod
    def shipped(cls) -> Static:
        """The vectors that come with the project."""
        return cls.read(files("fcacrawler.vectors") / "data")

    @classmethod
    def read(cls, folder: Traversable) -> Static:
        """A folder as ``distill`` writes it, mapped into memory where it is a real one (inside an egg it is read)."""
        names = (folder / "words.txt").read_text(encoding="utf-8").split("\n")
        languages = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))["languages"]
        return cls(names, Rows.of(*(_array(folder / f"{name}.npy") for name in Rows._fields)), languages)

    def embed(self, texts: Sequence[str]) -> Array:
        words, owner = self.numbers(texts)
        out: Array = np.zeros((len(texts), self.size), np.float32)
        _add(words, owner, *self._rows, out)
        out /= np.maximum(np.sqrt(np.einsum("ij,ij->i", out, out)), 1e-9)[:, None]
        return out

    def numbers(self, texts: Sequence[str]) -> tuple[Ints, Ints]:
        """The rows of the texts' words, and whose each is."""
        with self._lock:
            return self._spellings.read(texts)

    def near(self, text: str, most: int) -> list[tuple[str, float]]:
        """The words whose vectors are nearest to the text's, with their cosines, best first, English ones of an English
        text; those of the text itself and pieces of words left out."""
        (vector,), said = self.embed([text]), set(self.numbers([text])[0].tolist())
        if not vector.any():
            return []
        cosines = self._rows.cosines(vector)
        if max(said) < len(self._rows.fine):
            cosines = cosines[: len(self._rows.fine)]
        best = np.argsort(-cosines, kind="stable")[: 4 * most + len(said)].tolist()
        words = [i for i in best if i not in said and len(self.names[i]) > 2 and self.names[i].isalpha()]
        return [(self.names[i], float(cosines[i])) for i in words[:most]]

    def abroad(self, word: str, most: int) -> list[tuple[str, float]]:
        """The words of any language whose vectors are nearest to this word's, best first: so many English ones, and as
        many others."""
        (vector,), fine = self.embed([word]), len(self._rows.fine)
        if not vector.any():
            return []
        cosines = self._rows.cosines(vector)
        both = np.concatenate([np.argsort(-cosines[:fine])[:most], fine + np.argsort(-cosines[fine:])[:most]])
        best = both[np.argsort(-cosines[both], kind="stable")].tolist()
        return [(self.names[i], float(cosines[i])) for i in best if self.names[i].isalpha()]

    def nearest(self, text: str, rows: Sequence[int], most: int = 5) -> list[tuple[str, float]]:
        """Of these rows' words those whose vectors are nearest to the text's, with their cosines, best first."""
        (vector,), among = self.embed([text]), np.asarray(rows, np.int64)
        cosines = self._rows.cosines(vector)[among]
        best = np.argsort(-cosines, kind="stable")[:most] if vector.any() else among[:0]
        return [(self.names[among[i]], float(cosines[i])) for i in best.tolist()]

    @cached_property
    def _plain(self) -> dict[str, str]:
        """Made when the first word comes that has no row by itself: .2 s."""
        return spellings(self.names)

    def _known(self, runs: Sequence[str]) -> list[list[int]]:
        """The rows of the words in runs of characters."""
        known, found = self._vocabulary, []
        for run in runs:
            if run in known:
                found.append([known[run]])
            else:
                found.append([known[p] for word in words(run) for p in parts(word, known, self._plain)])
        return found


@compiled
def _add(
    words: Ints, owner: Ints, fine: Codes, fine_books: Array, codes: Codes, books: Array, scales: Array, sums: Array
) -> None:
    """sums[owner] += scale · row, of every word."""
    for i in range(len(words)):
        word, scale = words[i], scales[words[i]]
        if word < len(fine):
            for byte in range(fine.shape[1]):
                for k in range(fine_books.shape[2]):
                    sums[owner[i], k * fine.shape[1] + byte] += scale * fine_books[byte, fine[word, byte], k]
        else:
            for byte in range(codes.shape[1]):
                code = codes[word - len(fine), byte]
                for k in range(books.shape[2]):
                    sums[owner[i], k * codes.shape[1] + byte] += scale * books[byte, code, k]


def _array(file: Traversable) -> NDArray[Any]:
    """An .npy file: mapped where it lies on a disk, read where it lies in a zipped egg."""
    if isinstance(file, Path):
        return np.asarray(np.load(file, mmap_mode="r"))
    read: NDArray[Any] = np.load(io.BytesIO(file.read_bytes()))
    return read
