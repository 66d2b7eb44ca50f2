"""Does the SQLite frontier keep its speed and its memory with 5 million URLs?

usage: bench_frontier_scale.py [--urls 5000000] [--small 50000 200000] [--pages 3000]

A crawl of 20,000 hosts whose pages link to 20 URLs each, half of them new; ranks fall off like the real ones, few high
and many low. At all sizes the same number of pages is measured: CPU for a link pushed (found, known or not, and
ranked), for a page popped and done, for a waiting URL ranked again; and what the process holds in memory of its own,
without pages of the file that the system keeps. At 50,000 the best fit into memory, at 200,000 they do not. What else
the machine does changes on the way, so the small sizes are measured once more at the end, and their mean counts.
Progress goes to standard error.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
from array import array
from collections.abc import Iterator
from math import inf
from pathlib import Path
from statistics import mean
from time import monotonic, process_time

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.sqlite import SqliteFrontier
from fcacrawler.items import Candidate, Evidence, SeenPage
from fcacrawler.page import key_of
from fcacrawler.process import set_up

HOSTS, LINKS = 20_000, 20
WORDS = "racing car season team driver engine circuit lap championship formula rally museum history club tyre".split()
CONTEXTS = [" ".join((WORDS * 2)[n : n + 12]) for n in range(len(WORDS))]
ANCHORS = [" ".join((WORDS * 2)[n : n + 3]) for n in range(len(WORDS))]


class Web:
    """Links that nobody wrote. Of a page's 20, ten are new, eight are found beside it on its parent too, and two are
    anywhere; four in five of the new ones stay on its host."""

    def __init__(self) -> None:
        self.rng = random.Random(1)
        self.hosts = array("H", range(LINKS))  # by number of URL

    def candidate(self, number: int, parent: int) -> Candidate:
        anchor, context = ANCHORS[number % len(WORDS)], CONTEXTS[number % len(WORDS)]
        evidence = Evidence(self.url(parent), anchor, context, number % LINKS, LINKS)
        url = self.url(number)
        return Candidate(*key_of(url)[:1], url, f"www.host{self.hosts[number]}.example", 3, (evidence,))

    def url(self, number: int) -> str:
        return f"http://www.host{self.hosts[number]}.example/articles/{number}"

    def page(self, number: int) -> list[Candidate]:
        known = len(self.hosts)
        for n in range(LINKS // 2):
            self.hosts.append(self.rng.randrange(HOSTS) if n % 5 == 4 else self.hosts[number])
        old = [self.rng.randrange(known) for _ in range(2)]
        beside = [max(0, number - 4 + n) % known for n in range(8)]
        return [self.candidate(n, number) for n in (*range(known, len(self.hosts)), *beside, *old)]

    def rank(self) -> float:
        return self.rng.random() ** 3


def free(host: str) -> bool:
    return True


def grow(frontier: SqliteFrontier, web: Web, urls: int) -> None:
    start, told = monotonic(), len(web.hosts)
    while len(web.hosts) < urls:
        push(frontier, web, web.page(web.rng.randrange(len(web.hosts))))
        frontier.sync()
        if len(web.hosts) >= told + 100_000:
            told = len(web.hosts)
            print(f"{told:>9,} URLs, {monotonic() - start:.0f} s, {resident():.0f} MB", file=sys.stderr, flush=True)


def resident() -> float:
    """MB of memory that the process holds for itself."""
    told = dict(line.split(":") for line in Path("/proc/self/status").read_text().splitlines())
    return int(told["RssAnon"].split()[0]) / 1024


def push(frontier: SqliteFrontier, web: Web, links: list[Candidate]) -> None:
    found = frontier.add(links)
    frontier.update([(c.key, web.rank()) for c in found], 1)


def measure(frontier: SqliteFrontier, web: Web, pages: int) -> Iterator[tuple[str, float]]:
    """Microseconds of CPU an operation."""
    spent = {"push": 0.0, "pop": 0.0, "rerank": 0.0}
    ranked = 0
    page = 0
    for n in range(pages):
        links = web.page(page)
        start = process_time()
        push(frontier, web, links)
        pushed = process_time()
        entry = frontier.lease(free, -inf)
        assert entry is not None
        key, page = entry.candidate.key, int(entry.candidate.url.rpartition("/")[2])
        frontier.record(key, SeenPage(entry.candidate.url, "", "en", 3, (), {}, ()))
        frontier.done(key)
        popped = process_time()
        if n % 20 == 0:
            best = frontier.top(200)
            frontier.update([(e.candidate.key, web.rank()) for e in best], n)
            spent["rerank"] += process_time() - popped
            ranked += len(best)
        spent["push"] += pushed - start
        spent["pop"] += popped - pushed
    yield "push", 1e6 * spent["push"] / pages / LINKS
    yield "pop", 1e6 * spent["pop"] / pages
    yield "rerank", 1e6 * spent["rerank"] / ranked


def run(sizes: list[int], pages: int) -> dict[int, dict[str, float]]:
    """What each operation costs at each size, and what the process holds; the store grows from one to the next."""
    folder = Path(tempfile.mkdtemp(prefix="scale-"))
    frontier = SqliteFrontier(folder, FrontierOptions(), {})
    web = Web()
    figures = {}
    try:
        for size in sizes:
            grow(frontier, web, size)
            figures[size] = dict(measure(frontier, web, pages)) | {"resident MB": resident()}
            disk = sum(f.stat().st_size for f in folder.iterdir()) / len(web.hosts)
            told = ", ".join(f"{name} {value:.1f}" for name, value in figures[size].items())
            print(f"{len(web.hosts):>9,} URLs: {told}; {disk:.0f} bytes on disk a URL", flush=True)
    finally:
        frontier.close()
        shutil.rmtree(folder)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=int, default=5_000_000)
    parser.add_argument("--small", type=int, nargs="+", default=[50_000, 200_000])
    parser.add_argument("--pages", type=int, default=3000)
    given = parser.parse_args()
    set_up()
    figures = run([*given.small, given.urls], given.pages)
    again = run(given.small, given.pages)
    for small in given.small:
        for name, most in figures[given.urls].items():
            least = figures[small][name] if name == "resident MB" else mean((figures[small][name], again[small][name]))
            told = {"figure": f"sqlite {name} at {given.urls:,} URLs against {small:,}", "value": round(most, 1)}
            print(json.dumps({**told, "against": round(least, 1), "ratio": round(most / least, 2)}))


if __name__ == "__main__":
    main()
