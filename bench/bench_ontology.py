"""The shop web, topic book: what each order finds and costs, with learning and without (the paper's Figures 4, 5)."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from time import thread_time

sys.path.insert(0, str(Path(__file__).parents[1]))

from fcacrawler.app.assembly import ORDERS, crawl_of, given_of
from fcacrawler.app.config import Config
from fcacrawler.crawl.options import CrawlOptions
from fcacrawler.frontier.memory import MemoryFrontier
from fcacrawler.ontology.options import OntologyOptions
from fcacrawler.page import key_of, keywords, read_page, seen_page
from fcacrawler.values.links import Candidate
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.topics import Topic
from tests.webs.shops import ShopsWorld

WORLD = ShopsWorld()
RIVALS = ("keyword", "bfs", "pagerank", "semrank")
HTML = "text/html; charset=utf-8"


@cache
def page(url: str) -> SeenPage | None:
    answer = WORLD.answer(url)
    if answer is None:
        return None
    read = read_page(url, url, answer.body, content_type=HTML, headers={})
    return seen_page(read, tuple(keywords(read)), 0, ())


def crawl(order: str, topic: str, pages: int, learning: str = "lift") -> tuple[list[bool], float]:
    """Whether each page fetched is relevant, and the CPU seconds of judge, order and frontier."""
    known, relevant = WORLD.topics[topic], WORLD.relevant(topic)
    unending = CrawlOptions(patience=0, tunnel=10**6, pages=pages)
    config = Config(crawl=unending, ontology=OntologyOptions(ontology_learning=learning))
    given = given_of(config, Topic(known.words, known.seeds))
    going = crawl_of(config, given, ORDERS[order](given), MemoryFrontier(config.frontier))
    going.seed([Candidate(key_of(u).key, u, key_of(u).host, 0) for u in known.seeds])
    hits, cpu = [], 0.0
    while (entry := going.next(lambda host: True)) is not None:
        found = page(entry.candidate.url)
        start = thread_time()
        going.finished(entry.candidate.key)
        if found is not None:
            going.visit(replace(found, depth=entry.candidate.depth, evidence=entry.candidate.evidence))
        cpu += thread_time() - start
        hits.append(entry.candidate.url in relevant)
    return hits, cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--topic", default="book", choices=list(WORLD.topics))
    parser.add_argument("--pages", type=int, default=1400)
    options = parser.parse_args()
    runs = [(f"ontology, {how}", "ontology", how) for how in ("lift", "off", "printed")]
    runs += [(name, name, "lift") for name in RIVALS]
    against = None
    for name, order, learning in runs:
        hits, cpu = crawl(order, options.topic, options.pages, learning)
        rates = [round(sum(hits[:n]) / n, 3) for n in range(100, len(hits) + 1, 100)]
        cost = f"{sum(hits) / cpu:.0f} topic pages a CPU second, {1000 * cpu / len(hits):.2f} ms a page"
        print(f"{name}: {cost}; harvest by hundreds {rates}", file=sys.stderr)
        rate = sum(hits) / len(hits)
        against = rate if against is None else against
        figure = {"figure": f"harvest of {name}", "value": rate, "against": against, "ratio": rate / (against or 1)}
        print(json.dumps(figure), flush=True)


if __name__ == "__main__":
    main()
