"""Who finds more: means over topics, and how sure they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fcacrawler.evaluation.comparison import Done
from fcacrawler.evaluation.measures import HOST_PAGES, summary
from fcacrawler.evaluation.plan import FETCH

Record = dict[str, str | int | float | None]

SAMPLES = 10_000
LEVEL = 0.95
HOSTS = ("hosts_at_r", "hosts_at_4r", "host_harvest")
COLUMNS = ("auc", "harvest_at_r", "harvest_at_2r", "harvest_at_4r", "recall_at_r", "recall_at_4r", "best_f", *HOSTS)


def record(world: str, done: Done, host_pages: int = HOST_PAGES, recorded_by: Sequence[str] = ()) -> Record:
    """A crawl as results.json tells it. Everything but the CPU time is the same for the same seed. ``recorded_by``:
    orders of the crawls that made the world."""
    run, trace = done.run, done.trace
    cpu = 1000 * trace.cpu[-1] / len(trace.cpu) if trace.cpu else None
    return {
        "world": world,
        "recorded_by": ",".join(recorded_by) or None,
        "topic": run.start.topic,
        "seeds": run.start.kind,
        "seed_set": run.start.seed_set,
        "order": run.order,
        "gamma": run.gamma,
        **summary(trace, host_pages),
        "links": trace.links,
        "unknown": trace.unknown,
        "unknown_links": run.unknown,
        "cpu_ms_per_page": None if cpu is None else round(cpu, 4),
    }


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean difference, and where it lies with a probability of 95 %, which one value cannot tell."""

    mean: float
    low: float
    high: float
    values: int = 2  # that it was made of

    def __str__(self) -> str:
        return f"{self.low:+.3f} … {self.high:+.3f}" if self.values > 1 else "one topic tells no interval"


@dataclass(frozen=True, slots=True)
class Standing:
    """How one order did."""

    order: str
    means: Mapping[str, float | None]  # by the names in results.json: over topics, each the mean of its sets of seeds
    by_topic: Mapping[str, float]  # AUC
    difference: Interval | None  # of AUC to the baseline's; None where they share no topic
    won: int  # topics with a higher AUC than the baseline's
    cpu: float | None  # ms per page


def standings(records: Sequence[Record], baseline: str, seed: int = 0) -> list[Standing]:
    """All orders, the best first."""
    orders = list(dict.fromkeys(str(r["order"]) for r in records))
    reference = by_topic(records, baseline, "auc")
    found = []
    for order in orders:
        own = by_topic(records, order, "auc")
        shared = [t for t in own if t in reference]
        found.append(
            Standing(
                order,
                {name: mean(by_topic(records, order, name).values()) for name in COLUMNS},
                own,
                bootstrap([own[t] - reference[t] for t in shared], seed) if order != baseline else None,
                sum(own[t] > reference[t] for t in shared),
                mean(by_topic(records, order, "cpu_ms_per_page").values()),
            )
        )
    return sorted(found, key=lambda s: -(s.means["auc"] or 0.0))


def by_topic(records: Sequence[Record], order: str, name: str) -> dict[str, float]:
    """An order's value of a measure by topic: the mean over its sets of seeds, those without a value left out."""
    values: dict[str, list[float]] = {}
    for r in records:
        value = r[name]
        if r["order"] == order and isinstance(value, int | float):
            values.setdefault(str(r["topic"]), []).append(float(value))
    return {topic: sum(v) / len(v) for topic, v in values.items()}


def mean(values: Iterable[float]) -> float | None:
    """
    >>> mean([1.0, 2.0]), mean([])
    (1.5, None)
    """
    known = list(values)
    return sum(known) / len(known) if known else None


def bootstrap(differences: Sequence[float], seed: int = 0) -> Interval | None:
    """The mean of paired differences with its percentile interval: topics are drawn again with replacement, 10,000
    times. *Efron 1979*; *Smucker, Allan & Carterette 2007*.

    >>> bootstrap([0.2, 0.2, 0.2])
    Interval(mean=0.2, low=0.2, high=0.2, values=3)
    """
    if not differences:
        return None
    values = np.array(differences)
    drawn = np.random.default_rng(seed).integers(0, len(values), (SAMPLES, len(values)))
    low, high = np.quantile(values[drawn].mean(axis=1), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(round(float(values.mean()), 12), round(float(low), 12), round(float(high), 12), len(values))


def unknown(records: Sequence[Record]) -> str:
    """How much of what was found the recording does not have, in plain words; "" if nothing is missing."""
    links, missing = (mean(float(r[name] or 0) for r in records) or 0.0 for name in ("links", "unknown"))
    if not missing:
        return ""
    offered = any(r["unknown_links"] == FETCH for r in records)
    then = "they were fetched in vain" if offered else "no order was offered them (--unknown fetch: fetched in vain)"
    return f"{100 * missing / links:.0f} % of the {links:,.0f} URLs that a crawl found are not in the recording: {then}"


def sentence(world: str, table: Sequence[Standing], baseline: str) -> str:
    """What the comparison shows, in plain words."""
    ranked = [s for s in table if s.means["auc"] is not None and s.order not in ("oracle", "random")]
    if not ranked:
        return f"On {world} no relevant page can be reached from the seeds: nothing can be said of any order."
    best, auc = ranked[0], ranked[0].means["auc"] or 0.0
    topics = len(best.by_topic)
    said = f"On {world} ({topics} topic{'s' * (topics > 1)}) {best.order} finds most: area under recall {auc:.3f}"
    if len(ranked) > 1:
        second = ranked[1]
        said += f", then {second.order} with {second.means['auc'] or 0.0:.3f}"
    if (harvest := best.means["harvest_at_r"]) is not None:
        said += f". Of its first R pages {100 * harvest:.0f} % are relevant"
    reference = next((s for s in table if s.order == baseline), None)
    if reference is not None and best.difference is not None and best.order != baseline:
        gap, base = best.difference, reference.means["auc"] or 0.0
        interval = f", 95 % interval {gap.low:+.3f} to {gap.high:+.3f}," if gap.values > 1 else ""
        sure = "more" if gap.low > 0 and interval else "not surely more"
        percent = f" ({100 * gap.mean / base:+.0f} %)" if base else ""
        said += (
            f". It finds {sure} than {baseline}: {gap.mean:+.3f}{percent}{interval} "
            f"and wins {best.won} of {topics} topics"
        )
    return said + "."
