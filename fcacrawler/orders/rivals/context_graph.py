"""Context graphs: *Diligenti, Coetzee, Lawrence, Giles & Gori 2000* (LCGCrawler of *Du & Hai 2013*)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fcacrawler.orders import Given
from fcacrawler.orders.rivals.layers import LAYERS, LayeredOrder
from fcacrawler.orders.rivals.rows import Row, dots

LENGTH = 30.0  # words that a page's vector stands for; sets how sure naive Bayes is
SMOOTHING = 0.01  # occurrences of every word in every layer beforehand


class ContextGraph(LayeredOrder):
    """A naive Bayes classifier tells a page's layer, its distance to a target; a page's links wait in the queue of its
    layer, the surer the earlier; nearest layer first. Pages that belong to no layer are the last queue."""

    def __init__(self, given: Given) -> None:
        super().__init__(given, 25)
        self._log: NDArray[np.float64] = np.zeros((LAYERS + 1, 0))  # ln P(word | layer)
        self._prior: NDArray[np.float64] = np.zeros(LAYERS + 1)

    def _train(self) -> None:
        layer = self._layers.layers()[self._layers.numbers(self._rows.rows)]
        member = (layer[:, None] == np.arange(LAYERS + 1)).astype(float)
        words = SMOOTHING + np.asarray((self._rows.matrix().T @ member).T)
        self._log = np.log(words / words.sum(axis=1, keepdims=True))
        self._prior = np.log((1 + member.sum(axis=0)) / (LAYERS + 1 + len(layer)))

    def _worth(self, row: Row) -> float:
        """(LAYERS - layer + P(layer)) / (LAYERS + 1): the queue and the place in it as one number."""
        columns, values = row
        likelihood = self._prior + LENGTH * dots((columns, values / max(1e-9, values.sum())), self._log)
        p = np.exp(likelihood - likelihood.max())
        best = int(p.argmax())
        return (LAYERS - best + float(p[best] / p.sum())) / (LAYERS + 1)
