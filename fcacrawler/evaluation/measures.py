"""How good a crawl was. *Du & Hai 2013, §4, Eq. 7-8*, and the field's own area under recall.

R is the number of relevant pages that can be reached, D what has been downloaded after n fetches; seeds are in
neither. A crawl that has come to an end keeps what it has found: its curves go on flat. Nothing can be said of a
topic without a relevant page in reach, nor of more fetches than the budget allowed: the value is None then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from fcacrawler.evaluation.trace import Trace

SPAN = 4  # the area is taken over SPAN·R fetches
HOST_PAGES = 10  # of a host count, where hosts do


def found_at(trace: Trace, n: int) -> int:
    """Relevant pages among the first n fetches."""
    return sum(trace.hits[:n])


def harvest(trace: Trace, n: int) -> float | None:
    """Harvest rate, which is precision: |R∩D| / |D| after n fetches, or after all there are if the web has no more.

    >>> harvest(Trace(("a", "b", "c", "d"), (True, False, True, False), 2, 4), 3)
    0.6666666666666666
    """
    if not 0 < n <= trace.budget:
        return None
    downloaded = min(n, len(trace.hits))
    return found_at(trace, n) / downloaded if downloaded else 0.0


def recall(trace: Trace, n: int) -> float | None:
    """|R∩D| / |R| after n fetches.

    >>> recall(Trace(("a", "b", "c", "d"), (True, False, True, False), 4, 4), 3)
    0.5
    """
    if not trace.relevant or n > trace.budget:
        return None
    return found_at(trace, n) / trace.relevant


def f_measure(precision: float, recall: float) -> float:
    """F = 2·P·R / (P + R), 0 if both are 0.

    >>> f_measure(0.5, 0.5), f_measure(1.0, 0.0), f_measure(0.0, 0.0)
    (0.5, 0.0, 0.0)
    """
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def best_f(trace: Trace) -> float | None:
    """The greatest F of the crawl, over all n: 2·|R∩D| / (|D| + |R|).

    >>> best_f(Trace(("a", "b", "c", "d"), (True, True, False, False), 2, 4))
    1.0
    """
    if not trace.relevant:
        return None
    return max((2 * f / (n + trace.relevant) for n, f in enumerate(trace.found(), 1)), default=0.0)


def area(trace: Trace) -> float | None:
    """Σ |R∩D| after n fetches / Σ min(n, |R|), both over n = 1 … 4R (at most the budget): 1 for a crawl that fetches
    nothing but relevant pages until there are no more.

    >>> area(Trace(("a", "b"), (True, True), 2, 8)), area(Trace(("a", "b"), (False, True), 2, 4))
    (1.0, 0.42857142857142855)
    """
    span = min(SPAN * trace.relevant, trace.budget)
    if not span:
        return None
    found = trace.found()[:span]
    last = found[-1] if found else 0
    return (sum(found) + last * (span - len(found))) / sum(min(n, trace.relevant) for n in range(1, span + 1))


def host_recall(trace: Trace, n: int) -> float | None:
    """Relevant hosts found: of the hosts on which pages of R stand, those of which one is among the first n fetches.

    >>> found = Trace(("a", "b", "c"), (True, False, True), 4, 3, hosts=("x.test", "x.test"), reach=(3, 1))
    >>> host_recall(found, 3)
    0.5
    """
    if not trace.reach or n > trace.budget:
        return None
    return len(set(trace.hosts[: found_at(trace, n)])) / len(trace.reach)


def host_harvest(trace: Trace, most: int) -> float | None:
    """Harvest where ``most`` pages of a host count at most: Σ_h min(most, |R∩D∩h|) / n after n = Σ_h min(most, |R∩h|)
    fetches. 1 for a crawl that fetches nothing but relevant pages, and of each host as many as count.

    >>> found = Trace(("a", "b", "c"), (True, True, True), 4, 3, hosts=("x.test", "x.test", "y.test"), reach=(3, 1))
    >>> host_harvest(found, 1), host_harvest(found, 2)
    (0.5, 1.0)
    """
    n = sum(min(most, pages) for pages in trace.reach)
    if not 0 < n <= trace.budget:
        return None
    found = Counter(trace.hosts[: found_at(trace, n)])
    return sum(min(most, pages) for pages in found.values()) / n


def fetches_to(trace: Trace, recall: float) -> int | None:
    """Fetches until a share of R has been found; None if the crawl never got there.

    >>> fetches_to(Trace(("a", "b", "c"), (True, False, True), 2, 3), 0.75)
    3
    """
    needed = recall * trace.relevant
    return next((n for n, f in enumerate(trace.found(), 1) if f >= needed - 1e-9), None) if trace.relevant else None


def seconds_to(trace: Trace, recall: float, page: float = 0.1, at_once: int = 8) -> float | None:
    """Crawl time at equal recall: the crawl's own CPU, and a network that takes ``page`` seconds a page, ``at_once``
    pages at a time.

    >>> seconds_to(Trace(("a", "b"), (True, True), 2, 2, (0.5, 1.0)), 1.0, page=0.8)
    1.2
    """
    n = fetches_to(trace, recall)
    return None if n is None else (trace.cpu[n - 1] if trace.cpu else 0.0) + n * page / at_once


def summary(trace: Trace, host_pages: int = HOST_PAGES) -> dict[str, int | float | None]:
    """The measures of a crawl by their names in results.json."""
    values: dict[str, int | float | None] = {
        "R": trace.relevant,
        "budget": trace.budget,
        "fetched": len(trace.hits),
        "relevant": sum(trace.hits),
    }
    for k in (1, 2, SPAN):
        values[f"harvest_at_{'' if k == 1 else k}r"] = harvest(trace, k * trace.relevant)
    for k in (1, 2, SPAN):
        values[f"recall_at_{'' if k == 1 else k}r"] = recall(trace, k * trace.relevant)
    values["auc"] = area(trace)
    values["best_f"] = best_f(trace)
    values["relevant_hosts"] = len(trace.reach)
    values["hosts_at_r"] = host_recall(trace, trace.relevant)
    values["hosts_at_4r"] = host_recall(trace, SPAN * trace.relevant)
    values["host_pages"] = host_pages
    values["host_harvest"] = host_harvest(trace, host_pages)
    return values


def points(trace: Trace, steps: int) -> Sequence[tuple[int, int]]:
    """(fetches, relevant pages found) at about ``steps`` even steps through the crawl, the last fetch included.

    >>> points(Trace(("a", "b", "c"), (True, False, True), 4, 3), 2)
    [(2, 1), (3, 2)]
    """
    found = trace.found()
    at = sorted({-(-len(found) * k // steps) for k in range(1, steps + 1)} - {0})
    return [(n, found[n - 1]) for n in at]
