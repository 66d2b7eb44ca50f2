"""Does the SQLite frontier keep its speed and its memory with 5 million URLs?

usage: bench_frontier_scale.py [--urls 5000000] [--small 50000 200000] [--pages 3000]

A crawl of 20,000 hosts whose pages link to 20 URLs each, half of them new; ranks fall off like the real ones, few high
and many low, and change by as much as in a real crawl when a URL is found again or ranked anew. One store is grown to
the full size, and one to each small one; then so many pages of each are measured, in turns of 200, so that whatever
else the machine does hits all of them: CPU for a link pushed (found, known or not, and ranked), for a page popped and
done, for a waiting URL ranked again. What the process holds is memory of its own as the large store passes each size,
without pages of the file that the system keeps and without the made-up web. Progress goes to standard error.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from array import array
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, process_time

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from fcacrawler.app.process import set_up
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.sqlite.frontier import SqliteFrontier
from fcacrawler.page import key_of
from fcacrawler.values.links import Candidate, Evidence
from fcacrawler.values.pages import SeenPage

HOSTS, LINKS = 20_000, 20
BEST = 200  # that are ranked anew together
TURN = 200  # pages
DRIFT = 0.0375  # standard deviation of a rank that is computed anew: .03 on average, as in a crawl of the demo web
WORDS = "racing car season team driver engine circuit lap championship formula rally museum history club tyre".split()
CONTEXTS = [" ".join((WORDS * 2)[n : n + 12]) for n in range(len(WORDS))]
ANCHORS = [" ".join((WORDS * 2)[n : n + 3]) for n in range(len(WORDS))]


class Web:
    """Links that nobody wrote. Of a page's 20, ten are new, eight are found beside it on its parent too, and two are
    anywhere; four in five of the new ones stay on its host."""

    def __init__(self) -> None:
        self.rng = random.Random(1)
        self.hosts = array("H", range(LINKS))  # by number of URL, as are the ranks
        self.ranks = array("d", [0.5] * LINKS)

    def candidate(self, number: int, parent: int) -> Candidate:
        anchor, context = ANCHORS[number % len(WORDS)], CONTEXTS[number % len(WORDS)]
        evidence = Evidence(self.url(parent), anchor, context, number % LINKS, LINKS)
        url = self.url(number)
        return Candidate(key_of(url).key, url, f"www.host{self.hosts[number]}.example", 3, (evidence,))

    def url(self, number: int) -> str:
        return f"http://www.host{self.hosts[number]}.example/articles/{number}"

    def page(self, number: int) -> list[Candidate]:
        known = len(self.hosts)
        for n in range(LINKS // 2):
            self.hosts.append(self.rng.randrange(HOSTS) if n % 5 == 4 else self.hosts[number])
            self.ranks.append(self.rng.random() ** 3)
        old = [self.rng.randrange(known) for _ in range(2)]
        beside = [max(0, number - 4 + n) % known for n in range(8)]
        return [self.candidate(n, number) for n in (*range(known, len(self.hosts)), *beside, *old)]

    def rank(self, candidate: Candidate) -> tuple[bytes, float]:
        """As it is now: not far from where it was."""
        number = number_of(candidate)
        self.ranks[number] = min(1.0, max(0.0, self.rng.gauss(self.ranks[number], DRIFT)))
        return candidate.key, self.ranks[number]


def number_of(candidate: Candidate) -> int:
    return int(candidate.url.rpartition("/")[2])


def free(host: str) -> bool:
    return True


class Crawl:
    """One store that grows."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.frontier = SqliteFrontier(folder, FrontierOptions(), {})
        self.web = Web()
        self.page = 0  # read last
        self.spent: Counter[str] = Counter()  # CPU seconds
        self.times: Counter[str] = Counter()

    @property
    def urls(self) -> int:
        return len(self.web.hosts)

    def resident(self) -> float:
        """MB of memory that the process holds for itself."""
        told = dict(line.split(":") for line in Path("/proc/self/status").read_text().splitlines())
        web = sum(numbers.itemsize * len(numbers) for numbers in (self.web.hosts, self.web.ranks))
        return int(told["RssAnon"].split()[0]) / 1024 - web / 2**20

    def grow(self, urls: int) -> None:
        start, told = monotonic(), self.urls
        while self.urls < urls:
            self.push(self.web.page(self.web.rng.randrange(self.urls)))
            self.frontier.sync()
            if self.urls >= told + 100_000:
                told = self.urls
                print(
                    f"{told:>9,} URLs, {monotonic() - start:.0f} s, {self.resident():.0f} MB",
                    file=sys.stderr,
                    flush=True,
                )

    def push(self, links: list[Candidate]) -> None:
        with self.timed("push", len(links)):
            found = self.frontier.add(links)
        ranks = [self.web.rank(c) for c in found]
        with self.timed("push", 0):
            self.frontier.update(ranks, 1)

    def pop(self) -> None:
        with self.timed("pop", 1):
            entry = self.frontier.lease(free, -inf)
        assert entry is not None
        key, self.page = entry.candidate.key, number_of(entry.candidate)
        page = SeenPage(entry.candidate.url, "", "en", 3, (), {}, ())
        with self.timed("pop", 0):
            self.frontier.record(key, page)
            self.frontier.done(key)

    def rerank(self) -> None:
        with self.timed("rerank", BEST):
            best = self.frontier.top(BEST)
        ranks = [self.web.rank(e.candidate) for e in best]
        with self.timed("rerank", 0):
            self.frontier.update(ranks, 1)

    def measure(self, pages: int) -> None:
        for n in range(pages):
            links = self.web.page(self.page)
            self.push(links)
            self.pop()
            if n % 20 == 0:
                self.rerank()

    @contextmanager
    def timed(self, what: str, times: int) -> Iterator[None]:
        start = process_time()
        yield
        self.spent[what] += process_time() - start
        self.times[what] += times

    def costs(self) -> dict[str, float]:
        """Microseconds of CPU an operation."""
        return {what: 1e6 * self.spent[what] / self.times[what] for what in self.spent}


def run(sizes: list[int], pages: int, folder: Path) -> dict[int, dict[str, float]]:
    """What each operation costs at each size, the largest last, and what the process holds."""
    held, crawls = {}, {}
    large = Crawl(folder / "large")
    for size in sizes:
        large.grow(size)
        held[size] = large.resident()
    for size in sizes[:-1]:
        crawls[size] = Crawl(folder / str(size))
        crawls[size].grow(size)
    crawls[sizes[-1]] = large
    os.sync()  # what growing has left to be written is not measured
    for crawl in crawls.values():
        crawl.measure(TURN)
        crawl.spent.clear()
        crawl.times.clear()
    for n in range(0, pages, TURN):
        for crawl in crawls.values():
            crawl.measure(min(TURN, pages - n))
            told = ", ".join(f"{name} {value:.1f}" for name, value in crawl.costs().items())
            print(f"{crawl.urls:>9,} URLs, {n + TURN} pages: {told}", file=sys.stderr, flush=True)
    figures = {}
    for size, crawl in crawls.items():
        crawl.frontier.close()
        figures[size] = crawl.costs() | {"resident MB": held[size]}
        disk = sum(f.stat().st_size for f in crawl.folder.iterdir()) / crawl.urls
        told = ", ".join(f"{name} {value:.1f}" for name, value in figures[size].items())
        print(f"{crawl.urls:>9,} URLs: {told}; {disk:.0f} bytes on disk a URL", flush=True)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=int, default=5_000_000)
    parser.add_argument("--small", type=int, nargs="+", default=[50_000, 200_000])
    parser.add_argument("--pages", type=int, default=3000)
    given = parser.parse_args()
    set_up()
    with TemporaryDirectory(prefix="scale-") as folder:
        figures = run([*given.small, given.urls], given.pages, Path(folder))
    most = figures[given.urls]
    for small in given.small:
        for name, least in figures[small].items():
            told = {"figure": f"sqlite {name} at {given.urls:,} URLs against {small:,}", "value": round(most[name], 1)}
            print(json.dumps({**told, "against": round(least, 1), "ratio": round(most[name] / least, 2)}))


if __name__ == "__main__":
    main()
