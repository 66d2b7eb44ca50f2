"""The feeds of a crawl that goes on are whole."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sqlite3
import xml.etree.ElementTree as ET
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import IO, Any

import pytest
from scrapy import Spider
from scrapy.extensions.feedexport import BlockingFeedStorage

from fcacrawler.extensions.feeds import Feeds
from fcacrawler.spiders.semrank import SemRankSpider
from fcacrawler.values.errors import BadOptions
from tests.crawling import Outcome, crawl
from tests.redis_server import serving
from tests.site import Site

GZIPPED = {"format": "jsonlines", "overwrite": True, "postprocessing": ["scrapy.extensions.postprocessing.GzipPlugin"]}


def lines(text: str) -> list[str]:
    return [json.loads(line)["url"] for line in text.splitlines()]


def rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode(), newline="")))


READ: dict[str, Callable[[Path], list[str]]] = {
    "x.csv": lambda path: [row["url"] for row in rows(path)],
    "x.json": lambda path: [item["url"] for item in json.loads(path.read_text("utf-8"))],
    "x.jsonl": lambda path: lines(path.read_text("utf-8")),
    "x.jsonl.gz": lambda path: lines(gzip.decompress(path.read_bytes()).decode()),
    "x.xml": lambda path: [str(url.text) for url in ET.parse(path).iterfind("item/url")],
}


class Elsewhere(BlockingFeedStorage):
    """A service that takes files: a folder."""

    def __init__(self, uri: str, *, feed_options: dict[str, Any] | None = None) -> None:
        self.path = Path(uri.removeprefix("elsewhere://"))

    def _store_in_thread(self, file: IO[bytes]) -> None:
        file.seek(0)
        self.path.write_bytes(file.read())
        file.close()


def run(town: Site, pages: int, feeds: dict[str, dict[str, Any]], **settings: Any) -> Outcome:
    settings = {"CONCURRENT_REQUESTS": 1, "FEEDS": feeds, "FEED_STORAGES": {"elsewhere": Elsewhere}, **settings}
    return crawl(SemRankSpider, settings, topic="auto racing", seeds=town.base, pages=str(pages))


def test_with_a_jobdir_every_feed_is_whole_whatever_its_format_and_place(town: Site, tmp_path: Path) -> None:
    feeds: dict[str, dict[str, Any]] = {
        str(tmp_path / name): {"format": name.split(".")[1], "overwrite": True} for name in READ
    }
    feeds[str(tmp_path / "x.jsonl.gz")] = GZIPPED
    feeds[f"elsewhere://{tmp_path / 'y.csv'}"] = {"format": "csv"}
    for pages in (4, 4, 9):
        run(town, pages, feeds, JOBDIR=str(tmp_path / "job"))
        for name, read in {**READ, "y.csv": READ["x.csv"]}.items():
            urls = read(tmp_path / name)
            assert len(urls) == len(set(urls)) == pages, name
    later = tmp_path / "z" / "x.xml"
    run(town, 10, {str(later): {"format": "xml"}}, JOBDIR=str(tmp_path / "job"))
    assert len(READ["x.xml"](later)) == 10


def test_what_a_kill_has_left_of_a_feed_is_made_good(town: Site, tmp_path: Path) -> None:
    feeds = {str(tmp_path / name): {"format": name[2:], "overwrite": True} for name in ("x.csv", "x.json", "x.jsonl")}
    run(town, 5, feeds, JOBDIR=str(tmp_path / "job"))
    for feed in feeds:
        whole = Path(feed).read_bytes()
        Path(feed).write_bytes(whole[: len(whole) // 2])
    run(town, 5, feeds, JOBDIR=str(tmp_path / "job"))
    assert [len(READ[Path(feed).name](Path(feed))) for feed in feeds] == [5, 5, 5]


def test_what_can_no_more_be_read_in_the_store_stays_in_the_file_of_before(town: Site, tmp_path: Path) -> None:
    feed, job = tmp_path / "x.jsonl", tmp_path / "job"
    feeds = {str(feed): {"format": "jsonlines", "overwrite": True}}
    run(town, 5, feeds, JOBDIR=str(job))
    was = feed.read_bytes()
    with closing(sqlite3.connect(job / "crawl.sqlite", isolation_level=None)) as db:
        db.execute("UPDATE pages SET item = x'00' WHERE number = 2")
    for pages in (6, 7):
        run(town, pages, feeds, JOBDIR=str(job))
        assert (len(READ["x.jsonl"](feed)), (tmp_path / "x.before.jsonl").read_bytes()) == (pages - 1, was)


def test_batches_of_a_crawl_that_goes_on_are_whole(town: Site, tmp_path: Path) -> None:
    feeds = {str(tmp_path / "%(batch_id)d.jsonl"): {"format": "jsonlines", "overwrite": True, "batch_item_count": 3}}
    for pages in (4, 8):
        outcome = run(town, pages, feeds, JOBDIR=str(tmp_path / "job"))
    parts = sorted(tmp_path.glob("?.jsonl"))
    assert [len(READ["x.jsonl"](part)) for part in parts] == [3, 3, 2]
    told = outcome.crawler.get_extension(Feeds)
    assert told is not None
    assert told.outputs() == list(map(str, parts))


def test_a_file_that_is_added_to_keeps_what_is_there_and_the_summary_says_so(town: Site, tmp_path: Path) -> None:
    table, job = tmp_path / "x.csv", tmp_path / "job"
    for pages in (3, 6):
        outcome = run(town, pages, {str(table): {"format": "csv"}}, JOBDIR=str(job))
    assert table.read_text("utf-8").count("final_url") == 1
    assert len(set(READ["x.csv"](table))) == 6
    told = outcome.crawler.get_extension(Feeds)
    assert told is not None
    assert told.outputs() == [f"{table} (added to; all pages: scrapy export {job})"]


@pytest.mark.parametrize("torn", ['http://x,"in quotes', "http://x,not"])
def test_rows_are_added_behind_a_torn_one_in_the_columns_that_are_there(
    torn: str,
    town: Site,
    tmp_path: Path,
) -> None:
    table = tmp_path / "x.csv"
    table.write_text(f"url,title,more\r\n{torn}", newline="")
    items = run(town, 2, {str(table): {"format": "csv"}}).items
    first, *added = rows(table)
    assert first["url"] == "http://x"
    assert [(row["url"], row["title"] != "", row["more"]) for row in added] == [(item.url, True, "") for item in items]
    assert len(added) == 2


def test_a_worker_of_a_crawl_in_redis_adds_to_its_lines_and_refuses_to_overwrite_others(
    town: Site,
    tmp_path: Path,
) -> None:
    feed, other = tmp_path / "x.jsonl", tmp_path / "x.json"
    with serving() as redis:
        for pages in (3, 6):
            run(town, pages, {str(feed): {"format": "jsonlines", "overwrite": True}}, FCA_FRONTIER=redis.url)
            assert len(set(READ["x.jsonl"](feed))) == pages
        other.write_text("[]")
        with pytest.raises(BadOptions, match="take another name, or lines"):
            run(town, 9, {str(other): {"format": "json", "overwrite": True}}, FCA_FRONTIER=redis.url)


def test_items_that_only_a_foreign_spiders_feed_holds_are_added_to(town: Site, tmp_path: Path) -> None:
    class Foreign(Spider):
        name = "foreign"
        start_urls = (town.url("/"), town.url("/race/0"))

        def parse(self, response: Any, **kwargs: Any) -> Any:
            yield {"url": response.url}

    feed = tmp_path / "x.jsonl"
    settings = {
        "FEEDS": {str(feed): {"format": "jsonlines", "overwrite": True}},
        "JOBDIR": str(tmp_path / "job"),
        "FCA_TOPIC": "auto racing",
    }
    crawl(Foreign, settings)
    Foreign.start_urls = (town.url("/race/1"),)  # type: ignore[assignment]
    crawl(Foreign, settings)
    assert sorted(READ["x.jsonl"](feed)) == [town.url("/"), town.url("/race/0"), town.url("/race/1")]
