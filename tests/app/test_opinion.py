"""What is thought of a crawl's pages now: as its judge had it in the end, kept beside its store."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scrapy.crawler import Crawler

from fcacrawler.addon import focus_of
from fcacrawler.app.explain import Job
from fcacrawler.app.opinion import NAME, ItemsNow, Opinion, judge_lines, keep, kept, opinion_of
from fcacrawler.evaluation.drawings import read_items
from fcacrawler.extensions.report import Report
from fcacrawler.spiders.semrank import SemRankSpider
from fcacrawler.values.errors import BadStore
from fcacrawler.values.topics import Topic
from tests.crawling import crawl
from tests.site import Site
from tests.spiders.test_crawls import town  # noqa: F401  # a fixture


def lines(path: Path) -> dict[str, dict[str, Any]]:
    return {item["url"]: item for item in map(json.loads, path.read_text("utf-8").splitlines())}


def items(folder: Path, opinion: Opinion | None = None) -> dict[str, dict[str, Any]]:
    return {item["url"]: item for item in map(json.loads, ItemsNow(folder, opinion))}


def again(folder: Path, topic: Topic | None = None, gamma: float | None = None) -> Opinion:
    job = Job(folder, topic=topic, gamma=gamma)
    opinion = opinion_of(job.replayed(), job.topic.words)
    job.close()
    return opinion


@pytest.fixture
def job(town: Site, tmp_path: Path) -> tuple[Path, Crawler]:  # noqa: F811
    """A crawl that has read everything, a copy of a page too; its feed beside its folder."""
    town.pages["/cook/0"] = town.pages["/race/0"]
    feeds = {str(tmp_path / "all.jsonl"): {"format": "jsonlines"}, str(tmp_path / "all.csv"): {"format": "csv"}}
    settings = {"JOBDIR": str(tmp_path / "job"), "FCA_TUNNEL": "1000", "FEEDS": feeds}
    outcome = crawl(SemRankSpider, settings, topic="auto racing", seeds=town.url("/"))
    assert len(outcome.items) > 30
    return tmp_path / "job", outcome.crawler


def test_what_is_thought_now_is_what_the_judge_thinks_in_the_end(job: tuple[Path, Crawler]) -> None:
    folder, crawler = job
    judge = focus_of(crawler).parts.crawl.judge
    found, came = items(folder), lines(folder.with_name("all.jsonl"))
    assert found.keys() == came.keys()
    assert any(item["duplicate_of"] for item in found.values())
    for url, item in found.items():
        now = judge.relevance(item["duplicate_of"] or url)
        assert item["semrank"] == pytest.approx(now, abs=1e-6)
        assert item["relevant"] == (now > 0.45)
        assert item["explanation"]["judge"] == pytest.approx(judge.parts(item["duplicate_of"] or url), abs=1e-5)
        assert (item["semrank_before"], item["relevant_before"]) == (came[url]["semrank"], came[url]["relevant"])
        if item["relevant"] != item["relevant_before"]:
            assert 1 < item["changed_after"] <= len(found)
    assert any(item["semrank"] != item["semrank_before"] for item in found.values())

    # feeds are completed, export, summary and statistics say the same, and so does who judges them again
    assert lines(folder.with_name("all.judged.jsonl")) == found
    assert not list(folder.parent.glob("*.judged.csv"))
    report = crawler.get_extension(Report)
    relevant = sum(item["relevant"] and not item["duplicate_of"] for item in found.values())
    assert crawler.stats.get_value("fca/relevant") == report.snapshot().relevant == relevant
    assert any("all.judged.jsonl (the same pages" in told for told in report.summary("finished").outputs)
    assert items(folder, again(folder)) == found


def test_another_topic_or_gamma_is_kept_until_the_crawl_goes_on(job: tuple[Path, Crawler], town: Site) -> None:  # noqa: F811
    folder, _ = job
    before = items(folder)
    strict = items(folder, again(folder, gamma=0.9))
    assert all(item["relevant"] == (item["semrank"] > 0.9) for item in strict.values())
    keep(again(folder, Topic("soup recipe butter")), folder)
    cooking = items(folder)
    assert {item["topic"] for item in cooking.values()} == {"soup recipe butter"}
    cooks = [sum("/cook/" in url for url, item in found.items() if item["relevant"]) for found in (before, cooking)]
    assert cooks[1] > cooks[0]
    crawl(SemRankSpider, {"JOBDIR": str(folder), "FCA_TUNNEL": "1000"}, topic="auto racing", seeds=town.url("/"))
    assert items(folder) == before


def test_explain_and_draw_tell_what_is_thought_now(job: tuple[Path, Crawler]) -> None:
    folder, _ = job
    url, was = next((url, item) for url, item in items(folder).items() if item["relevant"] and not item["duplicate_of"])
    keep(again(folder, gamma=0.999), folder)
    with closing(Job(folder)) as told:
        story = told.explain(url)
    assert f"not relevant: its text says {was['explanation']['judge']['text']:.2f}" in story.why
    assert "when it came it was relevant" in story.why
    assert not any(item["relevant"] for item in read_items(folder))


def test_pages_that_came_since_are_as_they_came_and_that_is_told(job: tuple[Path, Crawler]) -> None:
    folder, _ = job
    whole = kept(folder)
    assert whole is not None
    known = {key: n for key, n in whole.places.items() if n < 10}
    partly = replace(whole, places=known)
    found = ItemsNow(folder, partly)
    some = list(map(json.loads, found))
    assert sum("semrank_before" in item for item in some) == len(some) - found.late > 9
    assert found.told[0].startswith(f"{found.late} pages are judged as when they came: scrapy rejudge")


def test_a_damaged_file_is_told_and_the_items_are_as_they_came(job: tuple[Path, Crawler]) -> None:
    folder, _ = job
    file = folder / NAME
    data = file.read_bytes()
    flipped = bytes(b ^ 0xFF if 200 < n < 900 else b for n, b in enumerate(data))
    for bad in (b"", b"PK", data[: len(data) // 2], flipped):
        file.write_bytes(bad)
        with pytest.raises(BadStore, match="is damaged"):
            kept(folder)
        found = ItemsNow(folder)
        assert not any("semrank_before" in line for line in found)
        assert f"scrapy rejudge {folder} writes it anew" in found.told[0]


def test_of_a_file_what_is_no_item_of_ours_stays_as_it_is(job: tuple[Path, Crawler], tmp_path: Path) -> None:
    opinion = kept(job[0])
    assert opinion is not None
    mine, theirs = tmp_path / "mine.jsonl", tmp_path / "theirs.jsonl"
    other = b'{"url": "http://other.test/", "semrank": 0.5, "relevant": true}\n[1]\n{"name": "a"}\n{"torn'
    mine.write_bytes((tmp_path / "all.jsonl").read_bytes() + other)
    theirs.write_bytes(other)
    judged, _ = judge_lines(opinion, mine, tmp_path / "out")
    assert judged == len(items(job[0]))
    assert (tmp_path / "out").read_bytes().endswith(other)
    assert judge_lines(opinion, theirs, tmp_path / "none") == (0, 0)
    assert not list(tmp_path.glob("none*"))
