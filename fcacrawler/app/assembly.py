"""The composition root: which parts a crawl is made of. Every choice by name is a dict literal here."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from fcacrawler.app.config import Config, codes, sections
from fcacrawler.app.how_far import HowFar
from fcacrawler.app.logs import check_log, growing_of, log_of
from fcacrawler.app.marks import MarksFile, read_marks
from fcacrawler.app.translation import Translator, language_of_words, untranslated
from fcacrawler.browser import find_browser
from fcacrawler.crawl.crawl import Crawl
from fcacrawler.crawl.rules import Rules, site_of
from fcacrawler.frontier import Frontier
from fcacrawler.frontier.memory import MemoryFrontier
from fcacrawler.frontier.sqlite.frontier import SqliteFrontier
from fcacrawler.frontier.sqlite.log import replay
from fcacrawler.frontier.sqlite.store import lock, open_store
from fcacrawler.judge.in_languages import InLanguages
from fcacrawler.judge.languages import Wanted, spoken_in
from fcacrawler.judge.profile import Profile, Vector
from fcacrawler.judge.topic_judge import TopicJudge
from fcacrawler.orders import Given, Order, OrderFactory
from fcacrawler.orders.in_languages import InLanguages as OrderInLanguages
from fcacrawler.orders.papers.reading import reading_of
from fcacrawler.orders.semrank.order import SemRank
from fcacrawler.page import NearDuplicates, Variants, key_of, keys_of, normalise_query, vector, words_in_urls
from fcacrawler.semrank.parameters import NAMED
from fcacrawler.values.clicks import Clicks
from fcacrawler.values.errors import BadOptions, BadRecord, BadStore, collected
from fcacrawler.values.extras import extras
from fcacrawler.values.marks import Mark
from fcacrawler.values.names import nearest
from fcacrawler.values.omega import Omega
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.topics import Topic
from fcacrawler.vectors import Vectors, load_vectors
from fcacrawler.weblogs import CrawlLog, GrowingLog
from fcacrawler.worlds import World, open_world

logger = logging.getLogger(__name__)


def _later(module: str, name: str, *more: str) -> OrderFactory:
    """An order whose module is loaded when it is made: most crawls need neither it nor what it imports. ``more``: what
    it is given besides."""

    def made(given: Given) -> Order:
        with extras():
            return cast(Order, getattr(import_module(f"fcacrawler.orders.{module}"), name)(given, *more))

    return made


ORDERS: dict[str, OrderFactory] = {
    "semrank": SemRank,
    "semrank-2013": _later("papers.rounds", "Rounds", "semrank-2013"),
    "semrank-2007": _later("papers.rounds", "Rounds", "semrank-2007"),
    "ontology": _later("papers.ontology", "OntologyOrder"),
    "formica": _later("papers.rounds", "Rounds", "formica"),
    "link-classifier": _later("rivals.link_classifier", "LinkClassifier"),
    "mean-parent": _later("rivals.mean_parent", "MeanParent"),
    "shark": _later("rivals.shark", "Shark"),
    "shark-vectors": _later("rivals.shark_vectors", "SharkVectors"),
    "context-graph": _later("rivals.context_graph", "ContextGraph"),
    "relevancy-graph": _later("rivals.relevancy_graph", "RelevancyGraph"),
    "hmm": _later("rivals.hmm", "HiddenMarkov"),
    "cosine": _later("rivals.cosine", "Cosine"),
    "keyword": _later("rivals.keyword", "Keyword"),
    "hits": _later("rivals.hits", "Hits"),
    "pagerank": _later("rivals.pagerank", "PageRank"),
    "bfs": _later("rivals.bfs", "BreadthFirst"),
    "random": _later("rivals.random_order", "RandomOrder"),
}
NO_TURNS = "workers do not know what the others fetch of a host, so hosts take turns with one worker only"
SEEDS = 10.0  # seconds for which the workers of a crawl in Redis wait for seeds that are being fetched


@dataclass(frozen=True, slots=True)
class Parts:
    """One crawl, ready to run."""

    topic: Topic
    crawl: Crawl
    marks: tuple[Mark, ...] = ()  # that its user has given
    vectors: Vectors | None = None
    clicks: GrowingLog | None = None  # a log that is read while it grows


def check(config: Config) -> None:
    """Raises BadOptions for names that no table here knows, and for files that cannot be used."""
    problems: list[str] = []
    if config.run.order not in ORDERS:
        problems.append(f"order {config.run.order!r} is unknown{nearest(config.run.order, ORDERS)}")
    if config.crawl.host_turn and "://" in config.frontier.frontier:
        problems.append(f"FCA_HOST_TURN={config.crawl.host_turn}: {NO_TURNS}")
    if config.frontier.parts > 1 and "://" not in config.frontier.frontier:
        problems.append(f"FCA_PARTS={config.frontier.parts}: only a crawl in Redis is cut: FCA_FRONTIER=redis://…")
    with collected(problems):
        check_log(config)
    with collected(problems):
        check_reading(config)
    with collected(problems):
        marks_of(config.run.marks)
    with collected(problems):
        find_browser(config.browser)
    if problems:
        raise BadOptions(problems)


def check_reading(config: Config) -> None:
    """Raises BadOptions for a reading that cannot be, or that the order has none of."""
    order, text = config.run.order, config.run.reading
    if text and order not in NAMED:
        raise BadOptions(
            [f"-s FCA_READING={text}: the order {order} reads no paper; those that do: {', '.join(NAMED)}"]
        )
    if order in NAMED:
        reading_of(order, text)


def order_of(name: str, given: Given) -> Order:
    """The order of that name."""
    order = ORDERS[name](given)
    if isinstance(given.judge, InLanguages):
        return OrderInLanguages(order, given.judge.wanted)
    return order


def check_order(config: Config, topic: Topic) -> None:
    """Makes the order once: one that cannot work for the topic says so (an FcaError)."""
    ORDERS[config.run.order](given_of(config, topic))


def assemble(config: Config, topic: Topic, folder: Path | None = None) -> Parts:
    check(config)
    said = marks_of(config.run.marks)
    if said.told:
        logger.warning(said.told)
    growing, clicks = growing_of(config.run.clicks), log_of(config.run.log).clicks
    given = given_of(config, topic, clicks=clicks + growing.read() if growing else clicks)
    crawl = crawl_of(config, given, order_of(config.run.order, given), frontier_of(config, topic, folder))
    return Parts(topic, crawl, said.marks, given.vectors, growing)


def given_of(
    config: Config,
    topic: Topic,
    omega: Omega | None = None,
    clicks: Clicks | None = None,
    vector_of: Callable[[str, str], Vector] = vector,
) -> Given:
    """What every order is told. ``vector_of`` may be one that remembers, where many crawls read the same texts."""
    with extras():
        vectors = load_vectors(config.vectors.vectors)
    said, languages = "".join(codes(config.run.lang)), codes(config.run.languages)
    translator = Translator(said, vectors) if config.run.translate else untranslated
    language = said or language_of_words(topic.words, "en")
    profile = Profile(topic, vector_of, words_in_urls, translator, spoken_in(languages), language)
    judge = TopicJudge(profile, vectors)
    return Given(
        topic,
        profile,
        InLanguages(judge, Wanted(languages)) if languages else judge,
        config.crawl.gamma,
        query=normalise_query(topic.words, profile.language),
        omega=omega or log_of(config.run.log).omega,
        crawl_log=CrawlLog(normalise_query, config.log),
        clicks=clicks or log_of(config.run.log).clicks,
        vectors=vectors,
        languages=frozenset(languages),
        ontology=config.ontology,
        reading=config.run.reading,
    )


def marks_of(path: str) -> MarksFile:
    """What the user's file says of pages; nothing without one."""
    return read_marks(Path(path)) if path else MarksFile()


def crawl_of(config: Config, given: Given, order: Order, frontier: Frontier) -> Crawl:
    rules = Rules(config.rules, forgotten=frontier.forgotten)
    crawl = Crawl(config.crawl, frontier, given.judge, order, keys_of, duplicates(), rules)
    crawl.at_home_on([key_of(url).host for url in (*given.topic.seeds, *given.topic.examples)])
    return crawl


def duplicates() -> Callable[[SeenPage], str | None]:
    """Remembers pages and answers the URL of an earlier one that is the same: by its own word, or by its text."""
    texts, variants = NearDuplicates(), Variants()
    return lambda page: variants.add(page.url, page.canonical) or texts.add(page.url, page)


def frontier_of(config: Config, topic: Topic, folder: Path | None) -> Frontier:
    """Where links wait; ``folder`` is the crawl's, if it has one (JOBDIR)."""
    where, crawl = config.frontier.frontier, _crawl(config, topic)
    if "://" in where:
        with extras():
            from fcacrawler.frontier.redis.frontier import RedisFrontier
            from fcacrawler.frontier.redis.joining import Joining
            from fcacrawler.frontier.redis.parted import PartedFrontier

        name = config.frontier.crawl or crawl_name(topic.words)
        crawl |= {rule: str(limit) for rule, limit in config.rules.budgets.items()}
        sites = site_of if config.rules.site_pages else None
        kind = RedisFrontier if config.frontier.parts == 1 else PartedFrontier
        told = retellable(replace(config, frontier=replace(config.frontier, frontier="")), topic)  # no password
        joining = Joining(config.crawl.pages, seeds=SEEDS, site_of=sites, told=told)
        return kind(where, name, config.frontier, crawl, joining)
    disk = _disk(config, folder)
    return (
        SqliteFrontier(disk, config.frontier, crawl, retellable(config, topic))
        if disk
        else MemoryFrontier(config.frontier)
    )


def check_store(config: Config, topic: Topic, folder: Path | None) -> None:
    """Raises BadOptions or BadStore if ``frontier_of`` would."""
    disk = _disk(config, folder)
    if "://" in config.frontier.frontier:
        frontier_of(config, topic, folder).close()
    elif disk:
        with closing(lock(disk)), closing(open_store(disk, _crawl(config, topic))) as db:
            try:
                replay(db)
            except BadRecord as error:
                raise BadStore(
                    f"{disk}: {error}. Its items may still be had by scrapy export; move it away to begin anew"
                ) from None


def retellable(config: Config, topic: Topic) -> str:
    """What a crawl was told, kept in its store; ``retold`` reads it."""
    return json.dumps({"config": asdict(config), "topic": asdict(topic)})


def retold(text: str) -> tuple[Config, Topic]:
    """Options that are no more are left out, new ones have their defaults.

    >>> retold(retellable(Config(), Topic("tea", ("http://a.test/",)))) == (Config(), Topic("tea", ("http://a.test/",)))
    True
    """
    told = json.loads(text)
    known = {
        name: section(
            **{f.name: told["config"][name][f.name] for f in fields(section) if f.name in told["config"][name]}
        )
        for name, section in sections().items()
        if name in told["config"]
    }
    topic: dict[str, Any] = {n: tuple(v) if isinstance(v, list) else v for n, v in told["topic"].items()}
    return Config(**known), Topic(**topic)


def crawl_name(words: str) -> str:
    """What a crawl is called after its topic, in any script.

    >>> crawl_name("Auto racing, rallies")
    'auto-racing-rallies'
    """
    return "-".join(re.findall(r"\w+", words.lower())) or "crawl"


def _disk(config: Config, folder: Path | None) -> Path | None:
    where = config.frontier.frontier
    if config.run.refresh and (folder is None or where not in ("", "sqlite")):
        raise BadOptions(["-a refresh needs the folder of an earlier run: -s JOBDIR=jobs/NAME"])
    if where == "sqlite" and folder is None:
        raise BadOptions(["FCA_FRONTIER=sqlite needs a folder: -s JOBDIR=jobs/NAME"])
    return folder if where in ("", "sqlite") else None


def _crawl(config: Config, topic: Topic) -> dict[str, str]:
    """What must be the same when a crawl goes on."""
    return {"topic": topic.words, "order": config.run.order}


@cache
def world_of(name: str) -> World | None:
    """The offline web of this name or folder, opened once a process; None for the real web."""
    return open_world(name, HowFar("indexing", "bytes")) if name else None
