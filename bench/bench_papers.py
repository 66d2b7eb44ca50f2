"""The papers' claims on a closed web of labels, as theirs was: γ, sources of ics, readings, rivals, crawl time.

python bench/bench_papers.py [WORLD] [--what gamma,sources,readings,rivals] [--order semrank-2013] [--topics a,b]
    [--budget 4R] [--gamma .45] [--wordnet FOLDER] [--conceptnet FILE] [--jobs 2]
WORLD is demo?closed=1 (4,737 labelled pages and the links among them) unless another is named. The first row is the
order with the world's log, which the others are held against: AUC with 95 % intervals over topics. A line of JSON each.
Pages are not explained meanwhile, which is no part of the papers' crawl and its time.
--wordnet: where data.noun, index.noun and cntlist.rev are (Debian's wordnet-base: /usr/share/wordnet). What it knows is
told a second time as ConceptNet tells it, by its CSV: its synonyms, kinds and parts. All of ConceptNet: --conceptnet.
"""

from __future__ import annotations

import json
import math
import os
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from statistics import mean, median_low
from tempfile import TemporaryDirectory

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.planned import arguments, planned
from fcacrawler.app.assembly import ORDERS
from fcacrawler.app.config import Config
from fcacrawler.evaluation.clicks import NONE, OWN
from fcacrawler.evaluation.comparison import Done
from fcacrawler.evaluation.measures import f_measure, harvest, seconds_to
from fcacrawler.evaluation.plan import Run
from fcacrawler.evaluation.run import Desk, run
from fcacrawler.evaluation.standings import Record, Standing, record, standings
from fcacrawler.evaluation.trace import Trace
from fcacrawler.orders import Given, Order
from fcacrawler.orders.papers.rounds import Rounds
from fcacrawler.values.clicks import NO_CLICKS
from fcacrawler.values.verdicts import Explanation

CLOSED = "demo?closed=1"
RIVALS = ("bfs", "cosine", "context-graph", "relevancy-graph", "pagerank", "formica", "semrank-2007", "semrank")
AS_THEY_ARE = dict(ORDERS)
RECALLS = (0.1, 0.25, 0.5, 0.75, 0.9)
READINGS = (
    "w=0", "w=0.8", "w_rule=adaptive", "sim_ext=pairs", "sim_int=larger", "p_top=min", "again=True", "nouns=True",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Variant:
    """Crawls that a row is made of."""

    name: str
    order: str
    gamma: float
    reading: str = ""
    log: str = NONE
    clicks: bool = True  # of the log, if it is told


def variants(given: Namespace, conceptnet: Sequence[str]) -> list[Variant]:
    """The first is what the others are held against."""
    whole = Variant(f"{given.order}, log", given.order, given.gamma, log=OWN)
    found = [whole]
    for what in given.what.split(","):
        if what == "gamma":
            found += [replace(whole, name=f"γ {k / 10:g}", gamma=k / 10) for k in range(1, 11)]
        elif what == "rivals":
            found += [replace(whole, name=f"{given.order}, no log", log=NONE)]
            found += [Variant(name, name, given.gamma) for name in RIVALS]
        elif what == "readings":
            found += [replace(whole, name=r, reading=r) for r in READINGS]
        else:
            found += [replace(whole, name="log, its clicks left out", clicks=False)]
            paths = [f"wordnet:{given.wordnet}"] if given.wordnet else []
            paths += [f"conceptnet:{path}" for path in (*conceptnet, given.conceptnet) if path]
            for source in ("equal", "links", "vectors", *paths):
                told = replace(whole, name=f"source={Path(source).name}", reading=f"source={source}")
                found += [replace(told, name=f"{told.name}, clicks"), replace(told, log=NONE)]
    return found


def as_conceptnet(folder: Path) -> Iterator[str]:
    """WordNet's nouns as lines of ConceptNet's CSV: words of one synset, what each is a kind of, and a part of."""
    words: dict[str, list[str]] = {}
    above: list[tuple[str, str, str]] = []
    for line in (folder / "data.noun").read_text("utf-8").splitlines():
        fields = line.partition(" | ")[0].split()
        if line.startswith(" ") or len(fields) < 4:
            continue
        count = int(fields[3], 16)
        words[fields[0]] = [w.lower() for w in fields[4 : 4 + 2 * count : 2]]
        links = fields[5 + 2 * count :]
        above += [(ABOVE[p], fields[0], to) for p, to in zip(links[::4], links[1::4], strict=False) if p in ABOVE]
    for same in words.values():
        yield from (f"/a/\t/r/Synonym\t/c/en/{same[0]}/n\t/c/en/{other}/n\t{{}}" for other in same[1:])
    for relation, one, other in above:
        yield f"/a/\t{relation}\t/c/en/{words[one][0]}/n\t/c/en/{words[other][0]}/n\t{{}}"


ABOVE = {"@": "/r/IsA", "@i": "/r/IsA", "#p": "/r/PartOf", "#m": "/r/PartOf", "#s": "/r/PartOf"}


@cache
def desk_of(world: str, config: Config) -> Desk:
    return Desk(world, config)


def crawl(world: str, config: Config, task: Run, variant: Variant) -> tuple[Trace, int]:
    """What was fetched, and in how many rounds."""
    made: list[Order] = []

    def factory(given: Given) -> Order:
        clicks = given.clicks if variant.clicks else NO_CLICKS
        made.append(AS_THEY_ARE[variant.order](replace(given, reading=variant.reading, clicks=clicks)))
        if isinstance(made[-1], Rounds):
            made[-1].explain_page = lambda page: Explanation(0.0)  # type: ignore[method-assign]
        return made[-1]

    ORDERS[variant.name] = factory
    return run(task, desk_of(world, config)), made[-1].epoch


def mean_f(trace: Trace) -> float:
    """Over the fetches of a crawl; the paper's average F (Fig. 8)."""
    found = enumerate(trace.found(), 1)
    return mean([f_measure(f / n, f / trace.relevant) for n, f in found] or [0.0])


def main() -> None:
    parser = arguments(__doc__, CLOSED)
    parser.add_argument("--what", default="gamma,sources,readings,rivals")
    parser.add_argument("--order", default="semrank-2013", choices=["semrank-2013", "semrank-2007", "formica"])
    parser.add_argument("--gamma", type=float, default=0.45)
    parser.add_argument("--wordnet", type=Path, metavar="FOLDER")
    parser.add_argument("--conceptnet", type=Path, metavar="FILE")
    given = parser.parse_args()
    world, config, plan = planned(given)
    with TemporaryDirectory() as folder:
        wordnet = Path(folder) / "of-wordnet.csv"
        if given.wordnet:
            wordnet.write_text("\n".join(as_conceptnet(given.wordnet)), "utf-8")
        rows = variants(given, [str(wordnet)] if given.wordnet else [])
        with ProcessPoolExecutor(given.jobs, get_context("spawn")) as pool:
            futures = [
                [pool.submit(crawl, given.world, config, Run(start, v.name, v.gamma, log=v.log), v) for start in plan]
                for v in rows
            ]
            records: list[Record] = []
            for v, some in zip(rows, futures, strict=True):
                traces, rounds = zip(*(future.result() for future in some), strict=True)
                runs = [Run(start, v.name, v.gamma, log=v.log) for start in plan]
                records += [record(world.name, Done(r, t)) for r, t in zip(runs, traces, strict=True)]
                found = standings(records, rows[0].name)
                tell(next(s for s in found if s.order == v.name), traces, rounds)


def tell(row: Standing, traces: Sequence[Trace], rounds: Sequence[int]) -> None:
    """A row, as JSON: seconds are those to a recall, at 100 ms a page and 8 pages at a time, None where fewer than half
    of the crawls get there."""
    seconds = {r: median_low([seconds_to(t, r) or math.inf for t in traces]) for r in RECALLS}
    figure = {
        "figure": row.order,
        "auc": rounded(row.means["auc"]),
        "difference": str(row.difference and f"{row.difference.mean:+.3f} ({row.difference})"),
        "harvest at R": rounded(row.means["harvest_at_r"]),
        "recall at 4R": rounded(row.means["recall_at_4r"]),
        "best F": rounded(row.means["best_f"]),
        "mean F": rounded(mean(map(mean_f, traces))),
        "seconds to recall": {str(r): None if math.isinf(s) else round(s, 1) for r, s in seconds.items()},
        "harvest at .25R, R, 4R": [rounded(mean(harvest(t, max(1, round(k * t.relevant))) or 0.0 for t in traces))
                                   for k in (0.25, 1, 4)],
        "rounds": median_low(rounds),
        "ms a page": rounded(median_low(1000 * t.cpu[-1] / len(t.cpu) for t in traces)),
        "topics": len(row.by_topic),
    }  # fmt: skip
    print(json.dumps(figure), flush=True)


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


if __name__ == "__main__":
    main()
