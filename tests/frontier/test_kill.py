"""kill -9 in the middle of a crawl over HTTP: nothing is lost, and only what was in flight is fetched again."""

from __future__ import annotations

import pytest

from bench.bench_kill import measure


@pytest.mark.slow
@pytest.mark.parametrize("system", ["sqlite", "redis"])
def test_a_killed_crawl_loses_no_page_and_no_item(system: str) -> None:
    for result in measure(system, runs=3, pages=250):
        assert (result.lost, result.items_lost) == (0, 0)
        assert result.in_flight is not None
        assert result.twice <= result.in_flight <= 16 + 4  # CONCURRENT_REQUESTS, and leases fetched ahead
