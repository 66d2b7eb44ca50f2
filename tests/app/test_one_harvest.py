"""``scrapy gather``: a crawl in Redis and its workers' files are one harvest, held to what the servers tell."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
import redis

from fcacrawler import Harvest
from fcacrawler.spiders.semrank import SemRankSpider
from tests.crawling import crawl
from tests.processes import ROOT, scrapy
from tests.redis_cluster import cluster
from tests.redis_server import serving
from tests.site import Site, page
from tests.site import serving as serving_site
from tests.spiders.test_crawls import RACING, text, town  # noqa: F401  # a fixture

PARTS = 3
pytestmark = pytest.mark.slow


def gather(server: str, folder: Path, *files: Path, name: str = "x") -> subprocess.CompletedProcess[str]:
    return scrapy("gather", name, "--to", folder, "--redis", server, *files)


def exported(folder: Path) -> list[dict[str, object]]:
    done = scrapy("export", folder)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def rows(folder: Path) -> tuple[int, int, int]:
    """Pages, URLs of pages, links that wait."""
    with closing(sqlite3.connect(folder / "crawl.sqlite")) as db:
        pages: tuple[int, int] = db.execute("SELECT count(*), count(DISTINCT arrival) FROM pages").fetchone()
        (urls,) = db.execute("SELECT count(*) FROM urls").fetchone()
    return *pages, urls - pages[1]


@pytest.mark.parametrize("nodes", [1, 6])
def test_three_workers_while_they_run_and_again_afterwards(tmp_path: Path, nodes: int) -> None:
    with ExitStack() as opened:
        sites = [opened.enter_context(serving_site(host=f"127.0.0.{n}")) for n in range(1, PARTS + 1)]
        for n in range(60):
            links = {sites[m % PARTS].url(f"/{m}"): f"auto racing {m}" for m in (2 * n + 1, 2 * n + 2, 3 * n) if m < 66}
            sites[n % PARTS].pages[f"/{n}"] = page(f"Auto racing {n}", text(RACING, n), links)  # six lead nowhere
        url = opened.enter_context(cluster())[0].url if nodes > 1 else opened.enter_context(serving()).url
        options = ["FCA_CRAWL=x", f"FCA_FRONTIER={url}", f"FCA_PARTS={PARTS}", "DOWNLOAD_DELAY=0.2"]
        settings = [*options, "AUTOTHROTTLE_ENABLED=0", "FCA_PROGRESS=off", "LOG_LEVEL=ERROR", "FCA_JS=never"]
        command = [sys.executable, "-m", "scrapy", "crawl", "semrank", "-a", "topic=auto racing"]
        command += [
            "-a",
            f"seeds={','.join(site.url(f'/{n}') for n, site in enumerate(sites))}",
            *(x for s in settings for x in ("-s", s)),
        ]
        files = [tmp_path / f"{n}.jsonl" for n in range(3)]
        workers = [subprocess.Popen([*command, "-o", str(file)], cwd=ROOT, stderr=subprocess.PIPE) for file in files]
        folder, seen = tmp_path / "all", [0]
        while any(worker.poll() is None for worker in workers):
            done = gather(url, folder, *(file for file in files if file.exists()))
            if done.returncode == 0:
                seen.append(rows(folder)[0])
                assert rows(folder)[1] == seen[-1] >= seen[-2]
        told = [worker.communicate(timeout=60)[1] for worker in workers]
        assert [worker.returncode for worker in workers] == [0] * 3, told
        assert any(0 < pages < 60 for pages in seen), seen
        done = gather(url, folder, *(file for file in files if file.exists()))
        assert done.returncode == 0, done.stderr
        asked = sorted(site.url(path) for site in sites for path in site.fetched if path in site.pages)
    items = exported(folder)
    assert len(asked) == len(set(asked)) == 60
    assert sorted(str(item["url"]) for item in items) == asked
    assert all(item["text"] and "semrank_before" in item for item in items)
    assert rows(folder) == (60, 60, 0)
    assert "no item" not in done.stderr


def test_a_crawl_that_is_not_over_is_gathered_and_then_the_rest(town: Site, tmp_path: Path) -> None:  # noqa: F811
    feeds, folder = [tmp_path / f"{n}.jsonl" for n in range(2)], tmp_path / "all"
    with serving() as server:
        named = {"FCA_FRONTIER": server.url, "FCA_CRAWL": "x"}
        given = {"topic": "auto racing", "seeds": town.url("/")}
        crawl(SemRankSpider, {**named, "FEEDS": {str(feeds[0]): {"format": "jsonlines"}}}, **given, pages="9")
        whole = feeds[0].read_bytes()
        feeds[0].write_bytes(whole[:-200])  # as if its last line was being written
        done = gather(server.url, folder, feeds[0])
        assert done.returncode == 0, done.stderr
        assert done.stdout == f"{folder}: 9 pages, 9 of them new, 0 known better than before\n"
        assert "1 lines are no items and are left out, the first is line 9." in done.stderr
        assert "1 pages have no item" in done.stderr
        assert (len(exported(folder)), rows(folder)[2] > 0) == (8, True)
        waiting = town.url("/cook/4")
        assert "waits" in scrapy("explain", waiting, "--job", folder).stdout

        assert Harvest(folder).search("racing", 100)

        feeds[0].write_bytes(whole)
        scrapy("mark", "x", town.url("/race/1"), "bad", "-s", f"FCA_FRONTIER={server.url}")
        crawl(SemRankSpider, {**named, "FEEDS": {str(feeds[1]): {"format": "jsonlines"}}}, **given)
        with redis.Redis.from_url(server.url) as client:
            client.xtrim(
                "fcacrawler:{x}:log", maxlen=5, approximate=False
            )  # its last page but four are not in the folder
        done = gather(server.url, folder, *feeds)
        assert done.returncode == 0, done.stderr
        answered = {town.url(path) for path in town.fetched if path in town.pages}
        items = {str(item["url"]): item for item in exported(folder)}
        assert items.keys() == answered
        assert rows(folder) == (len(answered), len(answered), 0)
        assert "pages are not in Redis's log" in done.stderr
        assert items[town.url("/race/1")]["mark"] == "bad"
        before = {name: (folder / name).read_bytes() for name in ("marks.jsonl", "verdicts.npz")}
        done = gather(server.url, folder, *feeds)
        assert f"{len(answered)} pages, 0 of them new, 0 known better" in done.stdout
        assert {name: (folder / name).read_bytes() for name in before} == before
        assert len(Harvest(folder)) == len(answered)
        hits = [hit.url for hit in Harvest(folder).search("racing", 100)]
        assert len(hits) == len(set(hits)) > 9
        assert scrapy("rejudge", folder).returncode == 0

        other = tmp_path / "other.jsonl"
        other.write_text(whole.decode().replace('"auto racing"', '"tea"'), "utf-8")
        crawl(SemRankSpider, {"JOBDIR": str(tmp_path / "job")}, **given, pages="1")
        for wrong, problem in (
            (gather(server.url, folder, name="y"), "there is no crawl 'y'"),
            (gather(server.url, tmp_path / "job"), "is a crawl with name in Redis None, not 'x'"),
            (gather(server.url, folder, other), "line 1 is of a crawl for 'tea', not 'auto racing'"),
            (gather(server.url, folder, tmp_path / "none"), "is no file: name the files"),
            (gather("redis", folder), "say in which Redis"),
        ):
            assert problem in wrong.stderr + wrong.stdout
            assert wrong.returncode != 0
            assert "Traceback" not in wrong.stderr
