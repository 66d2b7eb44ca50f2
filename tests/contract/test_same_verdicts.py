"""Whoever goes on with a crawl, or shares it, thinks the same of every page: it hears them in the same order."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fcacrawler.crawl.crawl import Crawl
from fcacrawler.crawl.options import CrawlOptions
from fcacrawler.frontier import Frontier
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.orders.semrank.order import SemRank
from fcacrawler.values.marks import Mark
from fcacrawler.values.pages import SeenPage
from tests.contract.backends import Redis, Sqlite
from tests.crawl.test_crawl import anywhere
from tests.orders.pages import candidate, given, keys_of, page, url

PAGES = 60


def crawl(frontier: Frontier) -> Crawl:
    told = given("volcano lava")
    return Crawl(CrawlOptions(tunnel=10**6), frontier, told.judge, SemRank(told), keys_of, lambda p: None)


def web() -> list[SeenPage]:
    """A portal that is not believed, and pages of which a third say the words or what goes with them."""
    kinds = ("volcano lava ash", "ash crater magma", "garden tree rose")
    own = [" ".join(f"w{n}x{k}" for k in range(6)) for n in range(PAGES)]
    texts = [f"{kinds[n % 3]} {own[n]}" for n in range(PAGES)]
    portal = page("s", "portal news", [f"p{n}" for n in range(PAGES)], depth=0)
    return [portal, *(page(f"p{n}", text, parents=["s"]) for n, text in enumerate(texts))]


@pytest.mark.parametrize(("backend", "marks"), [(Sqlite, True), (Redis, False)])
def test_verdicts_are_the_same_after_going_on_and_in_another_worker(backend: type[Sqlite | Redis], marks: bool) -> None:
    """In Redis whoever catches up hears all marks before the pages."""
    kept, pages = backend(), {p.url: p for p in web()}
    try:
        first = crawl(kept.make(FrontierOptions()))
        other = crawl(kept.open(FrontierOptions())) if isinstance(kept, Redis) else None
        first.seed([candidate("s", depth=0)])
        for n in range(len(pages)):
            entry = first.next(anywhere)
            assert entry is not None
            first.visit(replace(pages[entry.candidate.url], evidence=entry.candidate.evidence), entry.candidate.key)
            first.finished(entry.candidate.key)
            if marks and n in (20, 40):
                first.sync()
                first.mark([Mark(url(f"p{n - 19}"), True), Mark(url(f"p{n - 18}"), False)])
        first.sync()
        thought = {u: first.judge.relevance(u) for u in pages}
        assert None not in thought.values()
        assert len({u for u, r in thought.items() if r and r > 0.45}) > 12
        if other:
            other.sync()
            assert {u: other.judge.relevance(u) for u in pages} == thought
            other.frontier.close()
        again = kept.killed(first.frontier, FrontierOptions())
        assert again is not None
        second = crawl(again)
        assert second.recall() == len(pages)
        assert {u: second.judge.relevance(u) for u in pages} == thought
        second.frontier.close()
    finally:
        kept.clear()
