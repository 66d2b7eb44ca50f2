"""What a crawl records is a standard WARC: warcio checks it, and it replays as what was crawled."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from aiohttp import web
from scrapy import Request, Spider
from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker

from fcacrawler.app.config import read_config
from fcacrawler.values.errors import BadOptions, BadWorld
from fcacrawler.worlds import open_world
from fcacrawler.worlds.record import Exchange, Recording
from tests.crawling import crawl
from tests.site import Site, page

BARE = {"FCA_TOPIC": "coffee", "FCA_ORDER": "bfs"}


class Walk(Spider):
    """Follows every link of a site."""

    name = "walk"

    def __init__(self, start: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.start_urls = [start]

    def parse(self, response: Any) -> Any:
        yield from response.follow_all(css="a")


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


async def compressed(request: web.Request) -> web.Response:
    body = gzip.compress(page("Compressed", "text " * 200).encode())
    return web.Response(body=body, headers={"Content-Encoding": "gzip", "Content-Type": "text/html; charset=utf-8"})


async def in_pieces(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/html; charset=utf-8"})
    response.enable_chunked_encoding()
    await response.prepare(request)
    for word in ("<p>one ", "two ", "<b>three</b>"):
        await response.write(word.encode())
    return response


async def moved(request: web.Request) -> web.Response:
    return web.Response(status=301, headers={"Location": "/zip"})


@pytest.fixture
def recorded(site: Site, tmp_path: Path) -> Path:
    links = {"/zip": "zip", "/pieces": "pieces", "/moved": "moved", "/lost": "lost"}
    site.pages.update({"/": page("Start", "caf\xe9", links), "/zip": compressed, "/pieces": in_pieces, "/moved": moved})
    file = tmp_path / "out" / "walk.warc.gz"
    outcome = crawl(Walk, {**BARE, "FCA_RECORD": str(file)}, start=site.url("/"))
    assert outcome.stats["fca/recorded/responses"] == len(site.hits)
    return file


def check(file: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What ``warcio check`` says: nothing, where all digests and lengths are right."""
    checker = Checker(SimpleNamespace(inputs=[str(file)], verbose=False))
    checker.process_all()
    assert checker.exit_value == 0
    return capsys.readouterr().out


def test_warcio_finds_nothing_wrong_with_a_recording(
    recorded: Path, site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(recorded, capsys) == ""
    with recorded.open("rb") as raw:
        kinds = [record.rec_type for record in ArchiveIterator(raw)]
    assert kinds[0] == "warcinfo"
    assert kinds.count("response") == kinds.count("request") == len(site.hits)


def test_a_recording_replays_what_was_crawled(recorded: Path, site: Site) -> None:
    world = open_world(str(recorded))
    told = {}
    for path in ("/", "/zip", "/pieces", "/moved", "/lost"):
        answer = world.answer(site.url(path))
        assert answer is not None
        told[path] = (answer.status, answer.body.decode())
    assert told["/"] == (200, site.pages["/"])
    assert told["/zip"] == (200, page("Compressed", "text " * 200))
    assert told["/pieces"] == (200, "<p>one two <b>three</b>")
    assert (told["/moved"][0], told["/lost"][0]) == (301, 404)
    assert world.notes == ("labels.tsv is missing: no page is known to be relevant to anything",)
    assert world.orders == ("bfs",)
    world.close()


def test_the_same_spider_crawls_its_recording(recorded: Path, site: Site) -> None:
    fetched = len(site.hits)
    outcome = crawl(Walk, {**BARE, "FCA_WORLD": str(recorded)}, start=site.url("/"))
    assert len(site.hits) == fetched
    assert outcome.stats["downloader/response_count"] == fetched


def test_a_recording_tells_what_was_asked_but_no_secrets(tmp_path: Path) -> None:
    recording = Recording(tmp_path / "a.warc.gz", {"software": "a test"})
    asked = [("User-Agent", "me"), ("Authorization", "Basic c2VjcmV0"), ("Cookie", "id=1")]
    recording.add(Exchange("http://a.test:81/x?y=1", "GET", asked, b"", 200, [("Content-Type", "text/html")], b"<p>"))
    recording.close()
    with recording.path.open("rb") as raw:
        request = next(record for record in ArchiveIterator(raw) if record.rec_type == "request")
        assert request.http_headers.protocol == "GET"
        assert request.http_headers.statusline == "/x?y=1 HTTP/1.1"
        assert request.http_headers.headers == [("Host", "a.test:81"), ("User-Agent", "me")]


def test_a_file_that_is_there_is_never_touched(tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").write_text("mine")
    names = []
    for _ in range(2):
        recording = Recording(tmp_path / "a.warc.gz", {})
        names.append(recording.path.name)
        recording.close()
    assert names == ["a-1.warc.gz", "a-2.warc.gz"]
    assert (tmp_path / "a.warc.gz").read_text() == "mine"


def test_every_record_is_on_disk_whole_as_soon_as_it_is_added(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recording = Recording(tmp_path / "a.warc.gz", {"software": "a test"})
    for n in range(3):
        recording.add(Exchange(f"http://a.test/{n}", "GET", [], b"", 200, [], os.urandom(100_000)))
        assert check(recording.path, capsys) == ""  # as after kill -9: nothing waits in a buffer
        world = open_world(str(recording.path))
        assert sum(1 for _ in world.urls()) == n + 1
        world.close()
    recording.close()


def test_a_place_that_cannot_be_written_to_is_told(tmp_path: Path, site: Site) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadWorld, match=r"FCA_RECORD .*out\.warc\.gz: .* cannot be written to"):
        crawl(Walk, {**BARE, "FCA_RECORD": str(tmp_path / "file" / "out.warc.gz")}, start=site.url("/"))
    with pytest.raises(BadOptions, match=r"must end in \.warc\.gz"):
        read_config({"FCA_RECORD": "out.zip"})
    assert site.hits == []


def test_a_full_disk_ends_the_crawl_with_its_reason(
    tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.pages["/"] = page("Start", links={f"/{n}": str(n) for n in range(50)})

    def full(self: Recording, exchange: Exchange) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Recording, "add", full)
    outcome = crawl(
        Walk, {**BARE, "FCA_RECORD": str(tmp_path / "a.warc.gz"), "LOG_LEVEL": "CRITICAL"}, start=site.url("/")
    )
    assert outcome.reason == "recording_failed"
    assert len(site.hits) < 20


def test_a_post_is_recorded_with_its_body(site: Site, tmp_path: Path) -> None:
    class Form(Spider):
        name = "form"

        async def start(self) -> Any:
            yield Request(site.url("/form"), method="POST", body=b"a=1")

    file = tmp_path / "a.warc.gz"
    crawl(Form, {**BARE, "FCA_RECORD": str(file), "ROBOTSTXT_OBEY": False})
    with file.open("rb") as raw:
        request = next(record for record in ArchiveIterator(raw) if record.rec_type == "request")
        assert (request.http_headers.protocol, request.raw_stream.read()) == ("POST", b"a=1")
