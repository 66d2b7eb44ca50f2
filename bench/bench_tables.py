"""The tables of docs/results: every order of finished comparisons, those of several draws of a web as one.

    scrapy compare FOLDER --seeds-sets 3 --judge --baseline semrank --out OUT1 [--seeds hub]
    python bench/bench_tables.py OUT1 [OUT2 …]

A row an order, best first: AUC, the share of relevant pages among the first R/10, R/4 and R fetches, recall at 4R, best
F, relevant hosts found in R fetches of those there are, the same share where ten pages of a host count at most; how far
it is from semrank, with a 95 % interval over topics, and how many topics it wins. The last line is the best rival.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import fmean

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.bench_crawl_time import CEILING, trace_of
from fcacrawler.evaluation.measures import harvest
from fcacrawler.evaluation.standings import Record, Standing, standings

FIRST = "semrank"
SHARES = (0.1, 0.25, 1.0)  # of R fetches
HEAD = ("order", "AUC", "R/10", "R/4", "R", "recall at 4R", "best F", "hosts", "ten a host", f"against {FIRST}, won")


def read(folder: Path) -> tuple[list[Record], dict[tuple[str, str], list[float]]]:
    """Rows of results.json, topics told apart by folder; (order, topic) → its crawls' harvest at each share of R."""
    rows = json.loads((folder / "results.json").read_text("utf-8"))
    early: dict[tuple[str, str], list[list[float]]] = {}
    for row in rows:
        trace, topic = trace_of(row, folder), f"{folder}: {row['topic']}"
        row["topic"] = topic
        shares = [harvest(trace, max(1, round(share * row["R"]))) or 0.0 for share in SHARES]
        early.setdefault((row["order"], topic), []).append(shares)
    return rows, {crawl: [fmean(values) for values in zip(*sets, strict=True)] for crawl, sets in early.items()}


def number(value: float | None) -> str:
    """
    >>> number(0.5), number(1.0), number(-0.0412), number(None)
    ('.500', '1.000', '−.041', '–')
    """
    return "–" if value is None else f"{value:.3f}".replace("0.", ".", 1).replace("-", "−")


def row_of(standing: Standing, early: dict[tuple[str, str], list[float]]) -> list[str]:
    by_topic = [shares for (order, _), shares in early.items() if order == standing.order]
    means, apart = standing.means, standing.difference
    told = [means["auc"], *map(fmean, zip(*by_topic, strict=True))]
    told += [means[name] for name in ("recall_at_4r", "best_f", "hosts_at_r", "host_harvest")]
    against = "" if apart is None else f"{number(apart.mean)} ({number(apart.low)} … {number(apart.high)}), "
    return [standing.order, *map(number, told), against + f"{standing.won} of {len(standing.by_topic)}" * bool(apart)]


def main(*folders: str) -> None:
    if not folders:
        sys.exit(__doc__)
    rows: list[Record] = []
    early: dict[tuple[str, str], list[float]] = {}
    for folder in folders:
        some, shares = read(Path(folder))
        rows += some
        early |= shares
    table = standings(rows, FIRST)
    print(f"| {' | '.join(HEAD)} |\n|{' --- |' * len(HEAD)}")
    for standing in table:
        print(f"| {' | '.join(row_of(standing, early))} |")
    auc = {standing.order: standing.means["auc"] or 0.0 for standing in table}
    if rivals := auc.keys() - {FIRST, CEILING}:
        rival = max(rivals, key=lambda order: auc[order])
        figure = {"figure": f"AUC of {FIRST}, against {rival}", "value": round(auc[FIRST], 4)}
        print(json.dumps({**figure, "against": round(auc[rival], 4), "ratio": round(auc[FIRST] / auc[rival], 3)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
