"""What judging, ranking and waiting cost: CPU a page, and how that grows.

A made-up web of 25 links a page, with words drawn by frequency. The refresh of the best 200 that wait is counted.
Run: python bench/bench_rank.py [--pages 100000] [--vectors none,static]
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import sys
from itertools import accumulate
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from statistics import median
from time import thread_time

from lxml.html import document_fromstring
from threadpoolctl import threadpool_limits
from wordfreq import top_n_list

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from fcacrawler.crawl.crawl import Crawl
from fcacrawler.crawl.options import CrawlOptions
from fcacrawler.frontier.memory import MemoryFrontier
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.judge.profile import Profile
from fcacrawler.judge.topic_judge import TopicJudge
from fcacrawler.orders import Given
from fcacrawler.orders.semrank.order import SemRank
from fcacrawler.page import key_of, keys_of, normalise_query, vector, words_in_urls
from fcacrawler.values.links import Candidate, Link
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.topics import Topic
from fcacrawler.vectors import load_vectors
from fcacrawler.weblogs import CrawlLog, CrawlLogOptions

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
        terms = vector(text, "en")
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


def measure(vectors: str, pages: int) -> list[tuple[int, float, float]]:
    """(pages crawled, ms a page, ms to parse a page of 30 kB with lxml) at each mark.

    What is timed is all that a crawl does but read pages: judge, order, frontier. Medians over stretches of 50 pages of
    the second half before the mark, so that what else runs on the machine counts less.
    """
    web = Web()
    topic = Topic("music history")
    profile = Profile(topic, vector, words_in_urls)
    loaded = load_vectors(vectors)
    log = CrawlLog(normalise_query, CrawlLogOptions())
    given = Given(topic, profile, TopicJudge(profile, loaded), crawl_log=log, vectors=loaded)
    options = CrawlOptions(gamma=0.0, patience=0, tunnel=10**9)
    frontier = MemoryFrontier(FrontierOptions(frontier_size=100_000))
    crawl = Crawl(options, frontier, given.judge, SemRank(given), keys_of)
    crawl.seed([Candidate(key_of(web.url(n))[0], web.url(n), "bench.test", 0) for n in range(3)])
    html = "".join(f"<p>{web.say(30)}<a href='/{n}'>{web.say(2)}</a></p>" for n in range(150))
    found, spent, parsed = [], [0.0], []
    for n in range(1, pages + 1):
        start = thread_time()
        entry = crawl.next(lambda host: True)
        assert entry is not None
        crawl.finished(entry.candidate.key)
        spent[-1] += thread_time() - start
        page = web.page(entry.candidate)
        start = thread_time()
        crawl.visit(page)
        spent[-1] += thread_time() - start
        if n % 50:
            continue
        start = thread_time()
        document_fromstring(html)
        parsed.append(thread_time() - start)
        if n in MARKS:
            last = n // 100
            found.append((n, 20 * median(spent[-last:]), 1000 * median(parsed[-last:])))
        spent.append(0.0)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--vectors", default="none,static")
    arguments = parser.parse_args()
    threadpool_limits(1)  # as in a crawl …
    gc.set_threshold(20_000, 20, 20)  # … too: decision 077
    for vectors in arguments.vectors.split(","):
        found = measure(vectors, arguments.pages)
        for pages, cost, parse in found:
            print(f"{vectors}: {cost:.2f} ms a page after {pages} pages, lxml {parse:.2f} ms")
        limit, first, last = LIMITS.get(vectors, 1.2), found[0], found[-1]
        for figure, value, against in (
            (f"rank_ms_{vectors}", first[1], limit),
            (f"rank_per_parse_{vectors}", first[1], first[2]),
            (f"rank_growth_{vectors}_{last[0]}", last[1] / last[2] / (first[1] / first[2]), 1.3),
        ):
            print(
                json.dumps(
                    {
                        "figure": figure,
                        "value": round(value, 3),
                        "against": round(against, 3),
                        "ratio": round(value / against, 2),
                    }
                )
            )
    print(f"memory: {getrusage(RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most", file=sys.stderr)


if __name__ == "__main__":
    main()
