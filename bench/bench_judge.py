"""What the judge costs a page, without marks and with marks that come one at a time, on pages that a crawl fetched.

usage: bench_judge.py WORLD [--topics …] [--seeds good] [--budget 4R] [--marks 0,20,50]

A crawl by the default order of each topic of a recorded WORLD (or demo) is made once; a new judge then is told its
pages again, in their order, and so many marks by the labels, spread over the crawl. CPU ms of this thread a page.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from time import thread_time
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scrapy.settings import Settings

from fcacrawler.app.assembly import given_of
from fcacrawler.app.config import read_config
from fcacrawler.evaluation.library import packed
from fcacrawler.evaluation.plan import GOOD, HUB, Graph, Run, Start, starts
from fcacrawler.evaluation.run import Desk, run
from fcacrawler.judge.topic_judge import TopicJudge
from fcacrawler.values.marks import Mark
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.topics import Topic
from fcacrawler.values.verdicts import Judged


def crawled(desk: Desk, start: Start) -> list[SeenPage]:
    """What the judge of a crawl was told."""
    told: list[SeenPage] = []
    plain = TopicJudge.observe

    def observe(self: TopicJudge, page: SeenPage) -> Judged:
        told.append(page)
        return plain(self, page)

    with patch.object(TopicJudge, "observe", observe):
        run(Run(start, "semrank", desk.config.crawl.gamma), desk)
    return told


def cost(desk: Desk, start: Start, pages: list[SeenPage], marks: int) -> float:
    """CPU seconds."""
    judge = given_of(desk.config, Topic(start.words, start.seeds), vector_of=desk.vector_of).judge
    due = {round((n + 0.5) * len(pages) / marks) for n in range(marks)}
    began = thread_time()
    for n, page in enumerate(pages):
        judge.observe(page)
        if n in due:
            judge.mark([(Mark(page.url, page.url in start.relevant), page)])
    return thread_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("world")
    parser.add_argument("--topics", nargs="+")
    parser.add_argument("--seeds", default=GOOD, choices=[GOOD, HUB])
    parser.add_argument("--budget", default="4R")
    parser.add_argument("--marks", default="0,20,50")
    given = parser.parse_args()
    desk = Desk(given.world, read_config(Settings()))
    for url in desk.library.missing(list(desk.world.urls())):
        desk.library.add([packed(url, desk.fetcher.fetch(url))])
    graph = Graph(desk.library, desk.fetcher)
    plan = starts(desk.world, graph, given.topics or list(desk.world.topics), 1, given.budget, 0, given.seeds)
    crawls = [(start, crawled(desk, start)) for start in plan]
    count = sum(len(pages) for _, pages in crawls)
    for marks in map(int, given.marks.split(",")):
        spent = sum(cost(desk, start, pages, marks) for start, pages in crawls)
        figure = f"judge, {desk.world.name}, {marks} marks: CPU ms a page"
        print(json.dumps({"figure": figure, "value": round(1000 * spent / count, 3), "pages": count}), flush=True)


if __name__ == "__main__":
    main()
