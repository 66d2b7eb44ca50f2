"""Outputs that cannot be written: told before the first request, or the crawl ends, and nothing is lost."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

import pytest
from scrapy.extensions.feedexport import BlockingFeedStorage

from fcacrawler.extensions.feeds import Feeds
from fcacrawler.spiders.semrank import SemRankSpider
from fcacrawler.values.errors import BadOptions
from tests.crawling import Outcome, crawl
from tests.redis_server import serving
from tests.site import Site

ROOT = Path(__file__).parents[2]
FULL = {"/dev/full": {"format": "jsonlines"}}  # writes to it fail as those to a full disk


def run(town: Site, pages: int, feeds: dict[str, dict[str, Any]], **settings: Any) -> Outcome:
    settings = {"CONCURRENT_REQUESTS": 1, "FEEDS": feeds, **settings}
    return crawl(SemRankSpider, settings, topic="auto racing", seeds=town.base, pages=str(pages))


def urls(path: Path) -> list[str]:
    return [json.loads(line)["url"] for line in path.read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    ("uri", "options", "told"),
    [
        ("file.txt/x.jsonl", {"format": "jsonlines"}, "file.txt is no folder"),
        (".", {"format": "jsonlines"}, "is a folder"),
        ("%(nothing)s.jsonl", {"format": "jsonlines"}, r"%\(nothing\) stands for nothing"),
        ("x.jsonl", {"format": "jsonlines", "batch_item_count": 3}, r"need %\(batch_id\)d"),
        ("x.jsnol", {}, "format 'jsnol' is unknown"),
        ("sftp://host/x.jsonl", {"format": "jsonlines"}, "nothing can be written to sftp:"),
    ],
)
def test_what_cannot_be_written_is_told_before_the_first_request(
    uri: str, options: dict[str, Any], told: str, town: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file.txt").touch()
    with pytest.raises(BadOptions, match=told):
        run(town, 2, {uri: options})
    assert town.hits == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_to_is_told_before_the_first_request(town: Site, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(BadOptions, match="may not be written to"):
        run(town, 2, {str(tmp_path / "x.jsonl"): {"format": "jsonlines"}})


def test_a_percent_sign_in_a_name_is_one(town: Site, tmp_path: Path) -> None:
    name = tmp_path / "100%.jsonl"
    outcome = run(town, 2, {str(name): {"format": "jsonlines"}})
    feeds = outcome.crawler.get_extension(Feeds)
    assert feeds is not None
    assert (feeds.outputs(), len(urls(name))) == ([str(name)], 2)


def test_a_full_disk_ends_the_crawl_with_one_message_and_going_on_completes_the_feed(
    town: Site, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    feed = tmp_path / "x.jsonl"
    feed.symlink_to("/dev/full")
    feeds = {str(feed): {"format": "jsonlines", "overwrite": True}}
    job = {"JOBDIR": str(tmp_path / "job")}
    outcome = run(town, 6, feeds, CONCURRENT_REQUESTS=4, **job)
    assert (outcome.reason, "No space left" in outcome.stats["fca/failure"]) == ("outputs_failed", True)
    assert caplog.text.count("the crawl ends:") == 1
    assert "Traceback" not in caplog.text
    feed.unlink()
    assert run(town, 6, feeds, **job).reason == "budget"
    assert len(set(urls(feed))) == len(urls(feed)) == 6


def test_a_disk_that_is_full_when_a_crawl_goes_on_leaves_the_feed_as_it_is(town: Site, tmp_path: Path) -> None:
    feed = tmp_path / "x.jsonl"
    feeds = {str(feed): {"format": "jsonlines", "overwrite": True}}
    job = {"JOBDIR": str(tmp_path / "job")}
    run(town, 3, feeds, **job)
    Path(f"{feed}.part").symlink_to("/dev/full")
    town.hits.clear()
    assert run(town, 6, feeds, **job).reason == "outputs_failed"
    assert (len(urls(feed)), town.fetched) == (3, [])
    assert run(town, 6, feeds, **job).reason == "budget"
    assert len(set(urls(feed))) == 6


@pytest.mark.slow
def test_a_worker_whose_disk_is_full_loses_no_page_of_a_crawl_in_redis(town: Site, tmp_path: Path) -> None:
    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    with serving() as redis:
        settings = [f"FCA_FRONTIER={redis.url}", "DOWNLOAD_DELAY=0", "AUTOTHROTTLE_ENABLED=0", "FCA_PROGRESS=off"]
        command = [sys.executable, "-m", "scrapy", "crawl", "semrank", "-a", "topic=auto racing"]
        command += ["-a", f"seeds={town.base}", "-a", "gamma=0", *(x for s in settings for x in ("-s", s))]

        def worker(n: int, limit: Any = None) -> subprocess.CompletedProcess[str]:
            told = [*command, "-o", str(tmp_path / f"{n}.jsonl")]
            env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}  # a limited process would leave torn .pyc files
            return subprocess.run(
                told, cwd=ROOT, capture_output=True, text=True, timeout=120, preexec_fn=limit, env=env
            )

        first, second = worker(1, small_files), worker(2)
    assert (first.returncode, second.returncode) == (3, 0), first.stderr
    assert first.stderr.count("the crawl ends:") == 1
    assert "Traceback" not in first.stderr
    lines = [line for n in (1, 2) for line in (tmp_path / f"{n}.jsonl").read_text("utf-8").splitlines()]
    whole = [json.loads(line)["url"] for line in lines if line.endswith("}")]
    assert len(set(whole)) == len(set(town.fetched)) == 41


class Away(BlockingFeedStorage):
    """A service that takes nothing."""

    def __init__(self, uri: str, *, feed_options: dict[str, Any] | None = None) -> None: ...

    def _store_in_thread(self, file: IO[bytes]) -> None:
        file.close()
        raise RuntimeError("the service is away")


def test_a_service_that_takes_nothing_is_told_and_so_is_the_summary(town: Site) -> None:
    outcome = run(town, 2, {"away://host/x": {"format": "jsonlines"}}, FEED_STORAGES={"away": Away})
    feeds = outcome.crawler.get_extension(Feeds)
    assert feeds is not None
    assert feeds.outputs() == ["away://host/x (not stored: see the message above)"]
    assert "away://host/x: the service is away" in outcome.stats["fca/failure"]


def test_a_pipe_is_written_to_and_stays_one_when_a_crawl_goes_on(town: Site, tmp_path: Path) -> None:
    pipe, job = tmp_path / "x.jsonl", {"JOBDIR": str(tmp_path / "job")}
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    run(town, 2, {}, **job)
    run(town, 3, {str(pipe): {"format": "jsonlines", "overwrite": True}}, FCA_TEXT=False, **job)
    assert pipe.is_fifo()
    assert len(os.read(reader, 1 << 20).splitlines()) == 3
    os.close(reader)
