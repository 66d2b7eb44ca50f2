"""A store that fails ends the crawl: once, with one message, and with an exit code that is not 0."""

from __future__ import annotations

import sqlite3
import subprocess
from contextlib import closing, suppress
from math import inf
from pathlib import Path

import pytest

from fcacrawler.addon import FAILURE, focus_of
from fcacrawler.frontier import anywhere
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.sqlite.frontier import SqliteFrontier
from fcacrawler.frontier.sqlite.store import lock
from fcacrawler.values.errors import BadStore
from fcacrawler.values.links import Candidate, Evidence
from tests.commands.test_crawl import SCRAPY
from tests.frontier.test_setups import disturbed, small  # noqa: F401  # a fixture
from tests.processes import ROOT, scrapy
from tests.site import Site


def test_what_no_store_should_raise_ends_the_crawl_once_with_its_name(
    small: Site,  # noqa: F811
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Closed under the crawl, SQLite answers everything with an error that is none of ours."""
    outcome = disturbed(
        {"JOBDIR": str(tmp_path)}, small, lambda spider: focus_of(spider.crawler).parts.crawl.frontier.close()
    )
    assert outcome.reason == "store_failed"
    assert "closed database" in outcome.stats[FAILURE]
    assert [r.getMessage() for r in caplog.records if r.levelname == "ERROR"] == [
        f"the crawl ends: {outcome.stats[FAILURE]}"
    ]
    assert len(small.fetched) <= 4


def test_a_crawl_whose_store_fails_has_an_exit_code_that_is_not_0(small: Site, tmp_path: Path) -> None:  # noqa: F811
    job = tmp_path / "job"
    crawl = ["crawl", "semrank", "-a", "topic=auto racing", "-a", f"seeds={small.url('/')}", "-s", f"JOBDIR={job}"]
    feed = ["-O", str(tmp_path / "out.jsonl")]
    assert scrapy(*crawl, *feed, "-a", "pages=2").returncode == 0
    with closing(sqlite3.connect(job / "crawl.sqlite", isolation_level=None)) as db:
        db.execute("UPDATE pages SET seen = x'1234' WHERE number = 2")
    told = scrapy(*crawl, *feed)
    assert told.returncode == 3, told.stderr
    assert told.stderr.count("the crawl ends: not a page of ours") == 1
    assert "Traceback" not in told.stderr


def children(number: int) -> list[Candidate]:
    """The links of a page of a web whose page n links to 3n+1, 3n+2 and 3n+3."""
    found = (Evidence(f"http://e.org/{number}", "anchor", "words " * 40, number, 3),)
    return [Candidate(b"%d" % n, f"http://e.org/{n}", "e.org", 1, found) for n in range(3 * number + 1, 3 * number + 4)]


@pytest.mark.parametrize("room", range(40))
def test_wherever_its_disk_is_full_the_links_of_what_is_done_are_known(room: int, tmp_path: Path) -> None:
    """What is in flight lands after the failure, and the store is closed, as in a crawl that ends."""
    frontier = SqliteFrontier(tmp_path, FrontierOptions(), {}, hot=20)
    (pages,) = frontier._db.execute("PRAGMA page_count").fetchone()
    frontier._db.execute(f"PRAGMA max_page_count = {pages + room}")
    flights: list[bytes] = []
    with suppress(BadStore):
        frontier.add([Candidate(b"0", "http://e.org/0", "e.org", 0, ())])
        while entry := frontier.lease(anywhere, -inf):
            flights.append(entry.candidate.key)
            frontier.add(children(int(entry.candidate.key)))
            if len(flights) == 3:
                frontier.done(flights.pop(0))
    assert frontier._db.failure
    for key in flights:
        with suppress(BadStore):
            frontier.done(key)
    frontier.close()
    with closing(SqliteFrontier(tmp_path, FrontierOptions(), {})) as again:
        unknown = [c.key for c in children(0) if not again.knows(c.key)] if again.sizes(0).done else []
        done = {int(key) for (key,) in again._db.execute("SELECT key FROM urls")} - {
            int(e.candidate.key) for e in again
        }
        unknown += [c.key for number in done for c in children(number) if not again.knows(c.key)]
        assert unknown == []
        assert again.sizes(0).done == len(done)


def test_of_those_who_try_at_the_same_moment_one_gets_the_folder(tmp_path: Path) -> None:
    """Who has only begun to try reads the file; that does not keep the other from it."""
    lock(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "crawl.lock", isolation_level=None)) as trying:
        trying.execute("BEGIN")
        trying.execute("SELECT * FROM sqlite_master").fetchall()
        with closing(lock(tmp_path)), pytest.raises(BadStore, match="another crawl runs in"):
            lock(tmp_path)


@pytest.mark.slow
def test_of_two_crawls_started_at_once_on_one_folder_one_is_told_so(small: Site, tmp_path: Path) -> None:  # noqa: F811
    for attempt in range(2):
        crawl = ["crawl", "semrank", "-a", "topic=auto racing", "-a", f"seeds={small.url('/')}", "-a", "pages=5"]
        folder = ["-s", f"JOBDIR={tmp_path / str(attempt)}", "-s", "DOWNLOAD_DELAY=0.2", "-s", "AUTOTHROTTLE_ENABLED=0"]
        both = [
            subprocess.Popen(
                [*SCRAPY, *crawl, *folder, "-O", str(tmp_path / f"{attempt}-{n}.jsonl")],
                cwd=ROOT,
                stderr=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                text=True,
            )
            for n in "12"
        ]
        told = sorted((process.wait(60), process.communicate()[1]) for process in both)
        assert [code for code, _ in told] == [0, 2], told
        assert told[1][1].count("another crawl runs in") == 1
        assert "Traceback" not in told[0][1] + told[1][1]
