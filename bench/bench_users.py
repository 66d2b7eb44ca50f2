"""Three rounds of crawl, search and click: is the second crawl better for what users clicked after the first?

python bench/bench_users.py WORLD [--topics a,b] [--seeds hub] [--jobs 2] [-s FCA_VECTORS=none]
WORLD is demo or a recorded web's folder with a log of clicks. Before the first crawl nobody has clicked; before each
other one, users have clicked a further half of the log, in order of time, but only on pages that the crawl before has
found and that are at hand therefore ("found"), or on whatever the log has ("log"). A JSON line for each.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.planned import arguments, done, planned, tell
from fcacrawler.app.config import Config
from fcacrawler.evaluation.clicks import Heard
from fcacrawler.evaluation.comparison import Done
from fcacrawler.evaluation.plan import Run, Start
from fcacrawler.evaluation.run import Desk, run
from fcacrawler.evaluation.standings import record
from fcacrawler.evaluation.trace import Trace
from fcacrawler.page import canonical_url
from fcacrawler.values.clicks import Clicks, clicks_of
from fcacrawler.weblogs.events import Click, turn
from fcacrawler.weblogs.formats.own import parser_of_tsv
from fcacrawler.worlds import open_world

CRAWLS = 3
KINDS = ("found", "log")


class Listening(Desk):
    """A desk whose log is what users have clicked so far."""

    def __init__(self, world: str, config: Config) -> None:
        super().__init__(world, config)
        self.clicks: Clicks | None = None
        self.heard = lambda how: Heard(None, self.clicks)


@cache
def desk_of(world: str, config: Config) -> Listening:
    return Listening(world, config)


@cache
def walks_of(world: str) -> tuple[tuple[str, ...], ...]:
    """What each user clicked for each query, the earliest walk first."""
    lines = iter(open_world(world).clicks())
    parse = parser_of_tsv([next(lines)])
    assert parse is not None
    walks: dict[tuple[str, str], list[Click]] = {}
    for line in lines:
        if (click := parse(line)) is not None:
            walks.setdefault((click.user, click.query), []).append(click)
    inner = sorted((sorted(walk, key=turn) for walk in walks.values()), key=lambda walk: turn(walk[0]))
    return tuple(tuple(canonical_url(click.url) or click.url for click in walk) for walk in inner)


def crawls(world: str, config: Config, start: Start, kind: str) -> list[Trace]:
    """Three of a topic, each after more clicks."""
    desk, walks = desk_of(world, config), walks_of(world)
    traces: list[Trace] = []
    seen: list[Sequence[str]] = []
    for n in range(CRAWLS):
        desk.clicks = clicks_of(seen)
        traces.append(run(Run(start, "semrank", config.crawl.gamma), desk))
        found = {*start.seeds, *traces[-1].urls}
        half = walks[n * len(walks) // 2 : (n + 1) * len(walks) // 2]
        seen += half if kind == "log" else [[url for url in walk if url in found] for walk in half]
    return traces


def main() -> None:
    given = arguments(__doc__).parse_args()
    world, config, plan = planned(given)
    tasks = [(given.world, config, start, kind) for start in plan for kind in KINDS]
    with ProcessPoolExecutor(given.jobs, get_context("spawn")) as pool:
        answers = done(pool, crawls, tasks)
    records = [
        record(world.name, Done(Run(start, f"crawl {n + 1}, {kind}", config.crawl.gamma), trace))
        for (_, _, start, kind), traces in zip(tasks, answers, strict=True)
        for n, trace in enumerate(traces)
    ]
    for kind in KINDS:
        tell([r for r in records if str(r["order"]).endswith(kind)], f"crawl 1, {kind}")


if __name__ == "__main__":
    main()
