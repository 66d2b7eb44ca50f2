"""Traps with pages about the topic only, breadth first, without a budget. A row of docs/results/hostile.md each."""

from __future__ import annotations

import pytest

from fcacrawler.crawl.traps import CHAIN, COPIES, MISSED
from tests.hostile.crawling import QUICK, Crawled
from tests.hostile.server import Site

pytestmark = pytest.mark.slow
IN_FLIGHT = 16


def test_a_calendar(trapped: Crawled, site: Site) -> None:
    assert 2 * CHAIN <= len(site.fetched("/calendar/")) <= 2 * CHAIN + 3
    assert trapped.dropped["trap: numbers"] >= 2


def test_pages_that_go_on_and_on(trapped: Crawled, site: Site) -> None:
    assert len(site.fetched("/pages/")) == CHAIN + 1


def test_sessions_in_urls(trapped: Crawled, site: Site) -> None:
    assert len(site.fetched("/session/")) <= 5 + COPIES + IN_FLIGHT
    assert trapped.dropped["trap: copies"] > 0


def test_filters_of_a_shop(trapped: Crawled, site: Site) -> None:
    assert len(site.fetched("/facets")) <= 1 + 6 * (COPIES + IN_FLIGHT)
    assert trapped.dropped["on a duplicate page"] > 0


def test_paths_that_become_longer_with_each_step(trapped: Crawled, site: Site) -> None:
    assert len(site.fetched("/deeper/")) < 12
    assert trapped.dropped["trap: path"] >= 1


def test_missing_pages_that_say_they_are_there(trapped: Crawled, site: Site) -> None:
    assert len(site.fetched("/missing/")) <= 1 + COPIES + IN_FLIGHT


def test_links_that_lead_to_nothing(trapped: Crawled, site: Site) -> None:
    assert len(site.fetched("/gone/")) <= MISSED + IN_FLIGHT
    assert trapped.dropped["trap: missing"] > 0


def test_a_mirror(trapped: Crawled, site: Site) -> None:
    hosts = [address for address, path in site.hits if path.startswith("/mirror/")]
    assert sorted((hosts.count("127.0.0.1"), hosts.count("127.0.0.2"))) == [1, 60], (
        "its first page tells that it is one"
    )


def test_all_of_them_end_by_themselves(trapped: Crawled) -> None:
    assert trapped.stats["finish_reason"] == "exhausted"
    assert "Traceback" not in trapped.log
    assert QUICK["CONCURRENT_REQUESTS_PER_DOMAIN"] == IN_FLIGHT
