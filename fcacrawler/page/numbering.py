"""Words as numbers, so that a page is weighed by whole arrays: half of what dicts of strings cost.

Numbers depend on what has been read before, so nothing that comes out of here may depend on them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
_MOST = 100_000  # tokens; then it begins anew


class Numbering(dict[str, int]):
    """Token → number of its name (a stem, or a plain form); 0 for what has none."""

    names: list[str]
    weights: NDArray[np.float64]
    """By number; may be longer than ``names``."""

    def __init__(self, name_of: Mapping[str, str], weight_of: Mapping[str, float]) -> None:
        super().__init__()
        self._name_of = name_of
        self._weight_of = weight_of
        self._begin()

    def _begin(self) -> None:
        self.clear()
        self.names = [""]
        self.weights = np.zeros(1024)
        self._known: dict[str, int] = {"": 0}

    def __missing__(self, token: str) -> int:
        name = self._name_of[token]
        number = self._known.get(name)
        if number is None:
            number = self._known[name] = len(self.names)
            self.names.append(name)
            if number == len(self.weights):
                self.weights = np.concatenate([self.weights, np.zeros(number)])
            self.weights[number] = self._weight_of[name]
        self[token] = number
        return number

    def read(self, *texts: Sequence[str]) -> list[Numbers]:
        """The numbers of the tokens of some texts; they hold until the next reading."""
        if len(self) > _MOST:
            self._begin()
        return [np.fromiter(map(self.__getitem__, tokens), np.int64, len(tokens)) for tokens in texts]
