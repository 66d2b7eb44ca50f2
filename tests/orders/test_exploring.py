"""Links to hosts of which hardly anything is known: what they count at least, worked by hand; a crawl of two hosts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fcacrawler.judge.languages import other_language
from fcacrawler.orders.semrank.exploring import Exploring
from fcacrawler.orders.semrank.order import SemRank
from fcacrawler.values.links import Candidate, Evidence
from tests.orders.pages import given, page, url


def link(url: str, anchor: str = "", depth: int = 1) -> Candidate:
    return Candidate(b"", url, url.split("/")[2], depth, (Evidence("http://h/s", anchor, "", 0, 1),))


LINK = link("http://new/1")


def raised(exploring: Exploring, *links: Candidate, hosts: list[int], rank: float = 0.1) -> list[float]:
    ranks = np.full(len(links), rank)
    elsewhere = np.array([other_language(x, {"en"}) >= 0 or not x.depth for x in links])
    return exploring.raised(ranks, np.array(hosts), elsewhere, 0.4).tolist()


def test_a_link_counts_as_a_mean_page_over_one_more_than_the_pages_of_its_host() -> None:
    exploring = Exploring()
    for host in [7] * 20 + [8]:  # two hosts, which 1 + 21 / 20 allows
        exploring.add(host, 0.4, 0.4)
    least = [0.4, 0.4 / 2, 0.4 / 21]  # the last is less than the rank
    assert raised(exploring, LINK, LINK, LINK, hosts=[9, 8, 7]) == pytest.approx(
        [0.1 + 0.9 * (least[0] - 0.1), 0.1 + 0.9 * (least[1] - 0.1), 0.1]
    )
    assert raised(exploring, LINK, hosts=[9], rank=0.7) == [0.7]


def test_no_more_hosts_are_explored_than_one_for_twenty_pages() -> None:
    exploring = Exploring()
    explored = []
    for n in range(1, 101):
        new = raised(exploring, LINK, hosts=[n])[0] > 0.1
        exploring.add(n if new else 1, 0.4, 0.4)
        explored += [n] if new else []
    assert explored == [21, 22, 41, 61, 81]  # of 20 pages may two hosts be, before one is explored, of 40 three …


def test_pages_that_bring_little_pay_more_for_the_next_host() -> None:
    def pages_before(relevance: float) -> int:
        exploring, n = Exploring(), 0
        while raised(exploring, LINK, hosts=[9]) == [0.1]:
            exploring.add(7, relevance, 0.4)
            n += 1
        return n

    assert [pages_before(r) for r in (0.0, 0.1, 0.2, 0.3, 0.4, 0.9)] == [5, 7, 10, 20, 20, 20]  # 20 / (4·(1 - r / .4))


def test_of_two_links_that_count_as_much_the_better_one_leaves_first() -> None:
    exploring = Exploring()
    for _ in range(20):
        exploring.add(7, 0.4, 0.4)
    better, worse = (raised(exploring, LINK, hosts=[9], rank=rank)[0] for rank in (0.2, 0.1))
    assert 0.4 > better > worse > 0.2


def test_what_names_another_language_is_not_explored_nor_is_a_seed() -> None:
    links = [
        link("http://de.e.org/"),
        link("http://e.org/fr/x"),
        link("http://e.org/", "日本語"),
        link("http://e.org/"),
    ]
    seed, exploring = link("http://e.org/", depth=0), Exploring()
    for _ in range(20):
        exploring.add(7, 0.4, 0.4)
    assert raised(exploring, *links, seed, hosts=[1] * 5) == pytest.approx([0.1, 0.1, 0.1, 0.37, 0.1])
    assert raised(exploring, link("http://en.e.org/"), hosts=[1]) == pytest.approx([0.37])


def test_a_link_to_a_new_host_is_told_why_it_ranks_as_it_does() -> None:
    told = given("car")
    order = SemRank(told)
    pages = [page("s", "car engine", depth=0)]
    pages += [page(f"p{n}", "car engine" if n % 2 else f"dog cat{n}", parents=["s"]) for n in range(30)]
    for p in pages:
        order.observe(p, told.judge.observe(p))
    stands = Evidence(pages[1].url, "dog", "", 0, 1)
    new, known = link("http://new/1")._replace(evidence=(stands,)), link(url("q"))._replace(evidence=(stands,))
    said = order.explain(new)
    assert said.rank == order.rank([new])[0] == said.calibration["least"]
    p, base = said.calibration["p"], float(told.judge.guesses().mean())
    assert p < said.rank == pytest.approx(p + 0.9 * (base - p), rel=0.1)
    assert "least" not in order.explain(known).calibration


def test_a_link_that_names_another_language_ranks_half_unless_languages_are_wanted() -> None:
    pages = [page("s", "car engine", depth=0), *(page(f"p{n}", "car engine", parents=["s"]) for n in range(3))]
    stands = Evidence(url("s"), "car", "", 0, 1)
    here, away = (Candidate(b"", f"http://test/{folder}/x", "test", 1, (stands,)) for folder in ("en", "de"))
    orders = []
    for wanted in ((), ("de", "en")):
        told = replace(given("car"), languages=frozenset(wanted))
        orders.append(SemRank(told))
        for p in pages:
            orders[-1].observe(p, told.judge.observe(p))
    by_default, asked = orders
    said = by_default.explain(away)
    assert by_default.rank([away])[0] == said.rank == pytest.approx(said.calibration["p"] * 0.5)
    assert said.calibration["away"] == 0.5
    assert "away" not in by_default.explain(here).calibration
    assert asked.rank([away])[0] == asked.explain(away).calibration["p"]


def test_a_language_that_links_named_and_pages_were_not_in_holds_none_back_any_more() -> None:
    told = given("car")
    order = SemRank(told)
    faculty = replace(page("s", "car engine", depth=0), url="http://cs.a.edu/")
    order.observe(faculty, told.judge.observe(faculty))
    stands = Evidence(faculty.url, "car", "", 0, 1)
    here, away = (Candidate(b"", to, "a.edu", 1, (stands,)) for to in ("http://cs.a.edu/x", "http://de.a.edu/x"))
    assert "away" not in order.explain(here).calibration
    assert order.explain(away).calibration["away"] == 0.5
