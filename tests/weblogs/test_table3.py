"""Du & Hai 2013, Table 3: the paper's fragment of a log, from our sample file."""

from __future__ import annotations

from collections.abc import Callable

from fcacrawler.values.omega import Omega
from tests.weblogs.conftest import SAMPLES

LOG, LINKS = SAMPLES / "table3.tsv", SAMPLES / "table3.links.tsv"


def test_the_sample_gives_the_papers_click_numbers_and_its_seven_relations(learned: Callable[..., Omega]) -> None:
    omega = learned(LOG, links=[LINKS])
    assert omega.clicks == {
        "internet": 3251,
        "technology": 2458,
        "web page": 12983,
        "information": 67856,
        "spider": 565,
        "network": 4389,
    }
    assert set(omega.isa) == {("internet", "spider"), ("network", "technology"), ("information", "web page")}
    assert set(omega.part_of) == {
        ("internet", "technology"),
        ("internet", "network"),
        ("spider", "information"),
        ("spider", "web page"),
    }


def test_if_all_users_were_one_group_the_table_would_give_four_more(learned: Callable[..., Omega]) -> None:
    grouped = learned(LOG, links=[LINKS])
    omega = learned(LOG, links=[LINKS], groups="one")
    assert omega.isa.keys() == grouped.isa.keys()
    assert omega.part_of.keys() - grouped.part_of.keys() == {
        ("internet", "web page"),
        ("internet", "information"),
        ("web page", "spider"),
        ("information", "spider"),
    }
