"""Word vectors of pages and links as rows of a sparse matrix, for orders that learn from them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from fcacrawler.judge.profile import Vector

Row = tuple[NDArray[np.intp], NDArray[np.float64]]  # columns and their values


class WordRows:
    """The latest ``most`` vectors by name; columns are numbered as words become known."""

    def __init__(self, most: int = 2000) -> None:
        self.rows: dict[str, Row] = {}
        self._column: dict[str, int] = {}
        self._most = most

    def add(self, name: str, vector: Vector) -> Row:
        number = self._column
        columns = [number.setdefault(word, len(number)) for word in vector]
        row = np.array(columns, dtype=np.intp), np.fromiter(vector.values(), np.float64, len(columns))
        self.rows[name] = row
        if len(self.rows) > self._most:
            del self.rows[next(iter(self.rows))]
        return row

    def columns(self) -> list[str]:
        """Their names, in order."""
        return list(self._column)

    def matrix(self) -> sparse.csr_matrix:
        """The rows kept, in order of arrival, as wide as there are columns."""
        rows = list(self.rows.values())
        ends = np.cumsum([0, *(len(columns) for columns, _ in rows)])
        columns = np.concatenate([c for c, _ in rows]) if rows else np.zeros(0, dtype=np.intp)
        values = np.concatenate([v for _, v in rows]) if rows else np.zeros(0)
        return sparse.csr_matrix((values, columns, ends), shape=(len(rows), len(self._column)))


def dots(row: Row, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The row times every row of ``weights``; a column that is newer than ``weights`` counts 0.

    >>> dots((np.array([0, 2]), np.array([2.0, 5.0])), np.array([[1.0, 1.0], [3.0, 0.0]]))
    array([2., 6.])
    """
    columns, values = row
    known = columns < weights.shape[1]
    return np.asarray(weights[:, columns[known]] @ values[known])


def unit_rows(matrix: NDArray[np.float64] | Sequence[Sequence[float]]) -> NDArray[np.float64]:
    """Each row with L2 norm 1; a zero row stays zero.

    >>> unit_rows([[3.0, 4.0], [0.0, 0.0]])
    array([[0.6, 0.8],
           [0. , 0. ]])
    """
    dense = np.asarray(matrix, dtype=np.float64)
    length = np.linalg.norm(dense, axis=1, keepdims=True)
    return dense / np.where(length > 0, length, 1.0)
