"""SemRank along a crawl of any length: a bounded base, current URLs in bounded batches, so that cost is linear."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from fcacrawler.semrank.context import Table, table
from fcacrawler.semrank.extension import Tie
from fcacrawler.semrank.kernels.arrays import Concepts
from fcacrawler.semrank.kernels.concepts import concepts_of
from fcacrawler.semrank.keyword_similarity import KeywordSimilarity
from fcacrawler.semrank.parameters import SEMRANK_2013, SemRankOptions
from fcacrawler.semrank.rank import Given, Ranking, rank_against
from fcacrawler.values.verdicts import Explanation


class Window:
    """The base of a crawl, and SemRank against it.

    ``add`` lets a URL enter the base (again: with new keywords, as the youngest); above ``base_urls`` the oldest
    leaves. ``rank`` cuts the current URLs, in the order given, into contexts of ``batch``.

    >>> window = Window(base_urls=1)
    >>> window.add("U1", ["spider"]); window.add("U2", ["web"])
    >>> dict(window.rank({"U3": ["spider"], "U4": ["web"]}))
    {'U3': 0.0, 'U4': 0.6}
    """

    def __init__(
        self,
        similarity: KeywordSimilarity | None = None,
        options: SemRankOptions = SEMRANK_2013,
        base_urls: int = 50,
        batch: int = 500,
    ) -> None:
        if base_urls < 1 or batch < 1:
            raise ValueError(f"a window needs room: base_urls={base_urls}, batch={batch}")
        self.similarity = similarity
        self.options = options
        self.base_urls = base_urls
        self.batch = batch
        self.base: dict[str, tuple[str, ...]] = {}  # oldest first
        self._known: tuple[Table, Concepts] | None = None

    def add(self, url: str, keywords: Iterable[str]) -> None:
        """The URL enters the base."""
        self.base.pop(url, None)
        self.base[url] = tuple(keywords)
        if len(self.base) > self.base_urls:
            del self.base[next(iter(self.base))]
        self._known = None

    def remove(self, url: str) -> None:
        """The URL leaves the base, if it is there."""
        if self.base.pop(url, None) is not None:
            self._known = None

    def replace(self, base: Given) -> None:
        """BL ← CL: these URLs are the base now (the last ``base_urls`` of them)."""
        self.base = {}
        for url, keywords in base.items():
            self.add(url, keywords)

    def rank(self, current: Given, links: Iterable[Tie] = (), clicks: Iterable[Tie] = ()) -> Rankings:
        """SemRank of the current URLs, each within its batch."""
        if self._known is None:
            known = table(self.base, self.options.max_keywords)
            self._known = known, concepts_of(known, self.options.max_concepts).filled()
        urls = list(current)
        batches = [urls[i : i + self.batch] for i in range(0, len(urls), self.batch)]
        batch_of = {u: b for b, batch in enumerate(batches) for u in batch}
        cut = [_cut(ties, batch_of, len(batches)) for ties in (links, clicks)]
        return Rankings(
            rank_against(
                *self._known,
                table({u: current[u] for u in batch}, self.options.max_keywords),
                cut[0][b],
                cut[1][b],
                self.similarity,
                self.options,
            )
            for b, batch in enumerate(batches)
        )


def _cut(ties: Iterable[Tie], batch_of: Mapping[str, int], batches: int) -> list[list[Tie]]:
    """The ties of each batch."""
    out: list[list[Tie]] = [[] for _ in range(batches)]
    for tie in ties:
        for b in {batch_of[u] for u in tie if u in batch_of}:
            out[b].append(tie)
    return out


class Rankings(Mapping[str, float]):
    """The rankings of several batches as one: SemRank by URL, and why."""

    def __init__(self, parts: Iterable[Ranking]) -> None:
        self._part = {url: part for part in parts for url in part}

    def __getitem__(self, url: str) -> float:
        return self._part[url][url]

    def __iter__(self) -> Iterator[str]:
        return iter(self._part)

    def __len__(self) -> int:
        return len(self._part)

    def explain(self, url: str) -> Explanation:
        """See ``Ranking.explain``."""
        return self._part[url].explain(url)
