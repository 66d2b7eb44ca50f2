"""A classifier of links, learned while crawling: *Barbosa & Freire 2007*, as ACHE does; labels from the page judge."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import minimize

from fcacrawler.orders import Given
from fcacrawler.orders.plain import PlainOrder
from fcacrawler.orders.rivals.rows import WordRows
from fcacrawler.orders.schedule import Schedule
from fcacrawler.values.links import Candidate, Evidence
from fcacrawler.values.pages import SeenPage

Floats = NDArray[np.float64]

PENALTY = 1 / 3  # λ of L2
PARENT = 3.0  # scale of the linking page's relevance beside words of norm 1
ENOUGH = 10  # examples before the first training
UNTAUGHT = {"a": 0.5, "c": 0.2, "u": 0.5, "parent": 0.3 / PARENT}  # weights of cosines before it


class LinkClassifier(PlainOrder):
    """The odds of a link's page being relevant, by logistic regression on the words of anchor (a), context (c) and URL
    (u) and on the relevance of the linking page; the best link to a candidate counts.

    An example is a fetched page with the link that it was first found by. Both classes weigh the same. Before there are
    examples of both, the cosines of the texts with the topic stand in.
    """

    def __init__(self, given: Given) -> None:
        self.epoch = 0
        self._profile = given.profile
        self._relevance_of = given.judge.relevance
        self._gamma = given.gamma
        self._rows = WordRows()
        self._schedule = Schedule(25)
        self._weights: dict[str, float] = {}
        self._words: dict[tuple[str, str], float] = {}  # (field, text) → its part of the score

    def learn(self, page: SeenPage, relevance: float) -> None:
        if page.evidence:
            self._rows.add(page.url, self._features(page.url, page.evidence[0]))
            if len(self._rows.rows) >= ENOUGH and self._schedule.due(len(self._rows.rows)):
                self._train()
        elif page.depth == 0:  # the profile has changed
            self._words.clear()
            self.epoch += 1

    def _features(self, url: str, link: Evidence) -> dict[str, float]:
        found = {"": 1.0, "parent": PARENT * (self._relevance_of(link.parent) or 0.0)}
        for field, text in (("a", link.anchor), ("c", link.context), ("u", *self._profile.url_words(url))):
            found.update((f"{field}:{word}", weight) for word, weight in self._profile.vector_of(text).items())
        return found

    def _train(self) -> None:
        relevance = np.array([self._relevance_of(url) or 0.0 for url in self._rows.rows])
        relevant = relevance > self._gamma
        if relevant.all() or not relevant.any():
            relevant = relevance > np.median(relevance)
        if relevant.any():
            weights = logistic(self._rows.matrix(), relevant)
            self._weights = dict(zip(self._rows.columns(), weights.tolist(), strict=True))
            self._words.clear()
            self.epoch += 1

    def score(self, candidate: Candidate) -> float:
        if not candidate.evidence:
            return 0.0
        url = self._part("u", *self._profile.url_words(candidate.url))
        parent = PARENT * (self._weights or UNTAUGHT).get("parent", 0.0)
        odds = url + max(
            self._part("a", e.anchor) + self._part("c", e.context) + parent * (self._relevance_of(e.parent) or 0.0)
            for e in candidate.evidence
        )
        return 1 / (1 + math.exp(-odds))

    def _part(self, field: str, text: str) -> float:
        known = self._words.get((field, text))
        if known is None:
            known = self._words[field, text] = self._weigh(field, text)
        return known

    def _weigh(self, field: str, text: str) -> float:
        if not self._weights:
            return UNTAUGHT[field] * self._profile.text(text)
        words = self._profile.vector_of(text)
        return sum(w * self._weights.get(f"{field}:{word}", 0.0) for word, w in words.items())


def logistic(rows: sparse.csr_matrix, relevant: NDArray[np.bool_]) -> Floats:
    """argmin over w of Σ c·ln(1 + exp(-y·w·x)) + λ/2·|w|², y = ±1, c = n / (2·size of the class).

    >>> w = logistic(sparse.csr_matrix([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]), np.array([True, False, False]))
    >>> bool(w[0] > 0 > w[1]), round(float(w[0] + w[1]), 6)
    (True, 0.0)
    """
    y = np.where(relevant, 1.0, -1.0)
    c = len(y) / (2 * np.where(relevant, relevant.sum(), (~relevant).sum()))

    def loss(w: Floats) -> tuple[float, Floats]:
        margin = y * (rows @ w)
        slope = -c * y / (1 + np.exp(np.clip(margin, -50, 50)))
        value = float((c * np.logaddexp(0, -margin)).sum() + PENALTY / 2 * (w @ w))
        return value, np.asarray(rows.T @ slope) + PENALTY * w

    return np.asarray(minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 50}).x)
