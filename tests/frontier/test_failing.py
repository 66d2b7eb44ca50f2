"""A store that fails ends the crawl: once, with one message, and with an exit code that is not 0."""

from __future__ import annotations

import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from fcacrawler.addon import FAILURE, focus_of
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


@pytest.mark.slow
def test_of_two_crawls_started_at_once_on_one_folder_one_is_told_so(small: Site, tmp_path: Path) -> None:  # noqa: F811
    for attempt in range(8):
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
