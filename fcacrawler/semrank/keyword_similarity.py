"""How similar two keywords are: one small door, and the two similarities that need no knowledge of words.

Others behind the same door: ``ics.LogSimilarity`` (the papers'), ``lexical.LexicalSimilarity`` (a taxonomy's).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from fcacrawler.semrank.kernels.arrays import Floats


class KeywordSimilarity(Protocol):
    """Similarity of keywords: in [0, 1], symmetric, and 1 of a keyword with itself."""

    def matrix(self, rows: Sequence[str], columns: Sequence[str]) -> Floats:
        """The similarity of every row keyword with every column keyword."""
        ...


class Exact:
    """1 for the same keyword, 0 for any other.

    >>> Exact().matrix(["a", "b"], ["b", "c"]).tolist()
    [[0.0, 0.0], [1.0, 0.0]]
    """

    def matrix(self, rows: Sequence[str], columns: Sequence[str]) -> Floats:
        out = np.zeros((len(rows), len(columns)))
        set_equal(out, rows, columns)
        return out


class Vectors:
    """Cosine of given vectors, cut at 0; a keyword without a vector (or with the zero vector) is like itself alone.

    >>> v = Vectors({"car": [1.0, 0.0], "auto": [4.0, 3.0], "cat": [-1.0, 0.0]})
    >>> v.matrix(["car"], ["car", "auto", "cat", "dog"]).round(3).tolist()
    [[1.0, 0.8, 0.0, 0.0]]
    """

    def __init__(self, vectors: Mapping[str, Sequence[float]]) -> None:
        given = {k: np.asarray(v, dtype=np.float64) for k, v in vectors.items()}
        if len({v.shape for v in given.values()}) > 1:
            raise ValueError("vectors of keywords differ in length")
        bad = next((k for k, v in given.items() if not np.isfinite(v).all()), None)
        if bad is not None:
            raise ValueError(f"the vector of {bad!r} is not finite")
        lengths = {k: float(np.linalg.norm(v)) for k, v in given.items()}
        self._unit = {k: v / lengths[k] for k, v in given.items() if lengths[k] > 0}

    def matrix(self, rows: Sequence[str], columns: Sequence[str]) -> Floats:
        out = np.zeros((len(rows), len(columns)))
        i = [k for k, n in enumerate(rows) if n in self._unit]
        j = [k for k, n in enumerate(columns) if n in self._unit]
        if i and j:
            left = np.stack([self._unit[rows[k]] for k in i])
            right = np.stack([self._unit[columns[k]] for k in j])
            out[np.ix_(i, j)] = np.clip(left @ right.T, 0.0, 1.0)
        set_equal(out, rows, columns)
        return out


def set_equal(out: Floats, rows: Sequence[str], columns: Sequence[str]) -> None:
    """Set the similarity of each keyword with itself to 1."""
    place = {n: j for j, n in enumerate(columns)}
    for i, n in enumerate(rows):
        if n in place:
            out[i, place[n]] = 1.0
