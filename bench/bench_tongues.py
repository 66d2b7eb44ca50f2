"""What a comparison on the web of many languages says, by language.

python bench/bench_tongues.py OUT…: the folders that scrapy compare wrote to, of tests/webs/tongues.py's web. A line a
language with its topics, the mean AUC of each order, the topics on which the first order is ahead of all others, and
the judge's mean F1 and ECE at the end of the first order's crawls, where --judge told them; then the first order's mean
over the other languages as a share of its English, over all topics and over the subjects that both have. Topics are
those that all orders were tried on.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import fmean

sys.path.insert(0, str(Path(__file__).parents[1]))

from fcacrawler.evaluation.standings import Record

FIRST, ENGLISH = "semrank", "en"


def means(rows: list[Record], field: str) -> dict[str, float]:
    """Topic → the field's mean over its crawls."""
    return {t: fmean(r[field] for r in rows if r["topic"] == t) for t in dict.fromkeys(r["topic"] for r in rows)}


def by_language(topics: dict[str, float]) -> dict[str, float]:
    """Language → the mean over its topics."""
    of: dict[str, list[float]] = {}
    for topic, value in topics.items():
        of.setdefault(topic.partition(".")[0], []).append(value)
    return {language: fmean(values) for language, values in of.items()}


def share(topics: dict[str, float]) -> tuple[float, float]:
    """The mean of the other languages' means over English's; each against English's mean of the same subjects."""
    languages = by_language(topics)
    others = [language for language in languages if language != ENGLISH]
    pairs = []
    for language in others:
        mine = {t.partition(".")[2]: v for t, v in topics.items() if t.startswith(f"{language}.")}
        both = [s for s in mine if f"{ENGLISH}.{s}" in topics]
        pairs.append(fmean(mine[s] for s in both) / fmean(topics[f"{ENGLISH}.{s}"] for s in both))
    return fmean(languages[x] for x in others) / languages[ENGLISH], fmean(pairs)


def main(*folders: str) -> None:
    rows = [row for folder in folders for row in json.loads(Path(folder, "results.json").read_text("utf-8"))]
    orders = list(dict.fromkeys(row["order"] for row in rows))
    common = set.intersection(*({row["topic"] for row in rows if row["order"] == order} for order in orders))
    rows = [row for row in rows if row["topic"] in common]
    auc = {order: means([r for r in rows if r["order"] == order], "auc") for order in orders}
    files = [file for folder in folders if (file := Path(folder, "judge.json")).exists()]
    said = [row for file in files for row in json.loads(file.read_text("utf-8"))]
    told = [row for row in said if row["order"] == FIRST and row["judged"] == "end" and row["topic"] in common]
    judge = {name: means(told, name) for name in ("f1", "ece")} if told else {}
    rivals = [order for order in orders if order != FIRST]
    ahead = {t: all(mine > auc[order][t] for order in rivals) for t, mine in auc[FIRST].items()}
    languages = by_language(auc[FIRST])
    for language in languages:
        means_of = {order: round(by_language(auc[order])[language], 3) for order in orders}
        own = [first for topic, first in ahead.items() if topic.startswith(f"{language}.")]
        quality = {name: round(by_language(values)[language], 3) for name, values in judge.items()}
        print(json.dumps({"language": language, "topics": len(own), "ahead": sum(own)} | means_of | quality))
    for name, values in {"auc": auc[FIRST], **judge}.items():
        if ENGLISH in languages and len(languages) > 1:
            every, same = (round(x, 3) for x in share(values))
            print(json.dumps({"of": name, "others_of_english": every, "same_subjects": same}))


if __name__ == "__main__":
    main(*sys.argv[1:])
