"""Many hosts rather than much of one: hosts take turns of so many pages."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.app.assembly import check
from fcacrawler.app.config import read_config
from fcacrawler.crawl import turns
from fcacrawler.crawl.crawl import Crawl
from fcacrawler.crawl.options import CrawlOptions
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.sqlite.frontier import SqliteFrontier
from fcacrawler.values.errors import BadOptions
from tests.crawl.test_crawl import ByTable, keys_of, made, seen, taken

TABLE = {"a1": 0.95, "a2": 0.9, "a3": 0.85, "a4": 0.8, "a5": 0.75, "b1": 0.6, "b2": 0.55, "b3": 0.5}


def waiting(table: dict[str, float], host_turn: int) -> Crawl:
    crawl = made(table, host_turn=host_turn, tunnel=100)
    crawl.visit(seen("s", *table))
    return crawl


def test_a_host_that_had_its_turn_waits_for_the_others() -> None:
    crawl = waiting(TABLE, 2)
    assert [taken(crawl) for _ in TABLE] == ["a1", "a2", "b1", "b2", "a3", "a4", "b3", "a5"]
    assert taken(crawl) is None


def test_without_turns_the_best_link_leaves() -> None:
    crawl = waiting(TABLE, 0)
    assert [taken(crawl) for _ in TABLE] == sorted(TABLE)


def test_it_waits_for_one_that_is_busy_but_not_for_one_that_is_to_be_left_alone_for_long() -> None:
    crawl = waiting(TABLE, 2)
    assert [taken(crawl) for _ in range(2)] == ["a1", "a2"]
    assert taken(crawl, lambda host: host == "a") is None
    asleep = crawl.next(lambda host: host == "a", awake=lambda host: host == "a")
    assert asleep is not None
    assert asleep.candidate.url == "a3"


def test_what_is_not_above_gamma_takes_no_turns() -> None:
    crawl = waiting(TABLE | {"b1": 0.3, "b2": 0.2, "b3": 0.1}, 2)
    assert [taken(crawl) for _ in TABLE] == ["a1", "a2", "a3", "a4", "a5", "b1", "b2", "b3"]


def test_a_fetch_without_a_response_is_no_page() -> None:
    crawl = waiting(TABLE, 2)
    assert taken(crawl) == "a1"
    crawl.finished(b"a1", responded=False)
    assert [taken(crawl) for _ in range(3)] == ["a2", "a3", "b1"]


def test_turns_are_counted_over_runs(tmp_path: Path) -> None:
    for expected in (["a1", "a2", "b1"], ["b2", "a3", "a4"]):
        frontier, order = SqliteFrontier(tmp_path, FrontierOptions(), {}), ByTable(TABLE)
        with closing(Crawl(CrawlOptions(host_turn=2), frontier, order, order, keys_of)) as crawl:
            crawl.visit(seen("s", *TABLE))
            for url in expected:
                assert taken(crawl) == url
                crawl.finished(url.encode())


def test_only_so_many_hosts_are_held_against_one_another_and_no_link_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turns, "LOOKED_AT", 5)
    hosts = "abcdefgh"
    table = {f"{host}{n}": 0.9 - 0.01 * place for place, host in enumerate(hosts) for n in (1, 2)}
    crawl = waiting(table, 1)
    urls = [str(taken(crawl)) for _ in table]
    assert urls[:6] == ["a1", "b1", "c1", "d1", "e1", "a2"]
    assert sorted(urls) == sorted(table)


@given(
    st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from([0.3, 0.5, 0.7, 0.9])), max_size=30), st.integers(1, 4)
)
def test_hosts_take_turns_as_a_slow_obvious_one_says(links: list[tuple[str, float]], turn: int) -> None:
    table = {f"{host}{n}": rank for n, (host, rank) in enumerate(links)}
    crawl = made(table, host_turn=turn, tunnel=100)
    crawl.visit(seen("s", *table))
    left, had = list(table), dict.fromkeys("abcd", 0)
    while left:
        above = [url for url in left if table[url] > 0.45]
        best = min(above or left, key=lambda url: (had[url[0]] // turn if above else 0, -table[url], left.index(url)))
        assert taken(crawl) == best
        left.remove(best)
        had[best[0]] += 1


def test_workers_that_share_a_crawl_take_no_turns() -> None:
    config = read_config({"FCA_HOST_TURN": 5, "FCA_FRONTIER": "redis://localhost/0", "FCA_TOPIC": "golf"})
    with pytest.raises(BadOptions, match="FCA_HOST_TURN"):
        check(config)
