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
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from fcacrawler.vectors.wordpiece import pieces

Array = NDArray[np.float32]
CACHED = 50_000  # words whose rows are remembered
_WORD = re.compile(r"[^\W_]+")


class Static:
    """Rows of words and word pieces."""

    languages = frozenset({"en"})
    slow = False

    def __init__(self, names: Sequence[str], rows: NDArray[np.int8], scales: NDArray[np.float16]) -> None:
        self._vocabulary = {name: i for i, name in enumerate(names)}
        self._rows = rows
        self._scales = scales.astype(np.float32)
        self._known: dict[str, tuple[int, ...]] = {}
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
        found = [self.numbers(text) for text in texts]
        ends = np.cumsum([0, *map(len, found)], dtype=np.int32)
        flat = np.fromiter(chain.from_iterable(found), np.int32, ends[-1])
        words = np.arange(len(flat), dtype=np.int32)
        of_words = sparse.csr_array((self._scales[flat], words, ends), (len(texts), len(flat)))
        out: Array = of_words @ self._rows[flat].astype(np.float32)
        out /= np.maximum(np.sqrt(np.einsum("ij,ij->i", out, out)), 1e-9)[:, None]
        return out

    def numbers(self, text: str) -> list[int]:
        """The rows of a text's words; a word that is not known by itself counts by its pieces."""
        text = text.lower()
        if not text.isascii():
            text = "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")
        found: list[int] = []
        for word in _WORD.findall(text):
            known = self._known.get(word)
            found += self._learn(word) if known is None else known
        return found

    def _learn(self, word: str) -> tuple[int, ...]:
        if len(self._known) >= CACHED:
            self._known.clear()
        vocabulary = self._vocabulary
        rows = (
            (vocabulary[word],)
            if word in vocabulary
            else tuple(vocabulary[p] for p in pieces(word, vocabulary) if p in vocabulary)
        )
        self._known[word] = rows
        return rows


def _array(file: Traversable) -> NDArray[Any]:
    """An .npy file: mapped where it lies on a disk, read where it lies in a zipped egg."""
    if isinstance(file, Path):
        mapped: NDArray[Any] = np.load(file, mmap_mode="r")
        return mapped
    read: NDArray[Any] = np.load(io.BytesIO(file.read_bytes()))
    return read
