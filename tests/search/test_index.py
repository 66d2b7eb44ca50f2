"""An index can be made at any time, by anyone, again and in parts: what is found is the same."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.app.opinion import kept
from fcacrawler.app.searching import index, vectors_named
from fcacrawler.page.text.stems import stems
from fcacrawler.search import Filter, Index, Opened
from fcacrawler.search.index import NAME, ROWS, read_index
from fcacrawler.spiders.semrank import SemRankSpider
from fcacrawler.values.errors import BadStore
from tests.crawling import crawl
from tests.search.harvests import fetch, found, frontier, harvest, item, urls
from tests.site import Site
from tests.spiders.test_crawls import town  # noqa: F401  # a fixture

TEA = "http://tea.test/green"
MANY = [item(f"http://{n}.test/", f"Page {n}", f"tea number{n}") for n in range(80)]


def all_of(folder: Path) -> dict[str, object]:
    """What an index says of everything in it."""
    with closing(Opened(folder, vectors_named("static"))) as job:
        numbers = job.allowed(Filter()).tolist()
        worded = {n: round(score, 9) for n, score in job.worded({"tea": 1.0}, Filter(), 1000).items()}
        return {"rows": list(job.rows(numbers)), "worded": worded, "vectors": [job.vector(n).tolist() for n in numbers]}


def test_an_index_that_was_begun_is_gone_on_with(tmp_path: Path) -> None:
    """Wherever it was killed: rows of vectors may be there without their pages, or half of one."""
    whole = harvest(tmp_path / "whole", MANY)
    shutil.copytree(whole, tmp_path / "half")
    index(whole)
    with closing(Index(tmp_path / "half", vectors_named("static"), "static")) as half:
        assert half.missing == 80
        assert half.catch_up(33) == 33
        assert half.missing == 47
    with (tmp_path / "half" / ROWS).open("ab") as rows:
        rows.write(b"torn")
    index(tmp_path / "half")
    assert all_of(tmp_path / "half") == all_of(whole)


def test_two_may_make_it_at_the_same_time(tmp_path: Path) -> None:
    folder, whole = harvest(tmp_path / "job", MANY), harvest(tmp_path / "whole", MANY)
    vectors = vectors_named("static")
    with closing(Index(folder, vectors, "static")) as one, closing(Index(folder, vectors, "static")) as other:
        while one.catch_up(7) + other.catch_up(11):
            pass
    index(whole)
    assert all_of(folder) == all_of(whole)


def test_pages_that_are_done_in_another_order_than_they_came_are_found(tmp_path: Path) -> None:
    with closing(frontier(tmp_path)) as into:
        keys = [fetch(into, page, page) for page in MANY[:3]]
        into.done(keys[2])
        into.commit()
        assert urls([tmp_path], "tea") == ["http://2.test/"]
        with closing(Index(tmp_path, vectors_named("static"), "static")) as follows:
            assert follows.catch_up() == 0
            into.done(keys[0])
            into.commit()
            assert follows.catch_up() == 1
        into.done(keys[1])
    assert set(urls([tmp_path], "tea")) == {"http://0.test/", "http://1.test/", "http://2.test/"}


def test_a_page_that_was_fetched_again_is_found_as_it_is_now(tmp_path: Path) -> None:
    harvest(tmp_path, [item(TEA, "Tea", "steamed leaves")])
    assert urls([tmp_path], "steamed") == [TEA]
    harvest(tmp_path, [item(TEA, "Tea", "fermented leaves", changed=True)])
    assert urls([tmp_path], "fermented") == [TEA]
    with closing(Opened(tmp_path, None)) as job:
        assert len(job) == 1
        assert list(job.rows(list(job.worded({"steam": 1.0}, Filter(), 10)))) == []


def test_pages_without_an_item_are_not_found_and_not_looked_at_again(tmp_path: Path) -> None:
    with closing(frontier(tmp_path)) as into:
        into.done(fetch(into, MANY[0], None))
    index(tmp_path)
    with closing(Index(tmp_path, vectors_named("static"), "static")) as again:
        assert (again.missing, again.catch_up()) == (0, 0)
    assert urls([tmp_path], "tea") == []


@pytest.mark.parametrize("spoil", ["another version", "other vectors", "damaged", "another file"])
def test_an_index_that_cannot_be_used_is_made_anew(tmp_path: Path, spoil: str) -> None:
    harvest(tmp_path, MANY[:3])
    index(tmp_path)
    before = all_of(tmp_path)
    file = tmp_path / NAME
    if spoil == "damaged":
        file.write_bytes(file.read_bytes()[:100] + b"\xff" * 5000)
    elif spoil == "another file":
        file.write_text("no database at all, but long enough that nobody takes it for an empty one" * 20)
    else:
        with closing(sqlite3.connect(file)) as db:
            db.execute("UPDATE facts SET value = ?", ("999 static" if spoil == "another version" else "1 minilm",))
            db.commit()
    assert len(urls([tmp_path], "tea")) == 3
    assert all_of(tmp_path) == before


def test_whoever_only_looks_is_told_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BadStore, match=r"has no search index yet: scrapy search --index"):
        read_index(tmp_path)
    harvest(tmp_path, MANY[:1])
    index(tmp_path)
    with closing(sqlite3.connect(tmp_path / NAME)) as db:
        db.execute("UPDATE facts SET value = '0 static'")
        db.commit()
    with pytest.raises(BadStore, match=r"was made by another version: scrapy search --index"):
        read_index(tmp_path)


def test_a_crawl_makes_its_pages_searchable_and_leaves_its_store_whole(town: Site, tmp_path: Path) -> None:  # noqa: F811
    crawl(SemRankSpider, {"JOBDIR": str(tmp_path / "job")}, topic="auto racing", seeds=town.url("/"), pages="12")
    assert not (tmp_path / "job" / "crawl.sqlite-wal").exists()
    with closing(Opened(tmp_path / "job", vectors_named("static"))) as job:
        assert len(job) == 12


def test_a_crawl_may_leave_that_to_a_later_search(town: Site, tmp_path: Path) -> None:  # noqa: F811
    settings = {"JOBDIR": str(tmp_path), "FCA_SEARCH": "0"}
    crawl(SemRankSpider, settings, topic="auto racing", seeds=town.url("/"), pages="3")
    assert not (tmp_path / NAME).exists()
    assert len(urls([tmp_path], "racing")) == 3


def test_a_crawl_whose_index_cannot_be_written_goes_on(town: Site, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / NAME).mkdir(parents=True)
    outcome = crawl(SemRankSpider, {"JOBDIR": str(tmp_path)}, topic="auto racing", seeds=town.url("/"), pages="3")
    assert len(outcome.items) == 3


@given(st.text(min_size=1, max_size=40), st.sampled_from(["en", "de", "ar", "hi", "th", "zh", "ja", "tr", ""]))
def test_every_word_of_any_text_finds_it(text: str, language: str) -> None:
    """SQLite divides what it is given only where we do."""
    text = text.encode("utf-8", "replace").decode()
    written = stems(text, language, every=True)
    with closing(sqlite3.connect(":memory:")) as db:
        schema = (Path(__file__).parents[2] / "fcacrawler/search/index.sql").read_text("utf-8")
        db.executescript(schema)
        db.execute("INSERT INTO words (rowid, title, names, text) VALUES (1, ?, '', '')", (written,))
        for word in written.split():
            assert db.execute("SELECT rowid FROM words WHERE words MATCH ?", (f'"{word}"',)).fetchall() == [(1,)], word


def test_what_is_thought_now_is_what_filters_see(town: Site, tmp_path: Path) -> None:  # noqa: F811
    crawl(SemRankSpider, {"JOBDIR": str(tmp_path)}, topic="auto racing", seeds=town.url("/"), pages="12")
    hits = found([tmp_path], "racing").hits
    opinion = kept(tmp_path)
    assert opinion is not None
    held = [opinion.of(hit.url) for hit in hits]
    assert [(hit.relevance, hit.relevant) for hit in hits] == [(one.rank, one.relevant) for one in held if one]
    assert any(one.rank != one.came for one in held if one)
