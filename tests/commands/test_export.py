"""``scrapy export`` of several harvests: one, with each URL once."""

from __future__ import annotations

import csv
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from fcacrawler.app.gathering import Gathered
from fcacrawler.spiders.semrank import SemRankSpider
from tests.crawling import crawl
from tests.processes import scrapy
from tests.redis_server import serving
from tests.site import Site
from tests.spiders.test_crawls import town  # noqa: F401  # a fixture


def line(url: str, at: str = "2026-01-01T00:00:00+00:00", **more: Any) -> str:
    return json.dumps({"url": url, "fetched_at": at, **more})


def gathered(*sources: Path) -> tuple[list[dict[str, Any]], dict[str, int]]:
    found = Gathered(sources, lambda read, of: None)
    items = [json.loads(item) for item in found]
    return items, dict(found.torn)


def export(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return scrapy("export", *arguments)


def test_each_url_is_there_once_as_it_was_fetched_last(tmp_path: Path) -> None:
    one, other = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    one.write_text("\n".join((line("a", "2026-01-02", n=1), line("b", n=1), "")))
    other.write_text("\n".join((line("a", "2026-01-01", n=2), line("b", n=2), line("c", n=2), "")))
    items, torn = gathered(one, other)
    assert [(item["url"], item["n"]) for item in items] == [("a", 1), ("b", 2), ("c", 2)]
    assert torn == {}


def test_torn_lines_are_counted(tmp_path: Path) -> None:
    feed = tmp_path / "1.jsonl"
    feed.write_bytes(line("a").encode() + b'\n{"url": "b\xc3\n\n[1]\n' + line("c").encode() + b'\n{"url": "d')
    items, torn = gathered(feed)
    assert [item["url"] for item in items] == ["a", "c"]
    assert torn == {str(feed): 3}


def test_items_without_a_url_are_all_there(tmp_path: Path) -> None:
    feed = tmp_path / "1.jsonl"
    feed.write_text('{"name": "a"}\n{"name": "b"}\n')
    assert gathered(feed)[0] == [{"name": "a"}, {"name": "b"}]


def test_the_harvest_of_workers_and_of_a_jobdir_is_one(town: Site, tmp_path: Path) -> None:  # noqa: F811
    def run(pages: int, feed: Path | None = None, **settings: Any) -> None:
        feeds = {str(feed): {"format": "jsonlines"}} if feed else {}
        settings = {"FEEDS": feeds, "CONCURRENT_REQUESTS": 1, **settings}
        crawl(SemRankSpider, settings, topic="auto racing", seeds=town.base, pages=str(pages))

    with serving() as redis:
        for n, pages in enumerate((8, 20)):
            run(pages, tmp_path / f"{n}.jsonl", FCA_FRONTIER=redis.url)
    run(3, JOBDIR=str(tmp_path / "job"))
    assert len(list(tmp_path.glob("?.judged.jsonl"))) == 2  # each worker's pages, as it judges them in the end
    told = export(*tmp_path.glob("*.jsonl"), tmp_path / "job", "-o", tmp_path / "all.csv")
    assert told.returncode == 0, told.stderr
    assert "20 pages →" in told.stderr
    rows = list(csv.DictReader((tmp_path / "all.csv").read_text("utf-8").splitlines()))
    assert len({row["url"] for row in rows}) == 20


@pytest.mark.parametrize(
    ("sources", "told"),
    [(["no.jsonl", "1.jsonl"], "no.jsonl is not there"), (["1.jsonl", "-o", "1.jsonl"], "is one of the sources")],
)
def test_what_cannot_be_gathered_is_told(sources: list[str], told: str, tmp_path: Path) -> None:
    (tmp_path / "1.jsonl").write_text(line("a") + "\n")
    answer = export(*(tmp_path / s if s.endswith("l") else s for s in sources))
    assert answer.returncode != 0
    assert told in answer.stderr + answer.stdout
    assert (tmp_path / "1.jsonl").read_text() == line("a") + "\n"


def test_the_first_pages_are_relevant_and_of_each_side_of_the_topic(tmp_path: Path) -> None:
    sides = [("car", 0.9)] * 4 + [("boat", 0.6)] * 3 + [("dog", 0.7)]
    items = [
        line(f"{n}", semrank=rank, relevant=side != "dog", keywords={side: 1.0, "race": 0.5})
        for n, (side, rank) in enumerate(sides)
    ]
    (tmp_path / "all.jsonl").write_text("\n".join(items))
    told = export(tmp_path / "all.jsonl", "--top", "2")
    assert [json.loads(shown)["url"] for shown in told.stdout.splitlines()] == ["0", "4"]
    told = export(tmp_path / "all.jsonl", "--top", "99", "--min", ".7")
    assert [json.loads(shown)["url"] for shown in told.stdout.splitlines()] == ["0", "1", "2", "3"]
    assert export(tmp_path / "all.jsonl", "--top", "0").returncode == 2


def test_what_is_wanted_is_written_and_the_rest_counted(tmp_path: Path) -> None:
    feed, out = tmp_path / "1.jsonl", tmp_path / "out.csv"
    feed.write_text("\n".join(line(f"http://{h}.org/", semrank=r, language="en") for h, r in (("a", 0.9), ("b", 0.2))))
    out.write_text("of yesterday")
    done = export(feed, "-O", out, "--min", "0.5", "--language", "en", "--host", "org", "--fields", "url,semrank")
    assert list(csv.reader(out.read_text("utf-8").splitlines())) == [["url", "semrank"], ["http://a.org/", "0.9"]]
    assert "left out: less relevant than asked for: 1" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-o", "x.doc"], "must end in one of .jsonl"),
        (["-o", "folder"], "needs --as one of markdown"),
        (["--since", "yesterday"], "--since"),
        (["--clean", "d5"], "no rules of that name: d5"),
        (["--usage", "fun"], "ai-train"),
        (["--seen", "-o", "x.parquet"], "--seen"),
        (["--relevnt"], "--relevnt: this command has no such option"),
    ],
)
def test_what_cannot_be_meant_is_told(arguments: list[str], said: str, tmp_path: Path) -> None:
    (feed := tmp_path / "1.jsonl").write_text(line("http://a.org/"))
    done = export(feed, *arguments)
    assert done.returncode == 2
    assert said in done.stderr + done.stdout


def test_urls_that_were_seen_and_not_fetched_are_listed_with_the_reason(town: Site, tmp_path: Path) -> None:  # noqa: F811
    job, out = tmp_path / "job", tmp_path / "seen.csv"
    settings = {"JOBDIR": str(job), "FCA_DENY": "/cook/"}
    outcome = crawl(SemRankSpider, settings, topic="auto racing", seeds=town.base, pages="4")
    done = export(job, "--seen", "-o", out)
    rows = list(csv.DictReader(out.read_text("utf-8").splitlines()))
    fetched = {item.url for item in outcome.items}
    assert fetched.isdisjoint(row["url"] for row in rows)
    assert len({row["url"] for row in rows}) == len(rows)
    assert {row["rule"] for row in rows if "/cook/" in row["url"]} == {"deny"}
    assert {(row["state"], row["rule"]) for row in rows if "/cook/" not in row["url"]} == {("waits", "")}
    assert all(row["parent"] in fetched for row in rows)
    assert f"{len(rows)} URLs" in done.stderr
