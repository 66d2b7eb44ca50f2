"""How far is a crawl from having found all, by its own estimate and in truth? Where does ``-a recall`` stop it?

usage: bench_recall.py [WORLD …] [--topics A B …] [--budget 8R] [--kinds good hub] [--target 0.8]

WORLD: demo, or a folder that ``scrapy compare`` takes (default demo, and ../shared/worlds/wikispeedia if it is there).
Each topic is crawled in the default order, with its own seeds and with hub seeds. After each page the estimate of
decision 197 is made twice: from what the judge thinks then, as a crawl makes it, and from the labels, as if the judge
knew all. Beside both: the hyperbola F = T·n / (n + K), whose recall is 1 - λ / h. Told are, of crawls that can tell:
the mean error at 1R, 2R, 3R fetches; how often the interval holds the truth; what recall a crawl that stops at
``--target`` has reached, the least of them, and at how many R fetches; in how many it stops within the budget.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

import numpy as np
from scrapy.settings import Settings
from threadpoolctl import threadpool_limits

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from fcacrawler.app.assembly import ORDERS, crawl_of, given_of
from fcacrawler.app.config import Config, read_config
from fcacrawler.crawl.completeness import Completeness, completeness
from fcacrawler.evaluation.comparison import Desk, office, read_pages
from fcacrawler.evaluation.library import Library, library_path
from fcacrawler.evaluation.plan import Graph, Start, starts
from fcacrawler.evaluation.run import learn, unending
from fcacrawler.evaluation.web import Fetcher
from fcacrawler.frontier.memory import MemoryFrontier
from fcacrawler.page import key_of
from fcacrawler.values.links import Candidate
from fcacrawler.values.topics import Topic
from fcacrawler.worlds import open_world

WIKISPEEDIA = Path(__file__).resolve().parents[2] / "shared" / "worlds" / "wikispeedia"
FEW = 15  # relevant pages, below which a recall says little
AT = (1, 2, 3)  # R fetches
WAYS = ("judge", "labels", "hyperbola by judge", "hyperbola by labels")


@dataclass(frozen=True, slots=True)
class Moment:
    """A crawl after one of its fetches."""

    fetches: float  # in R
    recall: float  # in truth
    told: dict[str, Completeness | None]  # by way


def crawled(start: Start, desk: Desk) -> Iterator[Moment]:
    config = unending(desk.config, desk.config.crawl.gamma)
    given = given_of(config, Topic(start.words, start.seeds), vector_of=desk.vector_of)
    crawl = crawl_of(config, given, ORDERS["semrank"](given), MemoryFrontier(config.frontier))
    crawl.seed([Candidate(*key_of(url)[:1], url, key_of(url)[1], 0) for url in start.seeds])
    labels: list[bool] = []
    found: set[str] = set()
    while len(labels) < start.budget and (entry := crawl.next(lambda host: True)) is not None:
        fetched = desk.fetch(entry.candidate.url)
        learn(crawl, entry.candidate, fetched)
        if not (fetched.responded and entry.candidate.depth):
            continue
        labels.append(fetched.final_url in start.relevant - found)
        found.add(fetched.final_url)
        now, true = crawl.thought().relevant, np.array(labels)
        told = {
            "judge": crawl.verdicts.completeness,
            "labels": completeness(true),
            "hyperbola by judge": hyperbola(now),
            "hyperbola by labels": hyperbola(true),
        }
        yield Moment(len(labels) / len(start.relevant), float(true.sum()) / len(start.relevant), told)


def hyperbola(relevant: np.ndarray) -> Completeness | None:
    """By the last quarter; from as many finds on as the other."""
    if relevant.sum() < 20:
        return None
    slower = relevant[-max(10, len(relevant) // 4) :].mean() / relevant.mean()
    share = float(min(max(1 - slower, 0.0), 1.0))
    return Completeness(share, share, share)


def figures(world: str, kind: str, way: str, crawls: Sequence[Sequence[Moment]], target: float) -> Iterator[dict]:
    """Of one world and one kind of seeds."""
    name = f"{world} {kind} {way}"
    for at in AT:
        near = [min(moments, key=lambda m: abs(m.fetches - at)) for moments in crawls]
        errors = [abs(c.share - m.recall) for m in near if abs(m.fetches - at) < 0.1 and (c := m.told[way])]
        yield {"figure": f"recall error at {at}R, {name}", "value": rounded(errors), "crawls": len(errors)}
    told = [[side(m.recall, c) for m in moments if (c := m.told[way])] for moments in crawls]
    if "hyperbola" not in way:
        held, below, above = (rounded([mean(s == n for s in sides) for sides in told if sides]) for n in (0, -1, 1))
        yield {"figure": f"interval holds, {name}", "value": held, "truth below": below, "truth above": above}
    stops = [next((m for m in moments if (c := m.told[way]) and c.share >= target), None) for moments in crawls]
    stopped = [m for m in stops if m is not None]
    yield {
        "figure": f"recall where it stops, {name}",
        "value": rounded([m.recall for m in stopped]),
        "least": min((round(m.recall, 3) for m in stopped), default=None),
        "R fetches": rounded([m.fetches for m in stopped]),
        "crawls": len(stopped),
        "of": len(crawls),
    }


def side(recall: float, told: Completeness) -> int:
    """0 in the interval, else on which side of it."""
    return int(recall > told.high) - int(recall < told.low)


def rounded(values: Sequence[float]) -> float | None:
    return round(mean(values), 3) if values else None


def plans(name: str, config: Config, topics: Sequence[str], budget: str, kinds: Sequence[str]) -> list[Start]:
    world, library = open_world(name), Library(library_path(name, config.page))
    with office(name, config, 1) as pool:
        read_pages(pool, library, list(world.urls()), lambda done, count: None)
    graph = Graph(library, Fetcher(world, config.page))
    chosen = [topic for topic in topics if topic in world.topics] or list(world.topics)
    return [start for kind in kinds for start in starts(world, graph, chosen, 1, budget, 0, kind)]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("worlds", nargs="*", default=["demo", *[str(WIKISPEEDIA)] * WIKISPEEDIA.is_dir()])
    parser.add_argument("--topics", nargs="*", default=[])
    parser.add_argument("--budget", default="8R")
    parser.add_argument("--kinds", nargs="*", default=["good", "hub"])
    parser.add_argument("--target", type=float, default=0.8)
    args = parser.parse_args()
    threadpool_limits(1)
    config = read_config(Settings())
    for world in args.worlds:
        found: dict[str, list[list[Moment]]] = {}
        desk = Desk(world, config)
        for start in plans(world, config, args.topics, args.budget, args.kinds):
            if len(start.relevant) >= FEW:
                found.setdefault(start.kind, []).append(list(crawled(start, desk)))
                print(f"{world}: {start.topic}, {start.kind} seeds", file=sys.stderr)
        for kind, crawls in found.items():
            for way in WAYS:
                for figure in figures(Path(world).name, kind, way, crawls, args.target):
                    print(json.dumps(figure), flush=True)


if __name__ == "__main__":
    main()
