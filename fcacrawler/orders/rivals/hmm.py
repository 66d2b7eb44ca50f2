"""Hidden Markov crawler: *Liu, Janssen & Milios 2006*."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from fcacrawler.orders import Given
from fcacrawler.orders.plain import PlainOrder
from fcacrawler.orders.rivals.layers import LAYERS, Layers
from fcacrawler.orders.rivals.rows import Row, WordRows, dots, unit_rows
from fcacrawler.orders.schedule import Schedule
from fcacrawler.values.clicks import Clicks
from fcacrawler.values.links import Candidate
from fcacrawler.values.pages import SeenPage

Floats = NDArray[np.float64]

STATES = LAYERS + 1  # links to a target: 0, 1, 2, more
CLUSTERS = 40
SYMBOLS = 2 * CLUSTERS  # a cluster and a verdict
ROUNDS = 3  # of k-means, from the centres of the last time
CLOSE = np.array([*(0.5**s for s in range(LAYERS)), 0.0])  # what a state is worth


class HiddenMarkov(PlainOrder):
    """Hidden states are distances to a target; what is observed of a page on a path is its cluster, and whether the
    judge finds it relevant. A link is worth the expected closeness of the page that it leads to,
    Σ_s P(next state = s | what was observed so far)·0.5^s, meant over the paths that lead there.

    Clusters are spherical k-means of the fetched pages. Transitions and emissions are counted, since the distances of
    fetched pages are known: over the links among them, and over the clicks of a log, from page to page.
    """

    def __init__(self, given: Given) -> None:
        self.epoch = 0
        self._clicks = given.clicks
        self._relevance_of = given.judge.relevance
        self._gamma = given.gamma
        self._layers = Layers(given)
        self._rows = WordRows()
        self._schedule = Schedule(25)
        self._parent: dict[str, str] = {}
        self._centres: Floats = np.zeros((CLUSTERS, 0))
        self._emit: Floats = np.full((STATES, SYMBOLS), 1 / SYMBOLS)  # P(symbol | state)
        self._move: Floats = np.full((STATES, STATES), 1 / STATES)  # P(next state | state)
        self._start: Floats = np.full(STATES, 1 / STATES)
        self._belief: dict[str, Floats] = {}  # P(state | symbols so far), by page

    def clicked(self, clicks: Clicks) -> None:
        self._clicks += clicks

    def learn(self, page: SeenPage, relevance: float) -> None:
        self._layers.add(page)
        if page.evidence:
            self._parent[page.url] = page.evidence[0].parent
        row = self._rows.add(page.url, page.terms)
        if self._schedule.due(len(self._layers)):
            self._train()
        else:
            self._believe(page.url, self._symbol(page.url, self._cluster(row)))

    def _train(self) -> None:
        layer = self._layers.layers()
        urls = list(self._rows.rows)
        clusters = self._learn_clusters().tolist()
        symbols = [self._symbol(url, cluster) for url, cluster in zip(urls, clusters, strict=True)]
        numbers = dict(zip(urls, self._layers.numbers(urls), strict=True))
        emit = np.ones((STATES, SYMBOLS))
        np.add.at(emit, (layer[list(numbers.values())], np.array(symbols)), 1.0)
        move = np.ones((STATES, STATES))
        source, target = self._layers.links()
        np.add.at(move, (layer[source], layer[target]), 1.0)
        for a, b, times in self._clicks.straight():
            if a in numbers and b in numbers:
                move[layer[numbers[a]], layer[numbers[b]]] += times
        self._emit = emit / emit.sum(axis=1, keepdims=True)
        self._move = move / move.sum(axis=1, keepdims=True)
        self._start = np.bincount(layer, minlength=STATES) / len(layer)
        for url, symbol in zip(urls, symbols, strict=True):
            self._believe(url, symbol)
        self.epoch += 1

    def _learn_clusters(self) -> NDArray[np.intp]:
        rows = self._rows.matrix()
        known = self._centres.shape[1]
        centres = np.zeros((CLUSTERS, rows.shape[1]))
        centres[:, :known] = self._centres
        empty = np.flatnonzero(~centres.any(axis=1))
        first = np.linspace(0, rows.shape[0] - 1, len(empty)).astype(np.intp)
        centres[empty] = rows[first].toarray()
        for _ in range(ROUNDS):
            nearest = nearest_of(rows, centres)
            member = (nearest[:, None] == np.arange(CLUSTERS)).astype(float)
            centres = unit_rows(np.asarray((rows.T @ member).T))
        self._centres = centres
        return nearest_of(rows, centres)

    def _cluster(self, row: Row) -> int:
        return int(dots(row, self._centres).argmax())

    def _symbol(self, url: str, cluster: int) -> int:
        return cluster + CLUSTERS * ((self._relevance_of(url) or 0.0) > self._gamma)

    def _believe(self, url: str, symbol: int) -> None:
        """One step of the forward algorithm, from the page's parent."""
        before = self._belief.get(self._parent.get(url, ""))
        belief = self._emit[:, symbol] * (self._start if before is None else before @ self._move)
        self._belief[url] = belief / belief.sum()

    def score(self, candidate: Candidate) -> float:
        beliefs = [b for e in candidate.evidence if (b := self._belief.get(e.parent)) is not None]
        return float(sum(beliefs) @ self._move @ CLOSE) / len(beliefs) if beliefs else 0.0


def nearest_of(rows: sparse.csr_matrix, centres: Floats) -> NDArray[np.intp]:
    """The nearest centre of each row, by cosine."""
    return np.asarray(np.argmax(rows @ centres.T, axis=1), dtype=np.intp)
