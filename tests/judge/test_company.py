"""What linked pages say of one another, as far as links join what is alike."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.judge import company
from fcacrawler.judge.page_links import PageLinks
from tests.orders.pages import page

PAGES = 12
links = st.lists(st.tuples(st.integers(0, PAGES - 1), st.integers(0, PAGES - 1)), max_size=40)


def web(edges: list[tuple[int, int]], pages: int = PAGES) -> PageLinks:
    linked = PageLinks()
    for n in range(pages):
        linked.add(
            page(
                str(n),
                links=[str(b) for a, b in edges if a == n],
                parents=[str(a) for a, b in edges if b == n and a < n],
            )
        )
    return linked


@given(links, st.lists(st.floats(0, 1), min_size=PAGES, max_size=PAGES))
def test_means_are_those_of_the_neighbours_and_two_usual_pages(edges: list[tuple[int, int]], own: list[float]) -> None:
    linked = web(edges)
    found = company.means(np.array(own), linked)
    usual = sum(own) / PAGES
    for n in range(PAGES):
        near = [own[m] for m in linked.neighbours(n)]
        assert found[n] == pytest.approx((sum(near) + 2 * usual) / (len(near) + 2))
        assert found[n] == pytest.approx(company.mean(near, usual))


def test_where_links_join_what_is_alike_company_counts_and_where_they_join_opposites_it_does_not() -> None:
    own = np.array([1.0, 0.0] * 6)
    alike = company.weight(own, web([(n, n + 2) for n in range(10)]))
    opposite = company.weight(own, web([(n, n + 1) for n in range(11)]))
    assert alike == pytest.approx(0.7 / (1 + math.exp(-(12 * 1 + 30 * 0.2) / 42 / 0.05)))
    assert opposite == pytest.approx(0.7 / (1 + math.exp((12 * 1 - 30 * 0.2) / 42 / 0.05)))
    assert company.weight(own, web([])) == pytest.approx(0.7 / (1 + math.exp(-4)))


@given(links, st.lists(st.floats(0, 1), min_size=PAGES, max_size=PAGES))
def test_the_weight_lies_between_nothing_and_that_of_a_page_s_neighbours(
    edges: list[tuple[int, int]], own: list[float]
) -> None:
    assert 0 <= company.weight(np.array(own), web(edges)) <= 0.7
