"""How well a harvest is searched, what it costs to make it searchable, and how long a query takes.

Run: python bench/bench_search.py [JOBDIR] [--world demo] [--queries 200] [--pages 600]
JOBDIR: a crawl of all of that world, made for example with -a order=bfs -a gamma=0. The index is made in a copy of it.
Without one the demo web is crawled, with and without an index, and what that costs is compared.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter, process_time

HOME = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HOME))

import numpy as np  # noqa: E402

from fcacrawler.app.searching import vectors_named, vectors_of  # noqa: E402
from fcacrawler.frontier.sqlite.salvage import Items  # noqa: E402
from fcacrawler.search import Filter, Index, Opened, Query, ask  # noqa: E402
from fcacrawler.worlds import open_world  # noqa: E402

KNOWN, DEEP = 50, 1000  # places that are looked at for a known item, and for a topic
Asked = Sequence[tuple[str, frozenset[str]]]  # words, and the URLs that answer them
Ways = dict[str, Callable[[Opened, str, int], list[str]]]


def figure(name: str, value: float, **more: object) -> None:
    print(json.dumps({"figure": name, "value": round(value, 4), **more}), flush=True)


def by_words(job: Opened, words: str, most: int) -> list[str]:
    return _urls(job, list(job.worded(dict.fromkeys(job.stems(words)[:64], 1.0), Filter(), most)))


def by_vectors(job: Opened, words: str, most: int) -> list[str]:
    if job.vectors is None:
        return []
    meaning = job.meaning(job.vectors.embed([words])[0])
    return _urls(job, [int(n) for n in np.argsort(-meaning, kind="stable")[:most]])


def by_rank(job: Opened, words: str, most: int) -> list[str]:
    """Reciprocal ranks (Cormack, Clarke & Büttcher 2009)."""
    score: Counter[str] = Counter()
    for found in (by_words(job, words, DEEP), by_vectors(job, words, DEEP)):
        score.update({url: 1 / (60 + n) for n, url in enumerate(found, 1)})
    return [url for url, _ in score.most_common(most)]


def by_evidence(job: Opened, words: str, most: int) -> list[str]:
    return [hit.url for hit in ask([job], Query(words, most)).hits]


def _urls(job: Opened, numbers: list[int]) -> list[str]:
    url = {row.number: row.url for row in job.rows(numbers)}
    return [url[n] for n in numbers if n in url]


WAYS: Ways = {"words (BM25)": by_words, "vectors": by_vectors, "reciprocal ranks": by_rank, "ours": by_evidence}
HALVES = ("words (BM25)", "vectors")


def reciprocal(found: Sequence[str], wanted: frozenset[str]) -> float:
    return next((1 / n for n, url in enumerate(found, 1) if url in wanted), 0.0)


def average_precision(found: Sequence[str], wanted: frozenset[str]) -> float:
    """(1/|wanted|)·Σ precision at each wanted place.

    >>> average_precision(["a", "x", "b"], frozenset("abc")) == (1 + 2 / 3) / 3
    True
    """
    places = [n for n, url in enumerate(found, 1) if url in wanted]
    return sum(k / n for k, n in enumerate(places, 1)) / max(1, len(wanted))


def known_items(folder: Path, count: int) -> Iterator[tuple[str, Asked]]:
    """Titles that only one page has; five words in a row; four of a page's keywords."""
    items = [item for item in map(json.loads, Items(folder)) if not item["duplicate_of"]]
    titles = Counter(item["title"] for item in items)
    dice = random.Random(1)
    chosen = dice.sample(items, min(count, len(items)))
    phrases, keywords = [], []
    for item in chosen:
        words, url = item["text"].split(), frozenset([item["url"]])
        if len(words) > 60:
            at = dice.randrange(len(words) - 5)
            phrases.append((" ".join(words[at : at + 5]), url))
        if len(item["keywords"]) > 7:
            keywords.append((" ".join(dice.sample(list(item["keywords"])[:8], 4)), url))
    single = [(i["title"], frozenset([i["url"]])) for i in chosen if i["title"] and titles[i["title"]] == 1]
    yield "titles", single
    yield "phrases", phrases
    yield "keywords", keywords


def compared(
    name: str, value: Callable[[list[str], frozenset[str]], float], job: Opened, asked: Asked, most: int
) -> None:
    """The mean of each way; how far ours is above the better half, and the 95 % of that in samples of the questions."""
    values = {way: np.array([value(find(job, q, most), w) for q, w in asked]) for way, find in WAYS.items()}
    for way, found in values.items():
        figure(f"{name}: {way}", float(found.mean()), of=len(asked))
    better = max(HALVES, key=lambda way: values[way].mean())
    more = values["ours"] - values[better]
    dice = np.random.default_rng(1)
    drawn = more[dice.integers(0, len(more), (10_000, len(more)))].mean(1)
    low, high = (round(float(at), 4) for at in np.quantile(drawn, [0.025, 0.975]))
    figure(f"{name}: ours above {better}", float(more.mean()), low=low, high=high, better=int((more > 0).sum()),
           worse=int((more < 0).sum()))  # fmt: skip


def quality(job: Opened, folder: Path, world: str, count: int) -> None:
    for kind, asked in known_items(folder, count):
        if asked:
            compared(f"MRR of {kind}", reciprocal, job, asked, KNOWN)
    known = open_world(world)
    there = frozenset(json.loads(item)["url"] for item in Items(folder))
    topics = [(topic.words, known.relevant(name) & there) for name, topic in known.topics.items()]
    compared("AP of topics", average_precision, job, [one for one in topics if one[1]], DEEP)
    known.close()


def made(folder: Path, vectors: str) -> None:
    """The cost of a page, once everything is loaded."""
    with closing(Index(folder, vectors_named(vectors), vectors)) as index:
        index.catch_up(64)
        pages, cpu = 0, process_time()
        while added := index.catch_up():
            pages += added
        figure("CPU ms a page to make it searchable", 1000 * (process_time() - cpu) / max(1, pages), of=pages)
    for name in ("search.sqlite", "search.vectors"):
        figure(f"bytes a page: {name}", (folder / name).stat().st_size / max(1, pages))


def times(folder: Path, vectors: str, asked: Asked) -> None:
    """A query as a page of ten, with opening the index."""
    spent, cpu = [], process_time()
    for words, _ in asked:
        begin = perf_counter()
        with closing(Opened(folder, vectors_named(vectors))) as job:
            ask([job], Query(words))
        spent.append(1000 * (perf_counter() - begin))
    figure("ms a query, median", float(np.median(spent)), of=len(spent))
    figure("ms a query, 95 %", float(np.quantile(spent, 0.95)))
    figure("CPU ms a query", 1000 * (process_time() - cpu) / len(spent))


def crawled(folder: Path, pages: int) -> Path:
    """The demo web, with its index and without: what the crawls cost, in turn, and the last one's folder."""
    cpu: dict[str, float] = {}
    for n, search in enumerate("0101"):
        job, begin = folder / f"{n}", getrusage(RUSAGE_CHILDREN)
        settings = [f"JOBDIR={job}", f"FCA_SEARCH={search}", "FCA_WORLD=demo", "FCA_PROGRESS=off", "LOG_ENABLED=0"]
        command = [
            sys.executable,
            "-m",
            "scrapy",
            "crawl",
            "semrank",
            "-a",
            "topic=auto racing",
            "-a",
            f"pages={pages}",
        ]
        command += ["-o", str(folder / f"{n}.jsonl"), *(word for setting in settings for word in ("-s", setting))]
        subprocess.run(command, cwd=HOME, check=True)
        end = getrusage(RUSAGE_CHILDREN)
        spent = end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime
        cpu[search] = min(cpu.get(search, spent), spent)
    more = 1000 * (cpu["1"] - cpu["0"]) / pages
    figure("CPU ms a page more while crawling", more, against=cpu["0"], ratio=round(cpu["1"] / cpu["0"], 3))
    return job


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("job", type=Path, nargs="?")
    parser.add_argument("--world", default="demo")
    parser.add_argument("--pages", type=int, default=600)
    parser.add_argument("--queries", type=int, default=200)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "job"
        source = given.job or crawled(Path(place), given.pages)
        shutil.copytree(source, folder, ignore=shutil.ignore_patterns("search.*"))
        vectors = vectors_of(folder)
        made(folder, vectors)
        with closing(Opened(folder, vectors_named(vectors))) as job:
            quality(job, folder, given.world, given.queries)
        _, titles = next(known_items(folder, given.queries))
        times(folder, vectors, titles)


if __name__ == "__main__":
    main()
