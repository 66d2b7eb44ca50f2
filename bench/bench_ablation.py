"""What each part of the default order is worth: a comparison with that part taken away, or with a source of ics more.

python bench/bench_ablation.py WORLD [--topics a,b] [--seeds-sets 1] [--seeds hub] [--jobs 2]
    [--clicks | --sources [--wordnet FOLDER]] [-s FCA_VECTORS=none]
WORLD is demo or a recorded web's folder. Differences are of AUC to the order as it is, with 95 % intervals over topics.
With --clicks, the world's log of clicks is told instead: whole, pairs of 3 users alone, and on other pages.
With --sources, the log, anchors, clusters and vectors of words, and WordNet if its folder is given, are added instead.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import sources
from bench.planned import arguments, done, planned, tell
from fcacrawler.app.assembly import ORDERS
from fcacrawler.app.config import Config
from fcacrawler.evaluation.clicks import NONE, OWN, PERMUTED
from fcacrawler.evaluation.comparison import Done
from fcacrawler.evaluation.plan import Run
from fcacrawler.evaluation.run import Desk, run
from fcacrawler.evaluation.standings import record
from fcacrawler.evaluation.trace import Trace
from fcacrawler.orders import Given, OrderFactory
from fcacrawler.orders.semrank.graded import DEFAULT, Graded
from fcacrawler.orders.semrank.order import SemRank
from fcacrawler.orders.semrank.parts import CONCEPTS, EXT, VECTORS, WORDS
from fcacrawler.values.clicks import Clicks
from fcacrawler.weblogs import Thresholds

WHOLE = "as it is"
THREE = "with clicks that 3 users share"
LOGS = {WHOLE: NONE, "with clicks": OWN, THREE: OWN, "with clicks on other pages": PERMUTED}


def without(*names: str) -> Graded:
    return replace(DEFAULT, weights={name: w for name, w in DEFAULT.weights.items() if name not in names})


def parts(vectors: bool) -> dict[str, OrderFactory]:
    """The order, and what is left of it."""
    single = [*EXT, *WORDS, *CONCEPTS, *(VECTORS if vectors else ())]
    found = {WHOLE: DEFAULT} | {f"without {name}": without(name) for name in single}
    found["without all of Ext"] = without(*EXT)
    found["without concepts (extent, shared, borne, intent)"] = without(*CONCEPTS)
    found["without equal words (anchor, url)"] = without("anchor", "url")
    if vectors:
        found["without the order's vectors (near, seeds, query)"] = without(*VECTORS)
    found["without learned weights"] = replace(DEFAULT, firm=1e9)
    found["without the speech of relevant pages (decision 127)"] = replace(DEFAULT, trust=0.0)
    return {name: partial(SemRank, graded=graded) for name, graded in found.items()}


def wider(wordnet: Path | None) -> dict[str, OrderFactory]:
    """The order, and what sources of ics add to it."""
    named = {name: getattr(sources, name) for name in ("log", "anchors", "clusters", "vectors")}
    if wordnet:
        named["taxonomy"] = partial(sources.taxonomy, folder=wordnet)
    found: dict[str, OrderFactory] = {WHOLE: SemRank}
    return found | {f"with {name}": partial(widened, source) for name, source in named.items()}


def widened(source: Callable[[Given], sources.Source], given: Given) -> sources.Widened:
    return sources.Widened(given, source(given))


def clicking() -> dict[str, OrderFactory]:
    """The order, told of users' clicks; ``LOGS`` says which."""
    return {name: supported if name == THREE else SemRank for name in LOGS}


def supported(given: Given) -> SemRank:
    """Told what `scrapy learn` would keep of the log."""
    clicks = given.clicks
    kept = clicks.counts[:, 0] >= Thresholds().click_users
    return SemRank(replace(given, clicks=Clicks(clicks.urls, clicks.pairs[kept], clicks.counts[kept])))


def variants(given: Namespace, config: Config) -> Mapping[str, OrderFactory]:
    if given.clicks:
        return clicking()
    return wider(given.wordnet) if given.sources else parts(config.vectors.vectors != "none")


@cache
def desk_of(world: str, config: Config) -> Desk:
    return Desk(world, config)


def crawl(given: Namespace, config: Config, task: Run) -> Trace:
    ORDERS[task.order] = variants(given, config)[task.order]
    return run(task, desk_of(given.world, config))


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--clicks", action="store_true", help="add users' clicks instead of taking parts away")
    parser.add_argument("--sources", action="store_true", help="add sources of ics instead of taking parts away")
    parser.add_argument("--wordnet", type=Path, metavar="FOLDER", help="where data.noun, index.noun, cntlist.rev are")
    given = parser.parse_args()
    world, config, plan = planned(given)
    log = LOGS if given.clicks else {"with log": OWN}
    names = variants(given, config)
    tasks = [Run(start, name, config.crawl.gamma, log=log.get(name, NONE)) for start in plan for name in names]
    with ProcessPoolExecutor(given.jobs, get_context("spawn")) as pool:
        traces = done(pool, crawl, [(given, config, task) for task in tasks])
    tell([record(world.name, Done(task, trace)) for task, trace in zip(tasks, traces, strict=True)], WHOLE)


if __name__ == "__main__":
    main()
