"""What benchmarks of orders have in common: a recorded web, its topics and their seeds, given on the command line."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from typing import NamedTuple, TypeVar

from scrapy.settings import Settings

from fcacrawler.app.assembly import ORDERS, crawl_of, given_of
from fcacrawler.app.config import Config, read_config
from fcacrawler.evaluation.clicks import ClickLog
from fcacrawler.evaluation.comparison import Desk, office, read_pages
from fcacrawler.evaluation.library import Library, library_path
from fcacrawler.evaluation.plan import GOOD, HUB, Graph, Start, starts
from fcacrawler.evaluation.run import learn, unending
from fcacrawler.evaluation.standings import Record, standings
from fcacrawler.evaluation.web import Fetched, Fetcher
from fcacrawler.frontier.memory import MemoryFrontier
from fcacrawler.orders import Judge
from fcacrawler.page import key_of
from fcacrawler.values.links import Candidate
from fcacrawler.values.topics import Topic
from fcacrawler.worlds import World, find_topic, open_world

T = TypeVar("T")


def arguments(about: str | None, world: str = "") -> argparse.ArgumentParser:
    """``world``: where none is named."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("world", nargs="?" if world else None, default=world)
    parser.add_argument("--topics", default="")
    parser.add_argument("--seeds-sets", type=int, default=1)
    parser.add_argument("--seeds", default=GOOD, choices=[GOOD, HUB])
    parser.add_argument("--budget", default="4R", help="fetches a crawl: a number, or a multiple of R")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("-s", action="append", default=[], metavar="NAME=VALUE", help="a setting")
    return parser


def planned(options: argparse.Namespace) -> tuple[World, Config, list[Start]]:
    """All pages have been read, once for all crawls."""
    config = read_config(Settings(dict(pair.split("=", 1) for pair in options.s)))
    world = open_world(options.world)
    library = Library(library_path(options.world, config.page))
    with office(options.world, config, options.jobs) as pool:
        read_pages(pool, library, list(world.urls()), lambda done, of: None)
    topics = [find_topic(world, t).name for t in options.topics.split(",") if t] or list(world.topics)
    graph = Graph(library, Fetcher(world, config.page))
    ClickLog(library.path).learn(world.clicks(), graph.pairs())
    plan = starts(world, graph, topics, options.seeds_sets, options.budget, 0, options.seeds)
    return world, config, plan


def done(pool: Executor, work: Callable[..., T], tasks: Sequence[tuple[object, ...]]) -> list[T]:
    """The answers in order; how many there are goes to standard error."""
    futures = [pool.submit(work, *task) for task in tasks]
    answers = []
    for n, future in enumerate(futures, 1):
        answers.append(future.result())
        print(f"\r{n} of {len(tasks)} crawls", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return answers


def tell(records: Sequence[Record], baseline: str) -> None:
    """Each order's mean AUC against the baseline's, the best first: a table, and a JSON line each."""
    table = standings(records, baseline)
    whole = next(s.means["auc"] or 0.0 for s in table if s.order == baseline)
    for s in table:
        auc = s.means["auc"] or 0.0
        row = f"{s.order:50s} {auc:.3f}"
        if (d := s.difference) is not None:
            row += f"  {d.mean:+.3f} ({d.low:+.3f} … {d.high:+.3f})"
        print(row, file=sys.stderr)
        figure = {"figure": f"AUC {s.order}", "value": round(auc, 4), "against": round(whole, 4)}
        print(json.dumps(figure | {"ratio": round(auc / whole, 4) if whole else None}))


class Pick(NamedTuple):
    """A link that was followed to a page, seeds left out."""

    url: str
    rank: float
    fetched: Fetched
    judge: Judge


def picks(world: str, config: Config, start: Start) -> Iterator[Pick]:
    """A crawl by the default order, a pick at a time: as a comparison does it."""
    desk, config = Desk(world, config), unending(config, config.crawl.gamma)
    given = given_of(config, Topic(start.words, start.seeds), vector_of=desk.vector_of)
    crawl = crawl_of(config, given, ORDERS["semrank"](given), MemoryFrontier(config.frontier))
    crawl.seed([Candidate(key_of(url).key, url, key_of(url).host, 0) for url in start.seeds])
    left = start.budget
    while left and (entry := crawl.next(lambda host: True)) is not None:
        fetched = desk.fetch(entry.candidate.url)
        learn(crawl, entry.candidate, fetched)
        if fetched.page is not None and entry.candidate.depth:
            left -= 1
            yield Pick(entry.candidate.url, entry.rank, fetched, given.judge)
