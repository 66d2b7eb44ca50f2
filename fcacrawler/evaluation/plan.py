"""What a comparison runs: every order on every topic from every set of seeds, and what is relevant there."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from fcacrawler.evaluation.clicks import NONE
from fcacrawler.evaluation.library import Library
from fcacrawler.evaluation.web import Fetcher
from fcacrawler.page import canonical_url
from fcacrawler.values.errors import BadOptions
from fcacrawler.worlds import World

FEWEST_LINKS = 3  # of a page that is drawn as a seed
GOOD, HUB = "good", "hub"  # seeds: pages of the topic; pages off the topic that link to it
OPINION, LABELS = "opinion", "labels"  # by what pages are judged: our judge, or the labels themselves
LEAVE, FETCH = "leave", "fetch"  # links to what the recording does not have: nobody is offered them, or all are
HUBS = 12  # pages off the topic, those that link to most of it, of which further sets of hub seeds are drawn


@dataclass(frozen=True, slots=True)
class Start:
    """A topic and one set of seeds."""

    topic: str
    words: str
    seed_set: int  # 0: the topic's own seeds; 1, 2 …: drawn
    seeds: tuple[str, ...]
    relevant: frozenset[str]  # pages labelled relevant that can be reached, seeds left out
    budget: int  # fetches, seeds left out
    kind: str = GOOD  # of seeds


@dataclass(frozen=True, slots=True)
class Run:
    """One crawl of a comparison."""

    start: Start
    order: str
    gamma: float
    unknown: str = LEAVE
    log: str = NONE  # what is told of the world's own log
    marks: int = 0  # that a simulated user gives
    marking: str = ""  # of which pages: see ``user.MARKING``
    by: str = OPINION  # pages are judged

    @property
    def label(self) -> str:
        """The order, and how many marks it was given."""
        return f"{self.order}, {self.marks} {self.marking} marks" if self.marks else self.order

    @property
    def name(self) -> str:
        hub = HUB if self.start.kind == HUB else ""
        log = f".{self.log}" if self.log != NONE else ""
        marked = f".{self.marks}{self.marking}" if self.marks else ""
        by = f".{self.by}" if self.by != OPINION else ""
        return f"{self.start.topic}.{hub}{self.start.seed_set}.{self.order}.{self.gamma:g}{log}{marked}{by}"


class Graph:
    """The links of a world as a crawl may follow them: URL asked for → URLs on the page that it leads to."""

    def __init__(self, library: Library, fetcher: Fetcher) -> None:
        self.final: dict[str, str] = {}
        self.links: dict[str, list[str]] = {}
        for url, final, links in library.targets():
            self.final[url] = final
            self.links[url] = links
        self._fetcher = fetcher

    def arrives(self, url: str) -> str:
        """Where a URL leads to after redirects; "" where nothing answers."""
        known = self.final.get(url)
        if known is None:
            known = self.final[url] = self._fetcher.final(url) or ""
        return known

    def onward(self, url: str) -> Sequence[str]:
        """The links of the page that a URL leads to."""
        return self.links.get(url) or self.links.get(self.arrives(url)) or ()

    def pairs(self) -> Iterator[tuple[str, str]]:
        """All links, from page to page."""
        return ((url, target) for url in self.links for target in self.onward(url))

    def reachable(self, seeds: Iterable[str]) -> set[str]:
        """The pages that a crawl can reach, the seeds among them, by the URLs that they arrive at."""
        seen = set(seeds)
        waiting = list(seen)
        while waiting:
            fresh = set(self.onward(waiting.pop())) - seen
            seen |= fresh
            waiting += sorted(fresh)
        return {final for url in seen if (final := self.arrives(url))}


def parse_budget(text: str) -> tuple[float, bool]:
    """A number of fetches, and whether it counts in R.

    >>> parse_budget("4R"), parse_budget("500")
    ((4.0, True), (500.0, False))
    """
    in_r = text[-1:] in ("R", "r")
    try:
        value = float(text[:-1] if in_r else text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e9 or (not in_r and value != int(value)):
        raise BadOptions([f"--budget {text!r}: must be a number of pages such as 500, or a multiple of R such as 4R"])
    return value, in_r


def starts(
    world: World, graph: Graph, topics: Sequence[str], sets: int, budget: str, seed: int, kind: str = GOOD
) -> list[Start]:
    """Each topic with each of its sets of seeds.

    Of good seeds set 0 is the topic's own; the others are drawn, always the same ones, from the relevant pages that set
    0 reaches and that have some links. Of hub seeds see ``hubs``.
    """
    value, in_r = parse_budget(budget)
    found = []
    for name in topics:
        topic = world.topics[name]
        labelled = {canonical_url(url) or url for url in world.relevant(name)}
        own = tuple(canonical_url(url) or url for url in topic.seeds)
        if not own:
            raise BadOptions([f"topic {name!r} of world {world.name!r} has no seeds: add them to its topics.toml"])
        rich = sorted(u for u in labelled & graph.reachable(own) if len(graph.onward(u)) >= FEWEST_LINKS)
        for k in range(sets):
            drawn = random.Random(f"{seed}/{name}/{k}").sample(rich, min(len(own), len(rich)))
            seeds = tuple(drawn) if k and drawn else own
            if kind == HUB:
                seeds = hubs(graph, labelled, random.Random(f"{seed}/{name}/hub/{k}") if k else None)
                if not seeds:
                    raise BadOptions([f"--seeds hub: no page off the topic {name!r} links to it"])
            relevant = frozenset(labelled & graph.reachable(seeds)) - {graph.arrives(s) for s in seeds}
            fetches = max(1, round(value * len(relevant))) if in_r else int(value)
            found.append(Start(name, topic.words, k, seeds, relevant, fetches, kind))
    return found


def hubs(graph: Graph, labelled: Collection[str], dice: random.Random | None) -> tuple[str, ...]:
    """Where people begin who know no page of the topic: the home page of a web of one site; else the page off the topic
    that links to most of it, and the one that links to most of the rest. ``dice`` draw two of the best instead."""
    roots = {f"{urlsplit(url).scheme}://{urlsplit(url).netloc}/" for url in graph.links}
    if len(roots) == 1 and graph.onward(home := roots.pop()):
        return (home,)
    about = set(labelled)
    leads = {
        url: found
        for url in sorted(graph.links)
        if graph.arrives(url) == url and url not in about and (found := about.intersection(graph.onward(url)))
    }
    best = sorted(leads, key=lambda url: (-len(leads[url]), url))
    if dice is not None:
        return tuple(dice.sample(best[:HUBS], min(2, len(best[:HUBS]))))
    rest = sorted(best[1:], key=lambda url: -len(leads[url] - leads[best[0]]))
    return tuple(best[:1] + rest[:1])


def oracle_links(graph: Graph) -> Mapping[str, Sequence[str]]:
    """URL → the URLs on its page, for the order that knows everything."""
    return {url: graph.onward(url) for url in graph.links}
