"""What a comparison leaves behind as plain files: results, fetches and curves."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from fcacrawler.evaluation.comparison import Done, file_name
from fcacrawler.evaluation.judgement import Row
from fcacrawler.evaluation.measures import f_measure, points
from fcacrawler.evaluation.standings import Record

POINTS = 100  # of a curve


def write_results(out: Path, records: Sequence[Record]) -> None:
    """results.json: a list, one record a crawl."""
    _write(out / "results.json", json.dumps(list(records), indent=1) + "\n")


def write_judgements(out: Path, rows: Sequence[Row]) -> None:
    """judge.json: a list, two records a crawl: the judge's measures at the end, and of what it said as pages came."""
    _write(out / "judge.json", json.dumps(list(rows), indent=1) + "\n")


def write_fetches(out: Path, results: Sequence[Done]) -> None:
    """fetches/TOPIC.SET.ORDER.GAMMA.tsv: every fetch of a crawl in its order."""
    (out / "fetches").mkdir(exist_ok=True)
    for done in results:
        hits = zip(done.trace.urls, done.trace.hits, strict=True)
        rows = [f"{n}\t{int(hit)}\t{url}" for n, (url, hit) in enumerate(hits, 1)]
        _write(out / "fetches" / f"{file_name(done.run.name)}.tsv", "\n".join(["n\trelevant\turl", *rows]) + "\n")


def write_curves(out: Path, results: Sequence[Done]) -> None:
    """curves.csv: harvest rate (which is precision), recall and F over the pages of each crawl."""
    rows = ["topic,seed_set,order,gamma,n,relevant,harvest,recall,f"]
    for done in results:
        run, total = done.run, done.trace.relevant
        for n, found in points(done.trace, POINTS):
            harvest, recall = found / n, found / total if total else 0.0
            values = f"{harvest:.6f},{recall:.6f},{f_measure(harvest, recall):.6f}"
            name = '"' + run.start.topic.replace('"', '""') + '"'
            rows.append(f"{name},{run.start.seed_set},{run.order},{run.gamma:g},{n},{found},{values}")
    _write(out / "curves.csv", "\n".join(rows) + "\n")


def _write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
