"""A table of damages to the folder of a crawl. Whoever goes on with it is told in one line, or it goes on; whoever
looks gets all that can still be read, and hears how much cannot.
"""

from __future__ import annotations

import gc
import json
import os
import shutil
import sqlite3
import zlib
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from scrapy.commands import ScrapyCommand
from scrapy.settings import Settings

from fcacrawler.app.assembly import check_store
from fcacrawler.app.config import Config
from fcacrawler.commands import draw, explain, export
from fcacrawler.frontier.sqlite.salvage import Items
from fcacrawler.frontier.sqlite.store import lock
from fcacrawler.spiders.semrank import SemRankSpider
from fcacrawler.values.errors import BadRecord, BadStore
from fcacrawler.values.topics import Topic
from tests.crawling import crawl
from tests.site import Site, page, serving
from tests.spiders.test_crawls import RACING, text

PAGES = 6  # of the crawl that is damaged
STORE = "crawl.sqlite"
BOMB = zlib.compress(bytes(300_000_000), 9)

Damage = Callable[[Path], object]


@pytest.fixture(scope="module")
def town() -> Iterator[Site]:
    """A seed and twelve pages."""
    links = {f"/{n}": f"auto racing {n}" for n in range(12)}
    pages = {path: page(f"Auto racing {path}", text(RACING, path)) for path in links}
    with serving({"/": page("Auto racing", text(RACING, "seed"), links), **pages}) as site:
        yield site


def run(town: Site, folder: Path, pages: int) -> str:
    return crawl(SemRankSpider, {"JOBDIR": str(folder)}, topic="auto racing", seeds=town.base, pages=str(pages)).reason


@pytest.fixture(scope="module")
def whole(town: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "job"
    assert run(town, folder, PAGES) == "budget"
    with closing(sqlite3.connect(folder / STORE)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return folder


@pytest.fixture
def job(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "job"))


def sql(*statements: str, file: str = STORE) -> Damage:
    def damage(folder: Path) -> None:
        with closing(sqlite3.connect(folder / file, isolation_level=None)) as db:
            db.execute("PRAGMA writable_schema = ON")
            for statement in statements:
                db.execute(statement, {"bomb": BOMB} if ":bomb" in statement else {})

    return damage


def packed(item: str) -> str:
    return f"UPDATE pages SET item = x'{zlib.compress(item.encode()).hex()}' WHERE number = 2"


def zeroed(root: str) -> Damage:
    """The first page of a table or index."""

    def damage(folder: Path) -> None:
        with closing(sqlite3.connect(folder / STORE)) as db:
            (page,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (root,)).fetchone()
            (size,) = db.execute("PRAGMA page_size").fetchone()
        with (folder / STORE).open("r+b") as file:
            file.seek((page - 1) * size)
            file.write(bytes(size))

    return damage


def cut(part: float) -> Damage:
    return lambda folder: os.truncate(folder / STORE, int((folder / STORE).stat().st_size * part))


def written(name: str, content: bytes) -> Damage:
    return lambda folder: (folder / name).write_bytes(content)


def a_folder_instead(folder: Path) -> None:
    (folder / STORE).unlink()
    (folder / STORE).mkdir()


def a_pipe_instead(folder: Path) -> None:
    (folder / STORE).unlink()
    os.mkfifo(folder / STORE)


REST = PAGES - 1
# damage → what is done to the folder, and how many items are left to be read; None: the folder is refused by name
DAMAGES: dict[str, tuple[Damage, int | None]] = {
    "none": (lambda folder: None, PAGES),
    "cut to nothing": (cut(0), None),
    "cut by half": (cut(0.5), None),
    "cut by a tenth": (cut(0.9), None),
    "no database": (written(STORE, b"no database at all" * 1000), None),
    "another program's": (sql("PRAGMA application_id = 1"), None),
    "another version's": (sql("PRAGMA user_version = 3"), None),
    "a folder": (a_folder_instead, None),
    "a pipe": (a_pipe_instead, None),
    "schema gone": (sql("DELETE FROM sqlite_schema"), None),
    "no table of pages": (sql("DROP TABLE pages"), None),
    "no table of urls": (sql("DROP TABLE urls"), None),
    "no log": (sql("DROP TABLE log"), None),
    "no view of places": (sql("DROP VIEW places"), None),
    "a column less": (sql("ALTER TABLE pages DROP COLUMN seen"), PAGES),
    "no index": (sql("DROP INDEX page_of"), PAGES),
    "facts zeroed": (zeroed("facts"), PAGES),
    "urls zeroed": (zeroed("urls"), PAGES),
    "settled zeroed": (zeroed("settled"), PAGES),
    "news zeroed": (zeroed("news"), PAGES),
    "log zeroed": (zeroed("log"), PAGES),
    "index of pages zeroed": (zeroed("page_of"), PAGES),
    "pages zeroed": (zeroed("pages"), 0),
    "facts gone": (sql("DELETE FROM facts"), PAGES),
    "what it was told is no JSON": (sql("UPDATE facts SET value = '{' WHERE name = 'told'"), PAGES),
    "what it was told is something else": (sql("UPDATE facts SET value = '[1]' WHERE name = 'told'"), PAGES),
    "counts are no JSON": (sql("UPDATE facts SET value = 'x' WHERE name = 'counts'"), PAGES),
    "counts are a list": (sql("UPDATE facts SET value = '[1]' WHERE name = 'counts'"), PAGES),
    "counts are words": (sql("""UPDATE facts SET value = '{"done":"many"}' WHERE name = 'counts'"""), PAGES),
    "counts are huge": (sql(f"""UPDATE facts SET value = '{{"arrivals":1{"0" * 30}}}' WHERE name = 'counts'"""), PAGES),
    "homes are no JSON": (sql("INSERT OR REPLACE INTO facts VALUES ('homes', '[')"), PAGES),
    "a record is garbage": (sql("UPDATE urls SET record = x'00ff' WHERE arrival % 3 = 0"), PAGES),
    "a record is text": (sql("UPDATE urls SET record = 'text' WHERE arrival % 3 = 0"), PAGES),
    "a record is nested": (sql(f"UPDATE urls SET record = CAST('{'[' * 100_000}' AS BLOB)"), PAGES),
    "a record's number is huge": (
        sql(f"""UPDATE urls SET record = CAST('["http://a.test/","a.test",{"9" * 5000},[]]' AS BLOB)"""),
        PAGES,
    ),
    "a rank is a word": (sql("UPDATE news SET rank = 'high'", "UPDATE settled SET rank = 'high'"), PAGES),
    "a rank is infinite": (sql("UPDATE news SET rank = 9e999", "UPDATE settled SET rank = -9e999"), PAGES),
    "attempts are a word": (sql("UPDATE news SET attempts = 'x'", "UPDATE settled SET attempts = 'x'"), PAGES),
    "a state is unknown": (sql("UPDATE news SET state = 77", "UPDATE settled SET state = 77"), PAGES),
    "places gone": (sql("DELETE FROM news", "DELETE FROM settled"), PAGES),
    "the log is torn": (sql("INSERT INTO log (rows, found) VALUES (x'00', x'5b5d')"), PAGES),
    "the log is text": (sql("UPDATE log SET rows = 'text', found = 'text'"), PAGES),
    "the log is no JSON": (sql("UPDATE log SET found = x'5b'"), PAGES),
    "a page is garbage": (sql("UPDATE pages SET seen = x'1234' WHERE number = 3"), PAGES),
    "a page is a bomb": (sql("UPDATE pages SET seen = :bomb WHERE number = 3"), PAGES),
    "a page is a number": (sql("UPDATE pages SET seen = 5 WHERE number = 3"), PAGES),
    "a page's number is huge": (sql("UPDATE pages SET number = 9223372036854775807 WHERE number = 2"), PAGES),
    "an item is garbage": (sql("UPDATE pages SET item = x'1234' WHERE number = 2"), REST),
    "an item is torn": (sql("UPDATE pages SET item = substr(item, 1, 99) WHERE number = 2"), REST),
    "an item is text": (sql("UPDATE pages SET item = 'text' WHERE number = 2"), REST),
    "an item is no JSON": (sql(packed('{"url": ')), REST),
    "an item is a list": (sql(packed("[1]")), REST),
    "an item lacks what it needs": (sql(packed('{"url": "http://a.test/"}')), REST),
    "an item is a bomb": (sql("UPDATE pages SET item = :bomb WHERE number = 2"), REST),
    "copies are no database": (written("copies.sqlite", b"no database" * 1000), PAGES),
    "copies of another shape": (
        sql("DROP TABLE copies", "CREATE TABLE copies (key BLOB PRIMARY KEY, x)", file="copies.sqlite"),
        PAGES,
    ),
    "copies of other types": (
        sql("UPDATE copies SET last = 'x', relevance = x'00', changes = NULL", file="copies.sqlite"),
        PAGES,
    ),
    "the lock is no database": (written("crawl.lock", b"no database" * 1000), PAGES),
}


def asked(command: ScrapyCommand, *arguments: str, **options: object) -> int:
    """With the defaults of what is not said."""
    parser = ArgumentParser()
    command.settings = Settings()
    command.add_options(parser)
    said, _ = parser.parse_known_args([], Namespace(**options))
    command.run(list(arguments), said)
    return command.exitcode


@pytest.mark.filterwarnings("ignore:Unclosed client session:ResourceWarning")
@pytest.mark.parametrize("name", DAMAGES)
def test_whoever_goes_on_is_told_in_one_line_or_goes_on(
    name: str,
    job: Path,
    town: Site,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    DAMAGES[name][0](job)
    refused = goes_on(town, job)
    if refused:
        assert str(job) in refused
        assert len(refused.splitlines()) == 1
    ends = [r.getMessage() for r in caplog.records if "the crawl ends" in r.getMessage()]
    assert len(ends) <= 1, ends
    assert "Traceback" not in caplog.text + capsys.readouterr().err


def goes_on(town: Site, job: Path) -> str:
    """Why it does not, if it is not even begun."""
    try:
        check_store(Config(), Topic("auto racing"), job)
        assert run(town, job, PAGES + 2) in ("budget", "exhausted", "store_failed")
    except (BadStore, BadRecord) as error:
        return str(error)
    except RuntimeError as error:  # Scrapy's, which cannot close a crawl that it could not open
        return str(error.__context__)
    finally:
        gc.collect()  # a crawl that is refused while its parts are made leaves Scrapy's session open
    return ""


@pytest.mark.parametrize("name", DAMAGES)
def test_whoever_looks_gets_what_can_be_read_and_hears_what_cannot(
    name: str,
    job: Path,
    town: Site,
    capsys: pytest.CaptureFixture[str],
) -> None:
    damage, left = DAMAGES[name]
    damage(job)
    exit_code = asked(export.Command(), str(job))
    told = capsys.readouterr()
    if left is None:
        assert (exit_code, told.out) == (1, "")
        assert str(job) in told.err
    else:
        assert [bool(json.loads(line)["url"]) for line in told.out.splitlines()] == [True] * left
        assert told.err == ("" if left == PAGES else f"{PAGES - left} damaged items are left out\n")
        assert exit_code == 0

    assert asked(explain.Command(), town.base, job=str(job), items=None, json=True) in (0, 1)
    picture = job.parent / "topic.svg"
    asked(draw.Command(), "topic", str(job), out=str(picture), concepts=9, keywords=8, url="", query="")
    assert picture.exists() == bool(left)


def test_a_held_lock_is_told_by_whichever_link_it_is_reached(job: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").symlink_to(job)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / STORE).symlink_to(job / STORE)
    with closing(lock(job)):
        for folder in (job, tmp_path / "folder", tmp_path / "other"):
            with pytest.raises(BadStore, match="another crawl runs"):
                check_store(Config(), Topic("auto racing"), folder)


def test_a_store_with_two_names_is_refused(job: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / STORE).hardlink_to(job / STORE)
    with pytest.raises(BadStore, match="hard links"):
        check_store(Config(), Topic("auto racing"), tmp_path / "other")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere; CI's bare leg is somebody else")
def test_a_folder_that_cannot_be_written_to_is_read_and_not_gone_on_with(job: Path) -> None:
    config, topic = Config(), Topic("auto racing")
    for path in (*job.iterdir(), job):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        assert len(list(Items(job))) == PAGES
        with pytest.raises(BadStore, match="that you may write to"):
            check_store(config, topic, job)
    finally:
        job.chmod(0o755)


def test_a_folder_that_is_none_or_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for place in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/nowhere/job")):
        with pytest.raises(BadStore, match="take another JOBDIR"):
            check_store(Config(), Topic("auto racing"), place)
