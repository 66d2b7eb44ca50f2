"""A crawl with a JOBDIR goes on where it was, as if it had never stopped."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from fcacrawler.app.assembly import check_store
from fcacrawler.app.config import Config
from fcacrawler.formats.card import Card
from fcacrawler.formats.writing import write
from fcacrawler.frontier.sqlite.journal import PAGES
from fcacrawler.frontier.sqlite.salvage import Items
from fcacrawler.spiders.semrank import SemRankSpider
from fcacrawler.values.errors import BadStore
from fcacrawler.values.topics import Topic
from tests.crawling import Outcome, crawl
from tests.site import Site
from tests.spiders.test_crawls import town  # noqa: F401  # a fixture


def run(town: Site, jobdir: Path | None, pages: int, **settings: Any) -> Outcome:  # noqa: F811
    if jobdir is not None:
        settings["JOBDIR"] = str(jobdir)
    settings = {"CONCURRENT_REQUESTS": 1, **settings}
    return crawl(SemRankSpider, settings, topic="auto racing", seeds=town.base, pages=str(pages))


def written(outcome: Outcome) -> list[dict[str, Any]]:
    return [{**asdict(item), "fetched_at": ""} for item in outcome.items]


def test_ranks_after_a_resume_equal_those_of_an_uninterrupted_crawl(town: Site, tmp_path: Path) -> None:  # noqa: F811
    whole = written(run(town, None, 24))
    parts = [written(run(town, tmp_path / "job", pages)) for pages in (7, 8, 24)]
    assert [len(part) for part in parts] == [7, 1, 16]
    assert [item for part in parts for item in part] == whole


def test_a_finished_crawl_that_is_run_again_fetches_nothing(town: Site, tmp_path: Path) -> None:  # noqa: F811
    run(town, tmp_path / "job", 5)
    town.hits.clear()
    again = run(town, tmp_path / "job", 5)
    assert (again.items, again.reason, town.fetched) == ([], "budget", [])


def test_the_export_is_complete_and_equals_the_items(town: Site, tmp_path: Path) -> None:  # noqa: F811
    first, second = (run(town, tmp_path / "job", pages) for pages in (5, 12))
    lines, table = tmp_path / "out.jsonl", tmp_path / "out.csv"
    items = Items(tmp_path / "job")
    assert write("jsonl", items, lines, Card()) == write("csv", items, table, Card()) == 12
    came = [json.loads(json.dumps(asdict(item))) for item in (*first.items, *second.items)]
    assert [json.loads(line) for line in lines.read_text("utf-8").splitlines()] == came
    rows = list(csv.DictReader(io.StringIO(table.read_bytes().decode(), newline="")))
    assert [row["url"] for row in rows] == [item["url"] for item in came]
    assert [json.loads(row["keywords"]) for row in rows] == [item["keywords"] for item in came]


def test_a_crawl_may_be_exported_while_it_runs_but_for_the_last_pages(town: Site, tmp_path: Path) -> None:  # noqa: F811
    seen = []

    class Curious(SemRankSpider):
        def parse(self, response: Any, **kwargs: Any) -> Any:
            seen.append(write("jsonl", Items(tmp_path / "job"), tmp_path / "now.jsonl", Card()))
            yield from super().parse(response, **kwargs)

    crawl(
        Curious,
        {"JOBDIR": str(tmp_path / "job"), "CONCURRENT_REQUESTS": 1},
        topic="auto racing",
        seeds=town.base,
        pages="9",
    )
    assert all(done - PAGES < found <= done for done, found in enumerate(seen)), seen
    assert write("jsonl", Items(tmp_path / "job"), tmp_path / "now.jsonl", Card()) == 9


def test_a_folder_of_another_crawl_is_refused(town: Site, tmp_path: Path) -> None:  # noqa: F811
    run(town, tmp_path / "job", 2)
    with pytest.raises(BadStore, match=r"topic 'auto racing', not 'green tea'.*another JOBDIR"):
        check_store(Config(), Topic("green tea"), tmp_path / "job")


def test_a_page_in_the_store_that_is_none_of_ours_ends_the_crawl_with_its_name(
    town: Site,  # noqa: F811
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    run(town, tmp_path, 5)
    with closing(sqlite3.connect(tmp_path / "crawl.sqlite", isolation_level=None)) as db:
        db.execute("UPDATE pages SET seen = x'1234' WHERE number = 3")
    town.hits.clear()
    outcome = run(town, tmp_path, 8)
    assert (outcome.reason, town.fetched) == ("store_failed", [])
    assert "the crawl ends: not a page of ours" in caplog.text
    assert "Traceback" not in caplog.text


def test_a_torn_log_is_told_before_the_crawl_begins(town: Site, tmp_path: Path) -> None:  # noqa: F811
    run(town, tmp_path, 2)
    with closing(sqlite3.connect(tmp_path / "crawl.sqlite", isolation_level=None)) as db:
        db.execute("INSERT INTO log (rows, found) VALUES (x'00', x'5b5d')")
    with pytest.raises(BadStore, match=r"not rows of our log.*scrapy export"):
        check_store(Config(), Topic("auto racing"), tmp_path)


def test_no_pickle_is_written_beside_the_store(town: Site, tmp_path: Path) -> None:  # noqa: F811
    run(town, tmp_path, 2)
    assert not (tmp_path / "spider.state").exists()
