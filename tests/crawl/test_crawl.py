"""The crawl itself, without Scrapy: what leaves next, when it is over, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from fcacrawler.crawl.crawl import Crawl
from fcacrawler.crawl.options import CrawlOptions
from fcacrawler.crawl.paths import PATH
from fcacrawler.crawl.rules import RuleOptions, Rules
from fcacrawler.frontier.memory import MemoryFrontier
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.values.links import Candidate, Evidence, Link
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.verdicts import Explanation, Judged

RULES = {f.name for f in fields(RuleOptions)}


class ByTable:
    """A judge and an order in one: whatever the table says of a URL."""

    epoch = 0
    gated = True
    thorough = False
    over = False

    def __init__(self, table: dict[str, float]) -> None:
        self.table = table
        self.numbers: dict[str, int] = {}
        self.marks: dict[str, bool] = {}
        self.copies: list[tuple[str, str]] = []

    def copied(self, page: SeenPage, original: str) -> None:
        self.copies.append((page.url, original))

    def of(self, url: str) -> float:
        return self.table.get(url, 0.0)

    def observe(self, page: SeenPage, judged: Judged | None = None) -> Judged | float:
        if judged is not None:
            return judged.relevance
        return Judged(self.of(page.url), self.of(page.url), self.numbers.setdefault(page.url, len(self.numbers)))

    def relevance(self, url: str) -> float | None:
        return self.table.get(url)

    def parts(self, url: str) -> dict[str, float]:
        return {}

    def relevances(self) -> NDArray[np.float64]:
        return np.array([self.of(url) for url in self.numbers])

    def speech(self) -> NDArray[np.float64]:
        return np.zeros(0)

    def rank(self, candidates: Sequence[Candidate]) -> list[float]:
        return [self.of(c.url) for c in candidates]

    def explain(self, candidate: Candidate) -> Explanation:
        return Explanation(self.of(candidate.url))

    def explain_page(self, page: SeenPage) -> Explanation:
        return Explanation(self.of(page.url))


def key_of(url: str) -> tuple[bytes, str]:
    return url.encode(), url[0]  # the first letter is the host


def keys_of(urls: Sequence[str]) -> list[tuple[bytes, str]]:
    return list(map(key_of, urls))


def made(
    table: dict[str, float],
    duplicate_of: Callable[[SeenPage], str | None] = lambda page: None,
    **options: float | str,
) -> Crawl:
    order = ByTable(table)
    frontier = MemoryFrontier(FrontierOptions())
    ruled = {name: options.pop(name) for name in RULES & options.keys()}
    rules = Rules(RuleOptions(**ruled))  # type: ignore[arg-type]
    return Crawl(CrawlOptions(**options), frontier, order, order, keys_of, duplicate_of, rules)  # type: ignore[arg-type]


def seen(url: str, *links: str, depth: int = 0, parent: str = "", nofollow: bool = False) -> SeenPage:
    found = tuple(Link(u, u, "", n, nofollow) for n, u in enumerate(links))
    evidence = (Evidence(parent, url, "", 0, 1),) if parent else ()
    return SeenPage(url, url, "en", depth, (), {}, found, evidence)


def seed(url: str) -> Candidate:
    return Candidate(*key_of(url)[:1], url, key_of(url)[1], 0)


def anywhere(host: str) -> bool:
    return True


def taken(crawl: Crawl, free: Callable[[str], bool] = anywhere) -> str | None:
    entry = crawl.next(free)
    return entry.candidate.url if entry is not None else None


def test_the_best_link_of_the_hosts_that_are_free_leaves() -> None:
    crawl = made({"a1": 0.9, "b1": 0.8, "b2": 0.7})
    crawl.visit(seen("s", "b2", "b1", "a1"))
    assert taken(crawl, lambda host: host == "b") == "b1"
    assert taken(crawl) == "a1"
    assert taken(crawl) == "b2"


def test_what_is_at_gamma_or_below_waits_until_nothing_runs_and_then_tunnels() -> None:
    crawl = made({"a1": 0.9, "a2": 0.45, "a3": 0.2, "a4": 0.1}, tunnel=2)
    crawl.visit(seen("s", "a4", "a3", "a2", "a1"))
    assert (crawl.sizes().running, crawl.sizes().waiting) == (1, 3)
    assert [taken(crawl) for _ in range(4)] == ["a1", "a2", "a3", None]
    assert crawl.over() == "nothing_above_gamma"


def test_no_idle_host_is_asked_for_a_far_worse_link_than_one_that_waits_for_its_own() -> None:
    """.7 of .4 is .28."""
    crawl = made({"a1": 0.4, "b1": 0.27, "c1": 0.29})
    crawl.visit(seen("s", "a1", "b1", "c1"))
    assert taken(crawl, lambda host: host in "bc") == "c1"
    assert taken(crawl, lambda host: host in "bc") is None
    assert [taken(crawl), taken(crawl)] == ["a1", "b1"]


def test_what_is_below_gamma_waits_for_a_host_that_pauses_only_while_that_is_short() -> None:
    crawl = made({"a1": 0.9, "b1": 0.1})
    crawl.visit(seen("s", "a1", "b1"))
    assert crawl.next(lambda host: host == "b", awake=anywhere) is None
    entry = crawl.next(lambda host: host == "b", awake=lambda host: host == "b")
    assert entry is not None
    assert entry.candidate.url == "b1"


def test_the_budget_below_gamma_is_earned_by_relevant_pages_and_bounded_over_the_crawl() -> None:
    """Twenty at first, ten more for each of two relevant pages; but there are never more than twenty left, so the first
    of them, which comes when fifteen are left, earns five."""
    table = {f"a{n}": 0.3 for n in range(100)} | {"r": 0.9}
    crawl = made(table, tunnel=20)
    crawl.visit(seen("s", *table))
    fetched = 0
    assert taken(crawl) == "r"
    crawl.finished(b"r")
    while (url := taken(crawl)) is not None:
        fetched += 1
        crawl.visit(seen("r" if fetched in (5, 15) else url))
        crawl.finished(url.encode())
    assert (fetched, crawl.flights.tunnel.pages) == (20 + 5 + 10, 35)
    assert crawl.over() == "nothing_above_gamma"


def test_a_link_below_gamma_that_waits_again_has_cost_nothing() -> None:
    crawl = made({"a1": 0.2}, tunnel=1)
    crawl.visit(seen("s", "a1"))
    assert taken(crawl) == "a1"
    crawl.released(b"a1", counted=False)
    assert taken(crawl) == "a1"


def test_a_relevant_page_refills_the_tunnelling_budget() -> None:
    crawl = made({"a1": 0.2, "a2": 0.1, "t": 0.9}, tunnel=1)
    crawl.visit(seen("s", "a1", "a2"))
    assert taken(crawl) == "a1"
    assert crawl.over() == "nothing_above_gamma"
    crawl.visit(seen("t"))
    assert crawl.over() is None
    assert taken(crawl) == "a2"


def test_a_link_that_is_busy_elsewhere_does_not_let_what_waits_through() -> None:
    crawl = made({"a1": 0.9, "b1": 0.1})
    crawl.visit(seen("s", "b1", "a1"))
    assert taken(crawl, lambda host: host == "b") is None


def test_the_budget_counts_responses_and_what_is_in_flight() -> None:
    crawl = made({"a1": 0.9, "a2": 0.8, "a3": 0.7}, pages=2)
    crawl.visit(seen("s", "a1", "a2", "a3"))
    assert [taken(crawl), taken(crawl), taken(crawl)] == ["a1", "a2", None]
    assert crawl.over() == "budget"
    crawl.finished(b"a1", responded=False)
    assert crawl.over() is None
    assert taken(crawl) == "a3"
    crawl.finished(b"a2")
    crawl.finished(b"a3")
    assert (crawl.fetched, crawl.over()) == (2, "budget")


def test_a_harvest_that_has_dried_up_ends_the_crawl() -> None:
    crawl = made({"a1": 0.9}, patience=2)
    crawl.visit(seen("s", "a1"))
    assert crawl.over() is None
    crawl.visit(seen("x"))
    assert crawl.over() == "dried_up"
    assert taken(crawl) is None


def test_a_crawl_ends_when_so_much_is_found_as_was_asked_for() -> None:
    found = {f"a{n}": 0.9 for n in range(40)}
    crawls = [made({**found, "b": 0.9}, recall=recall) for recall in (0.7, 0.0)]
    for crawl in crawls:
        crawl.visit(seen("s", "b"))
        for url in found:
            assert crawl.verdicts.completeness is crawl.over() is None
            crawl.visit(seen(url))
        for n in range(20):
            crawl.visit(seen(f"x{n}"))
        assert crawl.verdicts.completeness is not None
        assert crawl.verdicts.completeness.share > 0.7
    assert [crawl.over() for crawl in crawls] == ["recall_reached", None]
    assert [taken(crawl) for crawl in crawls] == [None, "b"]
    crawls[0].retune(recall=0.99)
    assert taken(crawls[0]) == "b"


def test_a_link_given_back_waits_again() -> None:
    crawl = made({"a1": 0.9})
    crawl.visit(seen("s", "a1"))
    assert taken(crawl) == "a1"
    assert crawl.over() == "exhausted"
    crawl.released(b"a1")
    assert taken(crawl) == "a1"


def test_a_rank_that_has_risen_is_used_once_the_epoch_has() -> None:
    crawl = made({"a1": 0.9, "a2": 0.5})
    crawl.visit(seen("s", "a1", "a2"))
    order = crawl.order
    assert isinstance(order, ByTable)
    order.table["a2"] = 0.95
    crawl.visit(seen("t"))
    assert crawl.frontier.best() == 0.9
    order.epoch = 1
    crawl.visit(seen("u"))
    assert taken(crawl) == "a2"


def test_nothing_is_learned_from_a_duplicate_and_its_links_do_not_wait() -> None:
    crawl = made({"copy": 0.9, "a1": 0.9}, duplicate_of=lambda page: "s" if page.url == "copy" else None)
    verdict = crawl.visit(seen("copy", "a1"))
    assert (verdict.duplicate_of, verdict.relevant, verdict.rank) == ("s", False, 0.0)
    assert crawl.sieve.dropped == {"on a duplicate page": 1}
    assert crawl.order.copies == [("copy", "s")]  # type: ignore[attr-defined]
    assert crawl.over() == "exhausted"


def test_a_copy_gets_its_originals_verdict_and_is_no_find() -> None:
    crawl = made({"s": 0.8, "copy": 0.1}, duplicate_of=lambda page: "s" if page.url == "copy" else None)
    crawl.visit(seen("s"))
    verdict = crawl.visit(seen("copy"))
    assert (verdict.duplicate_of, verdict.relevant, verdict.rank) == ("s", True, 0.8)
    assert (crawl.harvest.pages, crawl.harvest.relevant) == (2, 1)


def test_links_not_to_be_followed_or_too_deep_are_counted_by_rule() -> None:
    crawl = made({"a1": 0.9}, depth=1)
    crawl.visit(seen("s", "a1", nofollow=True))
    crawl.visit(seen("t", "a1", "a2", depth=1))
    assert crawl.sieve.dropped == {"nofollow": 1, "depth": 2}
    assert crawl.over() == "exhausted"


@pytest.mark.parametrize("length", [1, 3, PATH + 10])
def test_the_path_leads_from_the_seed_to_the_parent(length: int) -> None:
    crawl = made({})
    names = [f"p{n}" for n in range(length + 1)]
    crawl.visit(seen(names[0]))
    for parent, child in pairwise(names):
        crawl.visit(seen(child, parent=parent))
    assert crawl.paths.to(names[-1]) == names[:-1][-PATH:]


def test_a_page_that_leads_to_itself_has_a_finite_path() -> None:
    crawl = made({})
    crawl.visit(seen("a", parent="b"))
    crawl.visit(seen("b", parent="a"))
    assert crawl.paths.to("a") == ["a", "b"]
