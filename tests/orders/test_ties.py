"""How similar keywords are in a crawl, with a log and without."""

from __future__ import annotations

from dataclasses import replace

from fcacrawler.app.assembly import ORDERS
from fcacrawler.orders.keyword_ties import FIRST, Ties
from fcacrawler.semrank.parameters import SEMRANK_2013
from fcacrawler.values.links import Link
from fcacrawler.values.omega import Omega, Support
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.verdicts import Judged
from fcacrawler.weblogs import CrawlLog, CrawlLogOptions
from tests.orders.pages import given

LOOSE = CrawlLogOptions(log_users=2, log_isa_lift=0.0)


def linking(url: str, *links: tuple[str, str]) -> SeenPage:
    found = tuple(Link(to, anchor, "", n) for n, (to, anchor) in enumerate(links))
    return SeenPage(url, url, "en", 1, (), {}, found)


def test_a_logs_relations_make_keywords_similar() -> None:
    omega = Omega({"car": 5, "auto": 4, "tea": 3}, {("car", "auto"): Support()})
    similarity = Ties(replace(given(), omega=omega, query=("car",)), SEMRANK_2013).now()
    assert similarity is not None
    assert similarity.matrix(["car"], ["auto", "tea"]).tolist() == [[1.0, 0.0]]


def test_without_a_log_the_crawls_own_links_teach_the_same() -> None:
    log = CrawlLog(lambda text, language: tuple(text.split()), LOOSE)
    ties = Ties(replace(given(), crawl_log=log, query=("car",)), SEMRANK_2013)
    assert ties.now() is None
    for n in range(FIRST // 4 + 1):
        page, other = f"http://a.example/{n}", f"http://b.example/{n}"
        ties.observe(linking(page, ("http://c.example/", "car"), (f"{page}/x", "tea")))
        ties.observe(linking(other, ("http://c.example/", "auto"), (f"{other}/x", "tea")))
    similarity = ties.now()
    assert similarity is not None
    assert similarity.matrix(["car"], ["auto", "tea"]).tolist() == [[1.0, 0.0]]


def test_the_published_order_ranks_by_what_the_log_says() -> None:
    omega = Omega({"car": 5, "auto": 4, "tea": 3}, {("car", "auto"): Support()})
    pages = [
        SeenPage("s", "s", "en", 0, (("car", 1.0),), {}, (Link("a", "", "", 0), Link("b", "", "", 1))),
        SeenPage("a", "a", "en", 1, (("auto", 1.0),), {}, ()),
        SeenPage("b", "b", "en", 1, (("tea", 1.0),), {}, ()),
    ]
    order = ORDERS["semrank-2013"](replace(given(), omega=omega, query=("car",)))
    for page in pages:
        order.observe(page, Judged(0.5, 0.5))
    assert order.explain_page(pages[1]).int_ == 1.0
    assert order.explain_page(pages[2]).int_ < 0.5
