"""The labels as a judge: what an order could find if every page were judged rightly. In comparisons only."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fcacrawler.judge.topic_judge import TopicJudge
from fcacrawler.orders import Given
from fcacrawler.values.marks import Mark
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.verdicts import Judged


class Labelled(TopicJudge):
    """Thinks of every page that has come what its label says, 1 or 0; all else is as ever: what seeds say, how words
    are used."""

    def __init__(self, given: Given, about: Callable[[str], bool]) -> None:
        """``about`` says of a URL whether its page is labelled relevant."""
        super().__init__(given.profile, given.vectors)
        self._about = about
        self._labels: list[float] = []

    def observe(self, page: SeenPage) -> Judged:
        judged = super().observe(page)
        if not judged.again:
            self._labels.append(float(self._about(page.url)))
        self._guesses.values[:] = self._labels
        return judged._replace(relevance=self._labels[judged.number], guess=self._labels[judged.number])

    def mark(self, said: Sequence[tuple[Mark, SeenPage | None]]) -> None:
        super().mark(said)
        self._guesses.values[:] = self._labels
