"""The shop web: what the ontology order finds and costs by its readings, and its paper's rivals (Figures 4 and 5).

python bench/bench_ontology.py [--topics book,toys] [--only NAME …]
Budget 4R, the topics' own seeds, static vectors in the judge: mean AUC over the topics against the order as it is, a
JSON line each; harvest by tenths of the crawls goes to standard error. "+ database" joins an empty database to the
ontology, into which every book that a fetched page offers in the words of schema.org comes with its author and
publisher; it is read again every 50 pages, so that classes, properties and words are learned while crawling.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from time import thread_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from lxml import html

from fcacrawler.app.assembly import ORDERS, crawl_of, given_of
from fcacrawler.app.config import Config
from fcacrawler.evaluation.measures import area, harvest
from fcacrawler.evaluation.run import unending
from fcacrawler.evaluation.trace import Trace
from fcacrawler.frontier.memory import MemoryFrontier
from fcacrawler.ontology.options import OntologyOptions
from fcacrawler.page import key_of, keywords, read_page, seen_page
from fcacrawler.values.links import Candidate
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.topics import Topic
from tests.webs.shops import ShopsWorld

WORLD = ShopsWorld()
DATABASE = "+ database"
READINGS: dict[str, dict[str, Any]] = {
    "ontology": {},
    "ontology, no learning": {"ontology_learning": "off"},
    "ontology, printed σ": {"ontology_learning": "printed"},
    "ontology, the judge decides what hits": {"ontology_hits": "judge"},
    "ontology, raw relevance": {"ontology_relevance": "raw"},
    "ontology, propagation .25": {"ontology_propagation": 0.25},
    "ontology, propagation .5": {"ontology_propagation": 0.5},
    "ontology, Eq. 9 as a product": {"ontology_priority": "product"},
    "ontology, PR(u) by Eq. 5": {"ontology_context": "pagerank"},
    f"ontology {DATABASE}": {"ontology_reread": 50},
}
RIVALS = ("keyword", "bfs", "pagerank", "semrank")
TABLES = """
CREATE TABLE author (name TEXT PRIMARY KEY);
CREATE TABLE publisher (name TEXT PRIMARY KEY);
CREATE TABLE book (isbn TEXT PRIMARY KEY, title TEXT, author TEXT, publisher TEXT);
"""


@cache
def page(url: str) -> tuple[SeenPage, bytes] | None:
    answer = WORLD.answer(url)
    if answer is None:
        return None
    read = read_page(url, url, answer.body, content_type="text/html; charset=utf-8", headers={})
    return seen_page(read, tuple(keywords(read)), 0, ()), answer.body


def books(body: bytes) -> Iterator[tuple[str, str, str, str]]:
    """Key, title, author and publisher of what JSON-LD calls a book."""
    for script in html.fromstring(body).xpath('//script[@type="application/ld+json"]/text()'):
        try:
            tree = json.loads(script)
        except ValueError:
            continue
        for thing in tree.get("@graph", [tree]):
            if "isbn" in thing:
                yield thing["isbn"], thing["name"], thing["author"]["name"], thing["publisher"]


def keep(database: Path, body: bytes) -> None:
    with sqlite3.connect(database) as db:
        for isbn, title, author, publisher in books(body):
            db.execute("INSERT OR IGNORE INTO author VALUES (?)", [author])
            db.execute("INSERT OR IGNORE INTO publisher VALUES (?)", [publisher])
            db.execute("INSERT OR IGNORE INTO book VALUES (?, ?, ?, ?)", [isbn, title, author, publisher])
    db.close()


def crawl(order: str, topic: str, options: OntologyOptions, seen: Callable[[bytes], None]) -> Trace:
    known = WORLD.topics[topic]
    relevant = WORLD.relevant(topic) - set(known.seeds)
    config = unending(Config(ontology=options), Config().crawl.gamma)
    given = given_of(config, Topic(known.words, known.seeds))
    going = crawl_of(config, given, ORDERS[order](given), MemoryFrontier(config.frontier))
    going.seed([Candidate(key_of(u).key, u, key_of(u).host, 0) for u in known.seeds])
    urls: list[str] = []
    cpu: list[float] = []
    spent = 0.0
    while len(urls) < 4 * len(relevant) and (entry := going.next(lambda host: True)) is not None:
        found = page(entry.candidate.url)
        start = thread_time()
        going.finished(entry.candidate.key)
        if found is not None:
            seen(found[1])
            going.visit(replace(found[0], depth=entry.candidate.depth, evidence=entry.candidate.evidence))
        spent += thread_time() - start
        if entry.candidate.depth:
            urls.append(entry.candidate.url)
            cpu.append(spent)
    hits = tuple(url in relevant for url in urls)
    return Trace(tuple(urls), hits, len(relevant), 4 * len(relevant), tuple(cpu))


def crawled(name: str, topic: str) -> Trace:
    if DATABASE not in name:
        return crawl(name.partition(",")[0], topic, OntologyOptions(**READINGS.get(name, {})), lambda body: None)
    with TemporaryDirectory() as folder:
        database = Path(folder) / "shop.db"
        with sqlite3.connect(database) as db:
            db.executescript(TABLES)
        db.close()
        options = OntologyOptions(ontology=f"ecommerce,sqlite:///{database}", **READINGS[name])
        return crawl("ontology", topic, options, lambda body: keep(database, body))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topics", default=",".join(WORLD.topics))
    parser.add_argument("--only", nargs="+", default=[*READINGS, *RIVALS], choices=[*READINGS, *RIVALS])
    given = parser.parse_args()
    against: dict[str, float] = {}
    for name in given.only:
        traces = {topic: crawled(name, topic) for topic in given.topics.split(",")}
        for topic, trace in traces.items():
            steps = [trace.budget * k // 10 for k in range(1, 11)]
            curve = " ".join(f"{harvest(trace, n) or 0.0:.2f}" for n in steps)
            print(f"{name} / {topic}: AUC {area(trace) or 0.0:.3f}, harvest {curve}", file=sys.stderr, flush=True)
        auc = {topic: area(trace) or 0.0 for topic, trace in traces.items()}
        against = against or auc
        value, base = mean(auc.values()), mean(against.values())
        figure: dict[str, Any] = {"figure": f"AUC of {name}", "value": round(value, 4), "against": round(base, 4)}
        figure |= {"ratio": round(value / base, 4), "better on": sum(auc[t] > against[t] for t in auc)}
        figure |= {"topics": len(auc), "book": round(auc.get("book", 0.0), 4)}
        cost = sum(t.cpu[-1] for t in traces.values()) / sum(len(t.cpu) for t in traces.values())
        hit = sum(sum(t.hits) for t in traces.values()) / sum(t.cpu[-1] for t in traces.values())
        figure |= {"ms a page": round(1000 * cost, 2), "relevant pages a CPU second": round(hit)}
        print(json.dumps(figure, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
