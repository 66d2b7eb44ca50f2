"""Shark-search told the same vectors as the default order, so that the two differ in their order alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fcacrawler.orders import Given
from fcacrawler.orders.rivals.shark import Shark
from fcacrawler.orders.semrank.link_table import name
from fcacrawler.values.pages import SeenPage
from fcacrawler.vectors import Array, embed


class SharkVectors(Shark):
    """Shark-search whose similarities of pages and of anchors are the mean of two: the words' cosine, and the cosine of
    the vector of title or name with the mean of those of the topic's words and of the seeds' titles."""

    def __init__(self, given: Given) -> None:
        super().__init__(given)
        self._vectors = given.vectors
        self._topic = self._embed(given.topic.words)

    def learn(self, page: SeenPage, relevance: float) -> None:
        if page.depth == 0:
            self._topic = self._topic + self._embed(page.title)
        super().learn(page, relevance)

    def texts(self, page: SeenPage) -> Sequence[str]:
        links = () if self._vectors is None else page.links
        return [page.title, *(self._name(link.url, link.anchor) for link in links)]

    def similarity(self, page: SeenPage) -> float:
        return (super().similarity(page) + self._cosine(page.title)) / 2

    def anchor(self, url: str, text: str) -> float:
        return (super().anchor(url, text) + self._cosine(self._name(url, text))) / 2

    def _name(self, url: str, anchor: str) -> str:
        return name(self._profile.url_words(url)[0], anchor)

    def _cosine(self, text: str) -> float:
        """With the topic, 0 at the least."""
        return max(0.0, float(self._embed(text) @ self._topic) / max(float(np.linalg.norm(self._topic)), 1e-9))

    def _embed(self, text: str) -> Array:
        if self._vectors is None:
            return np.zeros(1, np.float32)
        return np.asarray(embed(self._vectors, [text], self._profile.language)[0])
