"""What the default order costs: CPU per page of observing it and ranking its links, and how that grows.

A made-up web of 25 links a page, with words drawn by frequency. The refresh of the best 200 that wait is counted.
Run: python bench/bench_rank.py [--pages 20000] [--vectors none,static]
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from itertools import accumulate
from pathlib import Path
from time import process_time
from typing import Any

from wordfreq import top_n_list

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from fcacrawler.assembly import vector_of
from fcacrawler.crawl import Crawl, CrawlOptions
from fcacrawler.frontier.memory import MemoryFrontier
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.items import Candidate, Link, SeenPage, Topic
from fcacrawler.page import key_of, url_words
from fcacrawler.strategies import Given
from fcacrawler.strategies.judge import TopicJudge
from fcacrawler.strategies.profile import Profile
from fcacrawler.strategies.semrank import SemRank
from fcacrawler.vectors import load_vectors

LINKS, CONTEXT, TEXT = 25, 40, 200  # links a page, words around a link, words of a text
MARKS = (1_000, 3_000, 10_000, 30_000, 100_000)  # pages after which it is told
LIMITS = {"none": 0.8, "static": 1.2}  # ms a page


class Web:
    """Page n links to LINKS others, half of them near it, so that links are found again."""

    def __init__(self, seed: int = 7) -> None:
        self._draw = random.Random(seed)
        self._words = [w for w in top_n_list("en", 20_000) if w.isalpha()]
        self._weights = list(accumulate(1 / (n + 20) for n in range(len(self._words))))

    def say(self, words: int) -> str:
        return " ".join(self._draw.choices(self._words, cum_weights=self._weights, k=words))

    def page(self, candidate: Candidate) -> SeenPage:
        n = int(candidate.url.rpartition("-")[2])
        links = tuple(
            Link(self.url(m), self.say(2), self.say(CONTEXT), position)
            for position, m in enumerate(dict.fromkeys(self._target(n) for _ in range(LINKS)))
        )
        text = self.say(TEXT)
        terms = vector_of(text, "en")
        best = sorted(terms.items(), key=lambda t: -t[1])[:20]
        return SeenPage(
            candidate.url, self.say(3), "en", candidate.depth, tuple(best), terms, links, candidate.evidence, text
        )

    def _target(self, n: int) -> int:
        return (
            self._draw.randrange(max(0, n - 500), n + 500) if self._draw.random() < 0.5 else self._draw.randrange(10**7)
        )

    def url(self, n: int) -> str:
        return f"http://bench.test/{self._words[n % len(self._words)]}-{n}"


class Noted:
    """An order whose calls are noted."""

    def __init__(self, inner: SemRank) -> None:
        self._inner = inner
        self.calls: list[tuple[str, tuple[Any, ...]]] = []

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if name not in ("observe", "rank", "explain_page"):
            return found

        def noted(*arguments: Any) -> Any:
            self.calls.append((name, arguments))
            return found(*arguments)

        return noted


def measure(vectors: str, pages: int) -> list[tuple[int, float]]:
    """(pages crawled, ms a page over the last tenth up to there): the same calls, made again to a second order."""
    web = Web()
    topic = Topic("music history")
    profile = Profile(topic, vector_of, url_words)
    loaded = load_vectors(vectors)
    given = Given(topic, profile, TopicJudge(profile, loaded), vectors=loaded)
    order, again = Noted(SemRank(given)), SemRank(given)
    options = CrawlOptions(gamma=0.0, patience=0, tunnel=10**9)
    crawl = Crawl(options, MemoryFrontier(FrontierOptions(frontier_size=100_000)), given.judge, order, key_of)
    crawl.seed([Candidate(key_of(web.url(n))[0], web.url(n), "bench.test", 0) for n in range(3)])
    found, spent, since = [], 0.0, 0
    for n in range(1, pages + 1):
        entry = crawl.next(lambda host: True)
        assert entry is not None
        crawl.finished(entry.candidate.key)
        crawl.observe(web.page(entry.candidate))
        if n % 50 and n != pages:
            continue
        calls, order.calls = order.calls, []
        if any(m * 9 // 10 < n <= m for m in MARKS):
            start = process_time()
            for name, arguments in calls:
                getattr(again, name)(*arguments)
            spent, since = spent + process_time() - start, since + 50
        else:
            for name, arguments in calls:
                getattr(again, name)(*arguments)
        if n in MARKS:
            found.append((n, 1000 * spent / since))
            spent, since = 0.0, 0
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--vectors", default="none,static")
    arguments = parser.parse_args()
    for vectors in arguments.vectors.split(","):
        found = measure(vectors, arguments.pages)
        for pages, cost in found:
            print(f"{vectors}: {cost:.2f} ms a page after {pages} pages")
        limit, (first, last) = LIMITS.get(vectors, 1.2), (found[0][1], found[-1][1])
        for figure, value, against in (
            (f"rank_ms_{vectors}", first, limit),
            (f"rank_growth_{vectors}_{found[-1][0]}", last / first, 1.3),
        ):
            print(
                json.dumps(
                    {"figure": figure, "value": round(value, 3), "against": against, "ratio": round(value / against, 2)}
                )
            )


if __name__ == "__main__":
    main()
