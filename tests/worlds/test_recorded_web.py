"""A folder of WARC files is a world: what it answers, what it says about damage, what it refuses."""

from __future__ import annotations

import gzip
import os
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from warcio.warcwriter import WARCWriter

from fcacrawler.values.errors import BadWorld
from fcacrawler.worlds import find_topic, open_world

from .warcs import HTML, add, write_warc

PAGES = {f"http://a.test/{n}": f"<title>{n}</title>" + "x" * 3000 for n in ("one", "two", "three")}


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    return home


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_warc(tmp_path / "pages.warc.gz", PAGES)
    (tmp_path / "labels.tsv").write_text("url\ttopic\nhttp://a.test/one\tSport.Golf\nhttp://a.test/two\tSport\n")
    (tmp_path / "topics.toml").write_text(
        '[topics.sport]\nwords = "ball games"\nlabels = ["Sport"]\nseeds = ["http://a.test/one"]\n'
    )
    return tmp_path


def test_every_page_answers_as_it_was_recorded(folder: Path) -> None:
    world = open_world(str(folder))
    assert list(world.urls()) == list(PAGES)
    for url, body in PAGES.items():
        answer = world.answer(url)
        assert answer is not None
        assert (answer.status, answer.body.decode()) == (200, body)
        assert dict(answer.headers)["Content-Type"] == "text/html; charset=utf-8"
    assert world.answer("http://a.test/four") is None
    assert world.notes == ()
    world.close()


def test_threads_are_answered_as_one_is(folder: Path) -> None:
    world = open_world(str(folder))
    urls = [*PAGES] * 40
    with ThreadPoolExecutor(4) as threads:
        answers = [answer and answer.body.decode() for answer in threads.map(world.answer, urls)]
    assert answers == [PAGES[url] for url in urls]
    world.close()


def test_a_recording_says_by_which_orders_it_was_found(tmp_path: Path) -> None:
    for n, order in enumerate(["shark", "bfs", "shark"]):
        write_warc(tmp_path / f"{n}.warc.gz", {f"http://a.test/{n}": "page"}, crawl_order=order)
    write_warc(tmp_path / "other.warc.gz", PAGES)
    world = open_world(str(tmp_path))
    assert world.orders == ("shark", "bfs")
    assert not world.whole
    world.close()


def test_another_spelling_of_a_url_finds_the_same_page(tmp_path: Path) -> None:
    write_warc(tmp_path / "pages.warc.gz", {"http://a.test/?b=2&a=%7e": "here"})
    world = open_world(str(tmp_path))
    answer = world.answer("HTTP://A.test?a=~&b=2#top")
    assert answer is not None
    assert answer.body == b"here"
    world.close()


def test_a_label_holds_those_beneath_it(folder: Path) -> None:
    world = open_world(str(folder))
    assert world.relevant("sport") == {"http://a.test/one", "http://a.test/two"}
    assert world.topics["sport"].words == "ball games"
    world.close()


def test_without_topics_every_label_is_one(folder: Path) -> None:
    (folder / "topics.toml").unlink()
    world = open_world(str(folder))
    assert {name: topic.words for name, topic in world.topics.items()} == {"Sport.Golf": "golf", "Sport": "sport"}
    world.close()


def test_a_world_without_labels_says_so(folder: Path) -> None:
    (folder / "labels.tsv").unlink()
    (folder / "topics.toml").unlink()
    world = open_world(str(folder))
    assert world.topics == {}
    assert world.notes == ("labels.tsv is missing: no page is known to be relevant to anything",)
    with pytest.raises(BadWorld, match="knows no topics"):
        find_topic(world, "sport")
    world.close()


def test_an_unknown_topic_is_answered_with_the_nearest(folder: Path) -> None:
    world = open_world(str(folder))
    with pytest.raises(BadWorld, match="no topic 'sprot'; did you mean sport"):
        find_topic(world, "sprot")
    world.close()


def test_what_does_not_fit_together_is_noted(folder: Path) -> None:
    with (folder / "labels.tsv").open("a") as more:
        more.write("http://a.test/lost\tSport\nnonsense\n")
    (folder / "topics.toml").write_text('[topics.golf]\nlabels = ["Sprot"]\nseeds = ["http://b.test/"]\n')
    world = open_world(str(folder))
    assert len(world.notes) == 4
    told = "\n".join(world.notes)
    assert "labels.tsv: 1 lines are not url, tab, topic; the first is line 5" in told
    assert "1 labelled pages are not in this world, such as http://a.test/lost" in told
    assert "no page is labelled 'Sprot'; did you mean Sport?" in told
    assert "1 seeds are not in this world, such as http://b.test/" in told
    world.close()


@pytest.mark.parametrize("part", [0.3, 0.6, 0.9])
def test_a_truncated_warc_gives_what_stands_before_the_break(folder: Path, part: float) -> None:
    file = folder / "pages.warc.gz"
    whole = file.read_bytes()
    starts = [i for i in range(len(whole)) if whole.startswith(b"\x1f\x8b\x08", i)]
    last = starts[-1]
    file.write_bytes(whole[: last + int((len(whole) - last) * part)])
    world = open_world(str(folder))
    assert list(world.urls()) == list(PAGES)[:2]
    assert any("pages.warc.gz: broken off or damaged in record 4" in note for note in world.notes)
    world.close()


def test_a_warc_without_responses_is_refused(tmp_path: Path) -> None:
    write_warc(tmp_path / "pages.warc.gz", {})
    with pytest.raises(BadWorld, match=r"no HTTP responses in pages\.warc\.gz"):
        open_world(str(tmp_path))


@pytest.mark.parametrize("content", [b"", b"<html>", os.urandom(2000)])
def test_what_is_no_warc_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "pages.warc.gz").write_bytes(content)
    with pytest.raises(BadWorld, match="no HTTP responses"):
        open_world(str(tmp_path))


def test_a_warc_compressed_in_one_piece_is_refused_with_the_remedy(tmp_path: Path) -> None:
    plain = write_warc(tmp_path / "plain.warc", PAGES, gzip=False)
    (tmp_path / "pages.warc.gz").write_bytes(gzip.compress(plain.read_bytes()))
    plain.unlink()
    with pytest.raises(BadWorld, match="mend it with warcio recompress"):
        open_world(str(tmp_path))


def test_a_plain_warc_and_several_files_are_read(tmp_path: Path) -> None:
    write_warc(tmp_path / "1.warc", PAGES, gzip=False)
    write_warc(tmp_path / "2.warc.gz", {"http://b.test/": "<p>b"})
    world = open_world(str(tmp_path))
    assert list(world.urls()) == [*PAGES, "http://b.test/"]
    assert all(world.answer(url) for url in world.urls())
    world.close()


def test_a_single_file_is_a_world(tmp_path: Path) -> None:
    file = write_warc(tmp_path / "one.warc.gz", PAGES)
    world = open_world(str(file))
    assert (world.name, list(world.urls())) == ("one", list(PAGES))
    world.close()


def test_bodies_are_decoded_and_their_headers_fit(tmp_path: Path) -> None:
    body = b"<p>" + b"word " * 500
    with (tmp_path / "pages.warc.gz").open("wb") as out:
        writer = WARCWriter(out, gzip=True)
        add(writer, "http://a.test/gzip", gzip.compress(body), headers=(HTML, ("Content-Encoding", "gzip")))
        add(writer, "http://a.test/deflate", zlib.compress(body), headers=(HTML, ("Content-Encoding", "deflate")))
        chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
        add(writer, "http://a.test/chunked", chunked, headers=(HTML, ("Transfer-Encoding", "chunked")))
    world = open_world(str(tmp_path))
    for url in world.urls():
        answer = world.answer(url)
        assert answer is not None
        assert answer.body == body
        assert dict(answer.headers) == dict([HTML, ("Content-Length", str(len(body)))])
    world.close()


def test_redirects_and_errors_are_answers_but_no_pages(tmp_path: Path) -> None:
    with (tmp_path / "pages.warc.gz").open("wb") as out:
        writer = WARCWriter(out, gzip=True)
        add(writer, "http://a.test/old", b"", "301 Moved", (("Location", "/new"),))
        add(writer, "http://a.test/gone", b"", "410 Gone")
        add(writer, "http://a.test/new", b"<p>")
    world = open_world(str(tmp_path))
    assert list(world.urls()) == ["http://a.test/new"]
    moved, gone = world.answer("http://a.test/old"), world.answer("http://a.test/gone")
    assert moved is not None
    assert gone is not None
    assert (moved.status, dict(moved.headers)["Location"], gone.status) == (301, "/new", 410)
    world.close()


def test_the_last_record_of_a_url_answers(tmp_path: Path) -> None:
    with (tmp_path / "pages.warc.gz").open("wb") as out:
        writer = WARCWriter(out, gzip=True)
        add(writer, "http://a.test/", b"", "503 Busy")
        add(writer, "http://a.test/", b"at last")
    world = open_world(str(tmp_path))
    answer = world.answer("http://a.test/")
    assert answer is not None
    assert answer.body == b"at last"
    world.close()


def test_a_revisit_answers_with_what_it_refers_to(tmp_path: Path) -> None:
    with (tmp_path / "pages.warc.gz").open("wb") as out:
        writer = WARCWriter(out, gzip=True)
        add(writer, "http://a.test/first", b"<p>same")
        writer.write_record(
            writer.create_revisit_record(
                "http://a.test/second", "sha1:X", "http://a.test/first", "2026-01-01T00:00:00Z"
            )
        )
    world = open_world(str(tmp_path))
    answer = world.answer("http://a.test/second")
    assert answer is not None
    assert answer.body == b"<p>same"
    world.close()


def test_the_index_is_made_once_and_again_when_a_file_changes(folder: Path) -> None:
    heard: list[int] = []
    for _ in range(2):
        open_world(str(folder), lambda done, whole: heard.append(done)).close()
    assert heard == [0]
    write_warc(folder / "pages.warc.gz", {**PAGES, "http://a.test/four": "4"})
    world = open_world(str(folder), lambda done, whole: heard.append(done))
    assert heard == [0, 0]
    assert world.answer("http://a.test/four")
    world.close()


def test_a_recordings_folder_is_left_as_it_is(folder: Path, cache: Path) -> None:
    before = {file: file.stat().st_mtime_ns for file in [folder, *folder.iterdir()]}
    open_world(str(folder)).close()
    open_world(str(folder / "pages.warc.gz")).close()
    assert {file: file.stat().st_mtime_ns for file in [folder, *folder.iterdir()]} == before
    assert len(list(cache.rglob("*.index"))) == 2


def test_a_cache_that_cannot_be_written_to_is_told(folder: Path, cache: Path) -> None:
    (cache / "fcacrawler").write_text("a file where a folder should be")
    with pytest.raises(BadWorld, match="set XDG_CACHE_HOME to a folder that can be written to"):
        open_world(str(folder))


def test_a_name_that_is_no_world_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadWorld, match="no such folder or file"):
        open_world(str(tmp_path / "nowhere"))
    with pytest.raises(BadWorld, match="no WARC file in this folder"):
        open_world(str(tmp_path))
    with pytest.raises(BadWorld, match=r"the demo web's recipe is pages=N, seed=N and closed=1"):
        open_world("demo?size=3")


def test_a_broken_topics_file_is_refused_with_its_line(folder: Path) -> None:
    (folder / "topics.toml").write_text("[topics\n")
    with pytest.raises(BadWorld, match=r"topics\.toml.*line 1"):
        open_world(str(folder))
