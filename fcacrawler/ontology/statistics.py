"""Statistics learning: what the crawl has seen changes the classes' weights (*Huang et al. 2010*, Eq. 3 and 4)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Counts:
    """What Eq. 3 counts."""

    pages: int = 0  # Nc: pages crawled
    on_topic: int = 0  # Nt: those that hit the topic
    seen: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))  # n_o: pages in which class o occurs
    hits: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))  # n_to: those of them on topic

    def __add__(self, other: Counts) -> Counts:
        seen, hits = Counter(self.seen), Counter(self.hits)
        seen.update(other.seen)
        hits.update(other.hits)
        return Counts(self.pages + other.pages, self.on_topic + other.on_topic, seen, hits)


NO_COUNTS = Counts()


def counts_of(pages: Iterable[tuple[Iterable[str], bool]]) -> Counts:
    """Pages as (classes that occur, whether it hit the topic), counted.

    >>> counts_of([(["book", "price"], True), (["price"], False)])
    Counts(pages=2, on_topic=1, seen=Counter({'price': 2, 'book': 1}), hits=Counter({'book': 1, 'price': 1}))
    """
    n, hit, seen, hits = 0, 0, Counter[str](), Counter[str]()
    for classes, on_topic in pages:
        n += 1
        seen.update(classes)
        if on_topic:
            hit += 1
            hits.update(classes)
    return Counts(n, hit, seen, hits)


def topic_ratio(counts: Counts, iri: str, form: str = "lift", smoothing: float = 0.0) -> float:
    """σ of a class (Eq. 3): over 1 for a class that speaks for the topic, under 1 for one that speaks against it.

    - ``lift``: σ = (n_to/n_o) / (Nt/Nc), how much likelier a page with the class is to be on topic than any page
    - ``printed``: σ = (Nt·n_o) / (Nc·n_to), its inverse: a class that is seen on topic pages only would lose weight

    ``smoothing`` k sees k more pages with the class that hit the topic as often as all do:
    lift = ((n_to + k·p) / (n_o + k)) / p with p = Nt/Nc. Where nothing can be said (no page, no topic page, or a class
    not seen) σ = 1; the inverse of 0 is not taken either.

    >>> c = Counts(pages=100, on_topic=20, seen={"book": 10, "shop": 50}, hits={"book": 8, "shop": 10})
    >>> topic_ratio(c, "book"), topic_ratio(c, "book", "printed"), topic_ratio(c, "shop"), topic_ratio(c, "car")
    (4.0, 0.25, 1.0, 1.0)
    """
    seen, hits = counts.seen.get(iri, 0), counts.hits.get(iri, 0)
    if not counts.on_topic or seen + smoothing == 0:
        return 1.0
    share = counts.on_topic / counts.pages
    lift = (hits + smoothing * share) / (seen + smoothing) / share
    if form == "lift":
        return lift
    return 1 / lift if lift else 1.0


def evolved_weight(weight: float, ratio: float, bound: float) -> float:
    """W'(Ck) = σ·W(Ck) (Eq. 4), with σ held within [1/bound, bound] so that no class takes over nor is lost.

    >>> evolved_weight(0.5, 1.6, bound=4), evolved_weight(0.5, 100.0, bound=4), evolved_weight(0.5, 0.0, bound=4)
    (0.8, 2.0, 0.125)
    """
    return weight * min(max(ratio, 1 / bound), bound)


def propagated(ratios: Mapping[str, float], edges: Mapping[str, Iterable[str]], share: float) -> dict[str, float]:
    """σ propagated along the ontology's graph (§III.C asks for it and gives no formula): a class takes so much of the
    geometric mean of its neighbours' σ, σ'(Ck) = σ(Ck)^(1 - share) · Π σ(Cj)^(share / n) over its n neighbours Cj.

    One step a lesson, from what was counted. A class without neighbours keeps its own.

    >>> edges = {"book": ["novel", "shop"], "novel": ["book"]}
    >>> moved = propagated({"novel": 4.0, "book": 1.0, "shop": 1.0}, edges, 0.5)
    >>> {name: round(ratio, 4) for name, ratio in moved.items()}
    {'novel': 2.0, 'book': 1.4142, 'shop': 1.0}
    """
    logs = {i: math.log(ratio) for i, ratio in ratios.items()}
    moved = {}
    for i, own in logs.items():
        near = [logs[j] for j in edges.get(i, ()) if j in logs]
        moved[i] = math.exp((1 - share) * own + share * sum(near) / len(near)) if near else ratios[i]
    return moved


def learned_weights(
    weights: Mapping[str, float],
    counts: Counts,
    form: str = "lift",
    smoothing: float = 0.0,
    bound: float = 4.0,
    edges: Mapping[str, Iterable[str]] = MappingProxyType({}),
    share: float = 0.0,
) -> dict[str, float]:
    """W' of every class, always from the first W: learning again does not pile up. ``edges`` and ``share``: see
    ``propagated``, of σ that are held within bounds already.

    >>> c = Counts(pages=10, on_topic=5, seen={"book": 4}, hits={"book": 4})
    >>> learned_weights({"book": 1.0, "car": 0.25}, c)
    {'book': 2.0, 'car': 0.25}
    """
    ratios = {i: evolved_weight(1.0, topic_ratio(counts, i, form, smoothing), bound) for i in weights}
    if share:
        ratios = propagated(ratios, edges, share)
    return {i: w * ratios[i] for i, w in weights.items()}
