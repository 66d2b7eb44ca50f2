"""One vector a word, looked up: microseconds a text, no model at run time.

The rows were distilled from a sentence model (``distill``). A text's vector is norm Σ s·q over its words, where q is a
word's int8 row and s its scale, which holds how much the word weighs.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fcacrawler.lowlevel.compiled import compiled
from fcacrawler.lowlevel.spellings import Spellings
from fcacrawler.vectors.wordpiece import pieces

Array = NDArray[np.float32]
Ints = NDArray[np.int64]
_WORD = re.compile(r"[^\W_]+")


class Static:
    """Rows of words and word pieces."""

    languages = frozenset({"en"})
    slow = False

    def __init__(self, names: Sequence[str], rows: NDArray[np.int8], scales: NDArray[np.float16]) -> None:
        self._vocabulary = {name: i for i, name in enumerate(names)}
        self._spellings, self._lock = Spellings(self._known), Lock()
        self._rows = rows.view()
        self._rows.flags.writeable = False  # as where it is mapped: one kind of array, compiled once
        self._scales = scales.astype(np.float32)
        self.size = rows.shape[1]

    @classmethod
    def shipped(cls) -> Static:
        """The vectors that come with the project."""
        return cls.read(files("fcacrawler.vectors") / "data")

    @classmethod
    def read(cls, folder: Traversable) -> Static:
        """A folder as ``distill`` writes it, mapped into memory where it is a real one (inside an egg it is read)."""
        names = (folder / "words.txt").read_text(encoding="utf-8").split("\n")
        return cls(names, _array(folder / "vectors.npy"), _array(folder / "scales.npy"))

    def embed(self, texts: Sequence[str]) -> Array:
        words, owner = self.numbers(texts)
        out: Array = np.zeros((len(texts), self.size), np.float32)
        _add(words, owner, self._rows, self._scales, out)
        out /= np.maximum(np.sqrt(np.einsum("ij,ij->i", out, out)), 1e-9)[:, None]
        return out

    def numbers(self, texts: Sequence[str]) -> tuple[Ints, Ints]:
        """The rows of the texts' words, and whose each is."""
        with self._lock:
            return self._spellings.read(texts)

    def near(self, text: str, most: int) -> list[tuple[str, float]]:
        """The words whose vectors are nearest to the text's, with their cosines, best first; those of the text itself
        and pieces of words left out."""
        (vector,), said = self.embed([text]), set(self.numbers([text])[0].tolist())
        if not vector.any():
            return []
        norms = np.sqrt(np.einsum("ij,ij->i", self._rows, self._rows, dtype=np.float32))
        cosines = (self._rows @ vector) / np.maximum(norms, 1e-9)
        best = np.argsort(-cosines, kind="stable")[: 4 * most + len(said)].tolist()
        names = list(self._vocabulary)
        words = [i for i in best if i not in said and len(names[i]) > 2 and names[i].isalpha()]
        return [(names[i], float(cosines[i])) for i in words[:most]]

    def _known(self, runs: Sequence[str]) -> list[list[int]]:
        """The rows of the words in runs of characters; a word that is not known by itself counts by its pieces."""
        known, found = self._vocabulary, []
        for run in runs:
            if not run.isascii():
                run = "".join(c for c in unicodedata.normalize("NFD", run.lower()) if unicodedata.category(c) != "Mn")
            words = ([word] if word in known else pieces(word, known) for word in _WORD.findall(run))
            found.append([known[piece] for piece in chain.from_iterable(words) if piece in known])
        return found


@compiled
def _add(words: Ints, owner: Ints, rows: NDArray[np.int8], scales: Array, sums: Array) -> None:
    """sums[owner] += scale · row, of every word."""
    for i in range(len(words)):
        scale = scales[words[i]]
        for k in range(sums.shape[1]):
            sums[owner[i], k] += scale * np.float32(rows[words[i], k])


def _array(file: Traversable) -> NDArray[Any]:
    """An .npy file: mapped where it lies on a disk, read where it lies in a zipped egg."""
    if isinstance(file, Path):
        return np.asarray(np.load(file, mmap_mode="r"))
    read: NDArray[Any] = np.load(io.BytesIO(file.read_bytes()))
    return read
