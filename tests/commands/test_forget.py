"""``scrapy forget``: not a byte is left, in SQLite and in Redis, and it is not fetched again."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from time import sleep

import pytest
import redis

from fcacrawler.spiders.semrank import SemRankSpider
from tests.crawling import Outcome, crawl
from tests.processes import scrapy
from tests.redis_server import RedisServer
from tests.site import Site, page
from tests.spiders.test_crawls import town  # noqa: F401  # a fixture

PIECE = 24  # bytes of a record that are looked for


def bytes_in(folder: Path) -> bytes:
    return b"\n".join(path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file())


def pieces(folder: Path, url: str) -> list[bytes]:
    """Of what is kept of the page, as it stands in the file: packed."""
    with closing(sqlite3.connect(folder / "crawl.sqlite")) as db:
        rows = db.execute(
            "SELECT seen, item FROM pages JOIN urls USING (arrival) WHERE CAST(record AS TEXT) LIKE ?", (f'["{url}",%',)
        )
        records = [record for row in rows for record in row]
    assert records
    return [record[i : i + PIECE] for record in records for i in range(8, len(record) - PIECE, PIECE)]


def crawled(town: Site, folder: Path, **arguments: str) -> Outcome:  # noqa: F811
    town.pages["/race/1"] = page("A xylophone", "xylophone auto racing driver wins " * 9, {"/race/1/a": "glockenspiel"})
    town.pages["/race/2"] = page(
        "Auto racing 2", "auto racing car laps circuit driver " * 9, {"/race/1": "see the one"}
    )
    town.hits.clear()
    return crawl(SemRankSpider, {"JOBDIR": str(folder)}, topic="auto racing", seeds=town.url("/"), **arguments)


def test_a_page_is_gone_from_every_file_and_is_not_fetched_again(town: Site, tmp_path: Path) -> None:  # noqa: F811
    folder, url = tmp_path / "job", town.url("/race/1")
    crawled(town, folder)
    assert scrapy("mark", folder, url, "good").returncode == 0
    assert scrapy("search", folder, "xylophone").stdout.count(url)
    assert "/race/1" in town.fetched
    known = [*pieces(folder, url), url.encode() + b'"', b"xylophone", b"glockenspiel"]
    before = bytes_in(folder)
    assert sum(piece in before for piece in known) > 0.7 * len(known)  # the others lie across the file's pages

    done = scrapy("forget", folder, url)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("1 pages and 1 URLs are forgotten, ")
    after = bytes_in(folder)
    assert [piece for piece in known if piece in after] == []

    items = [json.loads(line) for line in scrapy("export", folder).stdout.splitlines()]
    assert url not in {item["url"] for item in items}
    assert "xylophone" not in scrapy("search", folder, "xylophone").stdout
    again = crawled(town, folder)
    assert again.reason == "exhausted"
    assert "/race/1" not in town.fetched
    assert url.encode() + b'"' not in bytes_in(folder)


def test_a_host_may_be_fetched_again_if_its_user_says_so(town: Site, tmp_path: Path) -> None:  # noqa: F811
    folder = tmp_path / "job"
    fetched = len(crawled(town, folder).items)
    done = scrapy("forget", folder, "127.0.0.1")
    assert done.stdout.startswith(f"{fetched} pages"), done.stderr
    assert crawled(town, folder).items == []
    assert town.fetched == []
    assert scrapy("forget", folder, "127.0.0.1", "--again").returncode == 0
    assert len(crawled(town, folder).items) == fetched


def test_what_is_old_goes(town: Site, tmp_path: Path) -> None:  # noqa: F811
    folder = tmp_path / "job"
    crawled(town, folder, pages="5")
    assert scrapy("forget", folder, "--before", "2020-01-01").stdout.startswith("0 pages")
    assert scrapy("forget", folder, "--before", "2999-01-01T10:00", "--again").stdout.startswith("5 pages")
    assert scrapy("export", folder).stdout == ""


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["none", "a.test"], "holds no crawl"),
        (["job", "--before", "yesterday"], "must be a date such as"),
        (["job", "http://"], "is not an http or https URL"),
        (["job"], "either a URL, a host or --before"),
    ],
)
def test_what_is_wrong_is_told_in_a_line(arguments: list[str], told: str, tmp_path: Path) -> None:
    crawl(SemRankSpider, {"JOBDIR": str(tmp_path / "job"), "FCA_WORLD": "demo"}, topic="golf", pages="2")
    wrong = scrapy("forget", *[tmp_path / a if a in ("none", "job") else a for a in arguments])
    assert wrong.returncode != 0
    assert told in wrong.stdout + wrong.stderr
    assert "Traceback" not in wrong.stderr


def test_a_crawl_in_redis_forgets_in_its_files_too(town: Site) -> None:  # noqa: F811
    server = RedisServer("--save", "3600 1", "--rdbcompression", "no")
    server.start()
    try:
        named = {"FCA_FRONTIER": server.url, "FCA_CRAWL": "x"}
        town.pages["/race/1"] = page(
            "A xylophone", "xylophone auto racing driver wins " * 9, {"/race/1/a": "glockenspiel"}
        )
        crawl(SemRankSpider, named, topic="auto racing", seeds=town.url("/"), pages="9")
        url = town.url("/race/1")
        with redis.Redis.from_url(server.url) as client:
            client.save()
            assert b"glockenspiel" in (server.folder / "dump.rdb").read_bytes()
            log: list[tuple[bytes, dict[bytes, bytes]]] = client.xrange("fcacrawler:{x}:log")
        done = scrapy("forget", "x", url, "-s", f"FCA_FRONTIER={server.url}")
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("1 pages and ")
        with redis.Redis.from_url(server.url) as client:
            now: list[tuple[bytes, dict[bytes, bytes]]] = client.xrange("fcacrawler:{x}:log")
            assert len(now) == len(log) - 1
            assert {number for number, _ in now} < {number for number, _ in log}
            while client.info("persistence")["rdb_bgsave_in_progress"]:
                sleep(0.01)
            client.save()
        kept = (server.folder / "dump.rdb").read_bytes()
        assert b"glockenspiel" not in kept
        assert b'/race/1"' not in kept
        town.hits.clear()
        rest = crawl(SemRankSpider, named, topic="auto racing", seeds=town.url("/"))
        assert (rest.reason, "/race/1" in town.fetched) == ("exhausted", False)
        assert "/race/0/a" in town.fetched
    finally:
        server.stop()
