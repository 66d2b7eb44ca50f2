"""Which pages of a crawl a user should be asked about: those whose marks would teach most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fcacrawler.app.explain import Job
from fcacrawler.app.marks import said
from fcacrawler.app.opinion import keep, opinion_of
from fcacrawler.frontier.sqlite.mark_log import NAME, append
from fcacrawler.judge.profile import Vector, dot
from fcacrawler.page import key_of
from fcacrawler.values.pages import SeenPage

LOOKED_AT = 100  # of the pages that the judge is least sure of


@dataclass(frozen=True, slots=True)
class Proposal:
    """A page to be marked."""

    url: str
    title: str
    lead: str  # the beginning of its text
    rank: float
    why: str
    path: tuple[str, ...]  # URLs from the seed to its parent


class Review:
    """A crawl in a folder, replayed; what is said here counts at once, here and in the folder."""

    def __init__(self, folder: Path, progress: Callable[[int, int], None] = lambda n, count: None) -> None:
        self._folder = folder
        self.job = Job(folder, progress)
        self.crawl = self.job.replayed()
        self.gamma = self.crawl.options.gamma
        self._shown: dict[str, Vector] = {}
        self._before = self._verdicts()

    def _verdicts(self) -> dict[str, bool]:
        ranks = self.crawl.judge.relevances().tolist()
        return {url: rank > self.gamma for url, rank in zip(self.job.observed, ranks, strict=True)}

    def next(self) -> Proposal | None:
        """The page with the highest unsure · different: unsure is 1 at γ and 0 where nothing is doubted, different is
        1 - the highest cosine with a page that was proposed before. None if there is no other."""
        judge = self.crawl.judge
        left = [u for u in self.job.observed if u not in judge.marks and u not in self._shown]
        doubted = sorted(left, key=lambda url: (-self._unsure(url), url))[:LOOKED_AT]
        pages = [page for url in doubted if (page := self._page(url)) is not None]
        best = max(pages, key=lambda page: self._unsure(page.url) * self._different(page), default=None)
        if best is None:
            return None
        rank, path = judge.relevance(best.url) or 0.0, tuple(self.crawl.paths.to(best.url))
        why = f"{self._unsure(best.url):.0%} unsure, {self._different(best):.0%} unlike what was shown before"
        self._shown[best.url] = best.terms
        return Proposal(best.url, best.title, best.text, rank, why, path)

    def _page(self, url: str) -> SeenPage | None:
        return self.crawl.store.page(key_of(url)[0]) if self.crawl.store else None

    def _unsure(self, url: str) -> float:
        """By what is thought now."""
        rank = self.crawl.judge.relevance(url) or 0.0
        return rank / self.gamma if rank < self.gamma else (1 - rank) / max(1 - self.gamma, 1e-9)

    def _different(self, page: SeenPage) -> float:
        return 1 - max((dot(page.terms, terms) for terms in self._shown.values()), default=0.0)

    def mark(self, url: str, good: bool | None) -> None:
        """None takes it back."""
        mark = said(url, good)
        append(self._folder / NAME, [mark])
        self.crawl.mark([mark])

    def changed(self) -> list[tuple[str, bool]]:
        """Pages that nobody has marked and that have become relevant by what was said, or no longer are."""
        now, marks = self._verdicts(), self.crawl.judge.marks
        return [(u, now[u]) for u, before in self._before.items() if u not in marks and now[u] != before]

    def turned(self) -> tuple[int, int]:
        """How many have become relevant, and how many no longer are."""
        good = [relevant for _, relevant in self.changed()]
        return sum(good), len(good) - sum(good)

    def close(self) -> None:
        """What is thought now is kept."""
        self.job.close()
        keep(opinion_of(self.crawl, self.job.topic.words), self._folder)
