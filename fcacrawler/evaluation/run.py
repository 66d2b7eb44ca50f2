"""One crawl of a comparison: the same judge, order and frontier as a real crawl, without Scrapy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from time import thread_time

from fcacrawler.app.assembly import ORDERS, crawl_of, given_of, order_of
from fcacrawler.app.config import Config
from fcacrawler.crawl.crawl import Crawl
from fcacrawler.evaluation.clicks import ClickLog
from fcacrawler.evaluation.labelled import Labelled
from fcacrawler.evaluation.library import Library, library_path
from fcacrawler.evaluation.offered import Offered
from fcacrawler.evaluation.plan import FETCH, GOOD, LABELS, Graph, Run, oracle_links
from fcacrawler.evaluation.trace import Judged, Trace
from fcacrawler.evaluation.user import User
from fcacrawler.evaluation.web import Fetched, Fetcher
from fcacrawler.orders.rivals.oracle import Oracle
from fcacrawler.page import key_of, vector
from fcacrawler.values.links import Candidate
from fcacrawler.values.topics import Topic
from fcacrawler.values.verdicts import Verdict
from fcacrawler.worlds import open_world

ORACLE = "oracle"
NAMES = (ORACLE, *ORDERS)
FOREVER = 10**9
TEXTS = 300_000  # whose vectors a process remembers


class Desk:
    """What a process needs to read pages and to crawl: a world, its library, and the texts it has met."""

    def __init__(self, world: str, config: Config) -> None:
        self.config = config
        self.library = Library(library_path(world, config.page))
        self.world = open_world(world)
        self.fetcher = Fetcher(self.world, config.page)
        self._log = ClickLog(self.library.path)
        self.heard = lru_cache(3)(self._log.heard)
        self.vector_of = lru_cache(TEXTS)(vector)
        self._elsewhere = lru_cache(1000)(self.fetcher.fetch)

    def close(self) -> None:
        self.library.close()
        self.world.close()

    def fetch(self, url: str) -> Fetched:
        return self.library.get(url) or self._elsewhere(url)

    @cached_property
    def links(self) -> Mapping[str, Sequence[str]]:
        return oracle_links(Graph(self.library, self.fetcher))


def run(run: Run, desk: Desk) -> Trace:
    """Crawl until the budget is used up or nothing is left. γ does not end it, nor does a dry spell: all orders fetch
    the same number of pages."""
    start, config = run.start, unending(desk.config, run.gamma)
    heard = desk.heard(run.log)
    given = given_of(config, Topic(start.words, start.seeds), heard.omega, heard.clicks, desk.vector_of)
    if run.by == LABELS:
        right = start.relevant.union(start.seeds if start.kind == GOOD else ())
        given = replace(given, judge=Labelled(given, lambda url: url in right or desk.fetch(url).final_url in right))
    order = Oracle(start.relevant, desk.links) if run.order == ORACLE else order_of(run.order, given)
    frontier = Offered(config.frontier, run.unknown == FETCH)
    crawl = crawl_of(config, given, order, frontier)
    crawl.seed([Candidate(key_of(url).key, url, key_of(url).host, 0) for url in start.seeds])
    urls: list[str] = []
    hits: list[bool] = []
    cpu: list[float] = []
    hosts: list[str] = []
    came: list[tuple[str, float, bool]] = []
    found: set[str] = set()
    spent = 0.0
    user = User(given.judge, run.marks, run.marking, run.gamma, start.budget, run.name) if run.marks else None
    while len(urls) < start.budget:
        began = thread_time()
        entry = crawl.next(lambda host: True)
        spent += thread_time() - began
        if entry is None:
            break
        fetched = desk.fetch(entry.candidate.url)
        frontier.on_page(fetched.unknown)
        began = thread_time()
        verdict = learn(crawl, entry.candidate, fetched)
        spent += thread_time() - began
        if fetched.responded and entry.candidate.depth:
            urls.append(entry.candidate.url)
            hits.append(fetched.final_url in start.relevant and fetched.final_url not in found)
            hosts += [host_of(fetched.final_url)] if hits[-1] else []
            cpu.append(spent)
            found.add(fetched.final_url)
            if verdict is not None:
                came.append(
                    (verdict.duplicate_of or entry.candidate.url, verdict.rank, fetched.final_url in start.relevant)
                )
            if user and (said := user.look(len(urls), [(url, about) for url, _, about in came])):
                crawl.mark(said)
    marked = given.judge.marks
    judged = tuple(Judged(rank, given.judge.relevance(u) or 0.0, about) for u, rank, about in came if u not in marked)
    return Trace(
        tuple(urls),
        tuple(hits),
        len(start.relevant),
        start.budget,
        tuple(cpu),
        judged,
        hosts=tuple(hosts),
        reach=tuple(Counter(map(host_of, sorted(start.relevant))).values()),
        links=len(frontier.found) - len(set(start.seeds)),
        unknown=len(frontier.unknown),
    )


def host_of(url: str) -> str:
    """Of a canonical URL."""
    return key_of(url).host


def learn(crawl: Crawl, candidate: Candidate, fetched: Fetched) -> Verdict | None:
    """What the scheduler and the pipelines do when a response comes in; None if it is no page to learn from."""
    astray = fetched.final_url not in ("", candidate.url) and not crawl.sieve.passes(
        fetched.final_url, key_of(fetched.final_url).host, candidate.depth
    )
    if fetched.gone and not astray:
        crawl.missing(candidate.url)
    crawl.finished(candidate.key, fetched.responded and not astray)
    if fetched.page is not None and not astray:
        page = replace(fetched.page, url=candidate.url, depth=candidate.depth, evidence=candidate.evidence)
        return crawl.visit(page, follow=fetched.follow)
    return None


def unending(config: Config, gamma: float) -> Config:
    """The configuration of a compared crawl: only the budget ends it."""
    return replace(config, crawl=replace(config.crawl, gamma=gamma, pages=0, tunnel=FOREVER, patience=0, recall=0.0))
