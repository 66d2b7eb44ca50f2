"""What is in memory stands in the log of the file, and nowhere else, until it leaves memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.records import load_candidate
from fcacrawler.frontier.sqlite import urls
from fcacrawler.frontier.sqlite.frontier import SqliteFrontier
from fcacrawler.frontier.sqlite.log import COLD, DONE, HOT, LEASED, replay
from fcacrawler.frontier.sqlite.look import Look
from fcacrawler.frontier.sqlite.store import read_store
from fcacrawler.values.errors import BadStore
from fcacrawler.values.links import Candidate, Evidence


def link(n: int, parent: str) -> Candidate:
    return Candidate(b"%d" % n, f"http://a.test/{n}", "a.test", 1, (Evidence(parent, "anchor", "around", n, 1),))


def found(frontier: SqliteFrontier, *links: Candidate, rank: float) -> None:
    frontier.update([(c.key, rank) for c in frontier.add(links)], 1)
    frontier.commit()


def looked(folder: Path, n: int) -> tuple[int, float, list[str]]:
    """State, rank, and the pages that link there."""
    with closing(read_store(folder)) as db:
        seen = Look(db, 8).at(b"%d" % n)
    assert seen is not None
    state, entry = seen
    return state, entry.rank, [e.parent for e in entry.candidate.evidence]


def recorded(folder: Path, n: int) -> list[str]:
    with closing(read_store(folder)) as db:
        (record,) = db.execute("SELECT record FROM urls WHERE key = ?", (b"%d" % n,)).fetchone()
    return [e.parent for e in load_candidate(b"", record).evidence]


@pytest.fixture
def frontier(tmp_path: Path) -> Iterator[SqliteFrontier]:
    with closing(SqliteFrontier(tmp_path, FrontierOptions(), {}, hot=100)) as made:
        yield made


def test_whoever_looks_sees_what_waits_in_memory_with_all_links_to_it(frontier: SqliteFrontier, tmp_path: Path) -> None:
    found(frontier, link(1, "p1"), rank=0.5)
    found(frontier, link(1, "p2"), rank=0.75)
    assert (looked(tmp_path, 1), recorded(tmp_path, 1)) == ((HOT, 0.75, ["p1", "p2"]), ["p1"])
    frontier.lease(lambda host: True, 0.0)
    frontier.commit()
    assert (looked(tmp_path, 1), recorded(tmp_path, 1)) == ((LEASED, 0.75, ["p1", "p2"]), ["p1"])
    frontier.done(b"1")
    frontier.commit()
    assert (looked(tmp_path, 1), recorded(tmp_path, 1)) == ((DONE, 0.75, ["p1", "p2"]), ["p1", "p2"])


def test_those_ahead_are_counted_in_memory_and_on_disk(tmp_path: Path) -> None:
    with closing(SqliteFrontier(tmp_path, FrontierOptions(), {}, hot=5)) as frontier:
        for n in range(40):
            found(frontier, link(n, "p"), rank=n / 40)
        found(frontier, link(3, "q"), rank=0.99)  # on disk its place says otherwise
        with closing(read_store(tmp_path)) as db:
            look = Look(db, 8)
            states = {n: look.at(b"%d" % n) for n in range(40)}
            assert {seen[0] for seen in states.values() if seen} == {HOT, COLD}
            waiting = sorted((-seen[1].rank, seen[1].arrival, n) for n, seen in states.items() if seen)
            assert [n for _, _, n in waiting][:3] == [3, 39, 38]
            assert [look.ahead(states[n][1]) for _, _, n in waiting] == list(range(40))


def test_a_long_log_begins_anew_and_says_the_same(
    frontier: SqliteFrontier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found(frontier, link(1, "p1"), link(2, "p1"), rank=0.5)
    monkeypatch.setattr(urls, "LONG", 0)
    found(frontier, link(1, "p2"), rank=0.75)
    with closing(read_store(tmp_path)) as db:
        assert db.execute("SELECT count(*) FROM log").fetchone() == (1,)
        rows, lacking = replay(db)
    assert ([(row[1], row[2], row[3]) for row in rows], lacking) == ([(1, HOT, 0.75), (2, HOT, 0.5)], {})
    assert (looked(tmp_path, 1), recorded(tmp_path, 1)) == ((HOT, 0.75, ["p1", "p2"]), ["p1", "p2"])


def test_after_a_kill_what_was_in_memory_waits_on_disk_with_all_links_to_it(tmp_path: Path) -> None:
    with closing(SqliteFrontier(tmp_path, FrontierOptions(), {}, hot=100)) as killed:
        found(killed, link(1, "p1"), link(2, "p1"), rank=0.5)
        found(killed, link(1, "p2"), rank=0.75)
        killed.lease(lambda host: True, 0.0)
        killed.commit()
    with closing(SqliteFrontier(tmp_path, FrontierOptions(), {}, hot=100)) as goes_on:
        best, other = goes_on.top(2)
        assert [e.parent for e in best.candidate.evidence] == ["p1", "p2"]
        assert (best.rank, best.attempts, other.rank, other.attempts) == (0.75, 1, 0.5, 0)


def test_what_left_memory_and_came_back_is_told_its_links_once(tmp_path: Path) -> None:
    options, parents = FrontierOptions(evidence=3), []
    with closing(SqliteFrontier(tmp_path, options, {}, hot=3)) as frontier:
        for n, parent in enumerate(("p1", "p2", "p3", "p4", "p5"), 1):
            found(frontier, link(0, parent), rank=0.0)
            if n % 2:
                for better in range(10 * n, 10 * n + 10):
                    found(frontier, link(better, "p"), rank=n / 10)
                assert b"0" not in frontier._tiers.hot, "it has left"
            parents = recorded(tmp_path, 0)
    assert parents == ["p1", "p4", "p5"]
    SqliteFrontier(tmp_path, options, {}).close()
    assert recorded(tmp_path, 0) == parents


def test_a_torn_row_is_refused_by_name(tmp_path: Path) -> None:
    SqliteFrontier(tmp_path, FrontierOptions(), {}).close()
    with closing(sqlite3.connect(tmp_path / "crawl.sqlite", isolation_level=None)) as db:
        db.execute("INSERT INTO log (rows, found) VALUES (x'00', x'5b5d')")
    with pytest.raises(BadStore, match="not rows of our log"):
        SqliteFrontier(tmp_path, FrontierOptions(), {})
