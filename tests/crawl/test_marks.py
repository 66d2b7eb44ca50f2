"""What users say of pages, in a crawl: what is fetched next, what is not, copies, and what the order makes of it."""

from __future__ import annotations

from fcacrawler.crawl.crawl import Crawl
from fcacrawler.crawl.options import CrawlOptions
from fcacrawler.crawl.rules import MARKED
from fcacrawler.frontier.memory import MemoryFrontier
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.orders.semrank.order import SemRank
from fcacrawler.values.marks import Mark
from tests.crawl.test_crawl import anywhere
from tests.orders.pages import candidate, given, key_of, keys_of, page, url


def crawl(copies: dict[str, str] | None = None) -> Crawl:
    told = given("car race")
    twins = {url(copy): url(original) for copy, original in (copies or {}).items()}
    options = CrawlOptions(tunnel=10**6)
    return Crawl(
        options, MemoryFrontier(FrontierOptions()), told.judge, SemRank(told), keys_of, lambda p: twins.get(p.url)
    )


def taken(of: Crawl) -> list[str]:
    names = []
    while (entry := of.next(anywhere)) is not None:
        names.append(entry.candidate.url.rpartition("/")[2])
        of.finished(entry.candidate.key)
    return names


def test_a_good_page_that_was_not_read_is_next_and_a_bad_one_is_not_fetched() -> None:
    of = crawl()
    of.visit(page("s", "car race", ["soup|soup", "car|car race", "bad|car race", "back|car race"], depth=0))
    of.mark([Mark(url("soup"), True), Mark(url("bad"), False), Mark(url("back"), False), Mark(url("new"), True)])
    of.mark([Mark(url("back"), None)])
    assert taken(of) == ["soup", "new", "car", "back"]
    assert of.sieve.dropped[MARKED] == 1
    of.visit(page("t", "car race", ["bad|car race"]))
    assert taken(of) == []
    assert of.sieve.dropped[MARKED] == 2


def test_a_page_that_was_marked_good_comes_as_an_example() -> None:
    of = crawl()
    of.mark([Mark(url("a"), True)])
    (entry,) = [of.next(anywhere)]
    assert entry is not None
    assert (entry.candidate.depth, entry.rank) == (0, 1.0)
    verdict = of.visit(page("a", "pit stop", depth=0))
    assert (verdict.rank, verdict.relevant, verdict.mark) == (1.0, True, "good")
    assert of.visit(page("b", "soup", parents=["a"])).mark is None


def test_what_is_said_of_a_copy_is_said_of_its_original_whenever_it_is_said() -> None:
    of = crawl({"copy": "first", "other": "second"})
    of.mark([Mark(url("other"), False)])
    for name in ("first", "second", "copy", "other"):
        verdict = of.visit(page(name, f"{name} soup"))
    assert (verdict.rank, verdict.mark) == (0.0, "bad")
    assert of.judge.relevance(url("second")) == 0.0
    of.mark([Mark(url("copy"), True)])
    assert of.judge.relevance(url("first")) == 1.0
    assert of.visit(page("copy", "soup")).rank == 1.0


def test_the_order_learns_where_good_pages_were_found() -> None:
    def rank(good: bool | None) -> float:
        of = crawl()
        of.visit(page("s", "car race", ["list", "news"], depth=0))
        of.visit(page("list", "soup", [f"l{n}" for n in range(9)], parents=["s"]))
        for n in range(8):
            of.visit(page(f"l{n}", f"soup w{n}", parents=["list"]))
        if good is not None:
            of.mark([Mark(url(f"l{n}"), good) for n in range(5)])
        of.visit(page("news", "soup", parents=["s"]))
        (found,) = of.order.rank([candidate("l8", page("list", "soup", [f"l{n}" for n in range(9)]))])
        return found

    assert rank(True) > rank(None) + 0.1
    assert rank(False) <= rank(None)


def test_the_keys_of_marked_links_are_those_of_links() -> None:
    of = crawl()
    of.mark([Mark(url("a"), True)])
    assert of.frontier.knows(key_of(url("a"))[0])
