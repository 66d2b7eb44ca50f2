"""A judge for whom only pages in wanted languages are relevant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from fcacrawler.judge.languages import Wanted
from fcacrawler.judge.page_links import PageLinks
from fcacrawler.judge.profile import Profile
from fcacrawler.judge.topic_judge import TopicJudge
from fcacrawler.lowlevel.columns import Column
from fcacrawler.lowlevel.numbers import UNKNOWN
from fcacrawler.values.marks import Mark
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.verdicts import Judged

Floats = NDArray[np.float64]


class InLanguages:
    """What another judge says of a page, if its language is wanted or cannot be told, or a user has marked it; else 0.

    That one judges all pages, so that a page in another language, which a seed may be, still says what the topic is.
    """

    def __init__(self, judge: TopicJudge, wanted: Wanted) -> None:
        self._judge, self.wanted = judge, wanted
        self._has = Column(np.float64)  # of each page 1 or 0

    @property
    def marks(self) -> Mapping[str, bool]:
        return self._judge.marks

    @property
    def doubted(self) -> Mapping[str, str]:
        return self._judge.doubted

    @property
    def profile(self) -> Profile:
        return self._judge.profile

    @property
    def linked(self) -> PageLinks:
        return self._judge.linked

    def mark(self, said: Sequence[tuple[Mark, SeenPage | None]]) -> None:
        self._judge.mark(said)

    def observe(self, page: SeenPage) -> Judged:
        judged, has = self._judge.observe(page), float(self.wanted.has(page.language))
        if judged.again:
            self._has.values[judged.number] = has
        else:
            self._has.extend([has])
            self.wanted.learn(page)
        counts = self._counts(judged.number, page.url)
        return judged._replace(relevance=judged.relevance * counts, guess=judged.guess * counts)

    def moved(self, n: int) -> Mapping[int, float]:
        return self._judge.moved(n)

    def texts(self, page: SeenPage) -> Sequence[str]:
        return self._judge.texts(page)

    def relevance(self, url: str) -> float | None:
        found = self._judge.relevance(url)
        return None if found is None else found * self._counts(self.linked.number.get(url), url)

    def parts(self, url: str) -> Mapping[str, float]:
        n = self.linked.number.get(url)
        return {} if n == UNKNOWN else {**self._judge.parts(url), "language": float(self._has.values[n])}

    def accounts(self) -> tuple[Sequence[str], Floats]:
        names, rows = self._judge.accounts()
        return [*names, "language"], np.column_stack([rows, self._has.values])

    def relevances(self) -> Floats:
        return np.asarray(self._judge.relevances() * self._all_counts())

    def guesses(self) -> Floats:
        return np.asarray(self._judge.guesses() * self._all_counts())

    def speech(self) -> Floats:
        return self._judge.speech()

    def _all_counts(self) -> Floats:
        counts = self._has.values.copy()
        numbers = [self.linked.number.get(url) for url in self.marks]
        counts[[n for n in numbers if n != UNKNOWN]] = 1
        return counts

    def _counts(self, n: int, url: str) -> float:
        return 1.0 if url in self.marks else float(self._has.values[n])
