"""A harvest is in a file of its own, and never lost by starting another."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from fcacrawler.app.harvest_files import claim, point_to
from fcacrawler.extensions.feeds import Feeds
from fcacrawler.spiders.semrank import SemRankSpider
from tests.crawling import Outcome, crawl
from tests.site import Site

NAMED_BY_NOBODY: Any = None  # as in the project's settings


@pytest.fixture(autouse=True)
def somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(town: Site, pages: int, topic: str = "auto racing", **settings: Any) -> Outcome:
    settings = {"FEEDS": NAMED_BY_NOBODY, "CONCURRENT_REQUESTS": 1, **settings}
    return crawl(SemRankSpider, settings, topic=topic, seeds=town.base, pages=str(pages))


def told(outcome: Outcome) -> list[str]:
    feeds = outcome.crawler.get_extension(Feeds)
    assert feeds is not None
    return feeds.outputs()


def urls(path: Path) -> list[str]:
    return [json.loads(line)["url"] for line in path.read_text("utf-8").splitlines()]


def harvests() -> list[Path]:
    return sorted(path for path in Path("out").glob("*.jsonl") if not (path.is_symlink() or judged(path) == path))


def judged(path: Path) -> Path:
    """The same pages, as they were judged in the end."""
    return path.with_name(path.name.replace(".judged", "").replace(".jsonl", ".judged.jsonl"))


def test_every_crawl_has_a_file_of_its_own_and_latest_points_to_the_newest(town: Site) -> None:
    first, second = run(town, 4), run(town, 3, topic="car racing")
    one, other = harvests()
    assert [path.name.partition("-20")[0] for path in (one, other)] == ["auto-racing", "car-racing"]
    assert (len(urls(one)), len(urls(other))) == (4, 3)
    assert (told(first), told(second)) == ([str(one)], [str(other)])
    assert os.readlink("out/latest.jsonl") == judged(other).name
    assert urls(judged(other)) == urls(other)


def test_a_crawl_that_fetches_nothing_leaves_no_file_and_does_not_move_latest(town: Site) -> None:
    run(town, 2)
    before = os.readlink("out/latest.jsonl")
    del town.pages["/"]
    assert told(run(town, 2)) == []
    assert (len(harvests()), os.readlink("out/latest.jsonl")) == (1, before)


def test_a_crawl_that_goes_on_does_so_in_its_own_file(town: Site) -> None:
    run(town, 3, JOBDIR="job")
    [own] = harvests()
    run(town, 2, topic="car racing")
    run(town, 7, JOBDIR="job")
    assert len(harvests()) == 2
    assert len(set(urls(own))) == len(urls(own)) == 7
    assert os.readlink("out/latest.jsonl") == judged(own).name
    assert urls(judged(own)) == urls(own)
    again = run(town, 7, JOBDIR="job")
    assert (told(again), len(urls(own))) == ([str(own)], 7)


def test_where_the_user_names_an_output_there_is_no_other(town: Site) -> None:
    outcome = run(town, 2, FEEDS={"x.jsonl": {"format": "jsonlines"}})
    assert told(outcome) == ["x.jsonl"]
    assert not Path("out").exists()


def test_crawls_that_begin_at_the_same_time_get_different_files(tmp_path: Path) -> None:
    now = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    names = [claim(tmp_path, "green-tea", now).name for _ in range(2)]
    assert names == ["green-tea-2026-01-02T03-04-05Z.jsonl", "green-tea-2026-01-02T03-04-05Z-2.jsonl"]
    assert len(claim(tmp_path, "茶" * 200, now).name.encode()) < 255


def test_a_latest_that_somebody_else_has_made_is_left_alone(tmp_path: Path) -> None:
    mine = tmp_path / "latest.jsonl"
    mine.write_text("mine")
    assert "the newest harvest is" in point_to(tmp_path / "tea.jsonl")
    assert mine.read_text() == "mine"
