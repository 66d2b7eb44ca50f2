"""A simulated user, who marks so many of the pages that a compared crawl fetches, by the labels."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from fcacrawler.orders import Judge
from fcacrawler.values.marks import Mark

Pick = Callable[[NDArray[np.float64], float, random.Random], int]

MARKING: dict[str, Pick] = {  # which of these pages, by what is thought of them and γ, is marked next
    "uncertain": lambda ranks, gamma, dice: int(np.abs(ranks - gamma).argmin()),
    "top": lambda ranks, gamma, dice: int(ranks.argmax()),
    "random": lambda ranks, gamma, dice: dice.randrange(len(ranks)),
}


class User:
    """Marks one page at a time: the first after half of a stretch, of which as many as marks make up the budget."""

    def __init__(self, judge: Judge, marks: int, marking: str, gamma: float, budget: int, name: str) -> None:
        """``name``: of the crawl; the dice are its own."""
        self._judge = judge
        self._pick = MARKING[marking]
        self._gamma = gamma
        self._dice = random.Random(f"{name}/{marking}")
        self._due = [round((n + 0.5) * budget / marks) for n in range(marks)]
        self._said: set[str] = set()

    def look(self, fetched: int, pages: Sequence[tuple[str, bool]]) -> list[Mark]:
        """What is said after so many fetches; ``pages``: those read, each with what is true of it."""
        said = []
        while self._due and fetched >= self._due[0]:
            unsaid = [page for page in dict(pages).items() if page[0] not in self._said]
            if not unsaid:
                break
            self._due.pop(0)
            ranks = np.array([self._judge.relevance(url) or 0.0 for url, _ in unsaid])
            url, about = unsaid[self._pick(ranks, self._gamma, self._dice)]
            self._said.add(url)
            said.append(Mark(url, about, "labels"))
        return said
