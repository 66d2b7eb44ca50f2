"""What waits in memory is bounded, however many links lead to it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.sqlite.frontier import SqliteFrontier
from fcacrawler.frontier.sqlite.tiers import LINKS
from fcacrawler.values.errors import BadStore
from fcacrawler.values.links import Candidate, Evidence

HOT = 50


def link(n: int, parent: str) -> Candidate:
    return Candidate(b"%d" % n, f"http://a.test/{n}", "a.test", 1, (Evidence(parent, "anchor", "around it", n, 1),))


def test_entries_and_the_links_to_them_are_bounded_and_the_best_stay(tmp_path: Path) -> None:
    with closing(SqliteFrontier(tmp_path, FrontierOptions(), {"topic": "test"}, hot=HOT)) as frontier:
        for page in range(8):
            for n in range(2 * HOT):
                found = frontier.add([link(n, f"http://a.test/parent{page}")])
                frontier.update([(c.key, n / HOT) for c in found], 0)
                hot = frontier._tiers.hot
                assert len(hot) <= 2 * HOT
                assert hot.links == sum(len(entry.candidate.evidence) for entry in hot) <= 2 * HOT * LINKS + 8
        best = frontier.top(5)
        assert [entry.candidate.key for entry in best] == [b"%d" % n for n in range(2 * HOT - 1, 2 * HOT - 6, -1)]
        assert all(len(entry.candidate.evidence) == 8 for entry in best), "also those that were on disk meanwhile"


def test_what_is_over_stays_so_while_links_are_added_that_push_it_out_of_memory(tmp_path: Path) -> None:
    with closing(SqliteFrontier(tmp_path, FrontierOptions(), {"topic": "test"}, hot=1)) as frontier:
        for n in range(6):
            frontier.add([link(n, "")])
            frontier.lease(lambda host: True, -1.0)
            frontier.done(b"%d" % n)
            frontier.commit()
        for known in ([5, 0, 1, 2, 3], [3, 4, 5, 0, 1, 2]):
            assert frontier.add([link(n, "http://a.test/more") for n in known]) == []
            frontier.commit()
        assert frontier.sizes(0.0).done == 6


def test_a_file_that_contradicts_itself_ends_the_crawl_with_a_message(tmp_path: Path) -> None:
    with closing(SqliteFrontier(tmp_path, FrontierOptions(), {"topic": "test"})) as frontier:
        frontier.add([link(1, "")])
        frontier.commit()
        twice = next(iter(frontier))._replace(arrival=2)
        with pytest.raises(BadStore, match=r"UNIQUE constraint failed.*begin anew"):
            frontier._urls.write([(twice, 0)])
