"""Relevancy context graphs: *Hsu & Wu 2006* (RCGCrawler of *Du & Hai 2013*)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fcacrawler.orders import Given
from fcacrawler.orders.rivals.graph import sums
from fcacrawler.orders.rivals.layers import LAYERS, LayeredOrder
from fcacrawler.orders.rivals.rows import Row, dots, unit_rows

ALPHA = 0.7  # a page in layer i is worth α^i


class RelevancyGraph(LayeredOrder):
    """A page is worth max over layers i of α^i·cos(page, layer i), and so is a link on it.

    A layer is the mean of the pages weighted by how much they belong to it: to layer 0 as far as they are relevant, to
    layer i+1 as far as the pages they link to belong to layer i; less the mean of all pages, since what is in every
    layer tells none.
    """

    def __init__(self, given: Given) -> None:
        super().__init__(given, 10)
        self._centres: NDArray[np.float64] = np.zeros((LAYERS, 0))

    def _train(self) -> None:
        source, target = self._layers.links()
        size = len(self._layers)
        member = np.zeros((LAYERS, size))
        member[0] = self._layers.relevance()
        out = np.bincount(source, minlength=size)
        for i in range(1, LAYERS):
            member[i] = sums(source, member[i - 1][target], size) / np.maximum(out, 1)
        member = member[:, self._layers.numbers(self._rows.rows)]
        rows = self._rows.matrix()
        centres = unit_rows(np.asarray((rows.T @ member.T).T))
        self._centres = unit_rows(np.maximum(0.0, centres - unit_rows(np.asarray(rows.mean(axis=0)).reshape(1, -1))))

    def _worth(self, row: Row) -> float:
        return float((ALPHA ** np.arange(LAYERS) * dots(row, self._centres)).max())
