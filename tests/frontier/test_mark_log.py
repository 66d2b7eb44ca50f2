"""Marks in a crawl's folder: anybody may append; a crawl that goes on hears of them where it first did."""

from __future__ import annotations

from pathlib import Path

import pytest

from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.sqlite.frontier import SqliteFrontier
from fcacrawler.frontier.sqlite.mark_log import NAME, append, marks_in
from fcacrawler.values.errors import BadStore
from fcacrawler.values.marks import Mark
from fcacrawler.values.pages import SeenPage
from tests.contract.test_frontier import everywhere, link

GOOD, BAD = Mark("http://a/1", True, "ann", "2026-01-01"), Mark("http://a/2", False)


def opened(folder: Path) -> SqliteFrontier:
    return SqliteFrontier(folder, FrontierOptions(), {"topic": "test"})


def read(frontier: SqliteFrontier, name: str, done: bool = True) -> None:
    """A page."""
    frontier.add([link(name)])
    frontier.update([(name.encode(), 1.0)], 1)
    entry = frontier.lease(everywhere, 0.0)
    assert entry is not None
    frontier.record(entry.candidate.key, SeenPage(name, name, "en", 1, (), {}, ()))
    if done:
        frontier.done(entry.candidate.key)


def told(frontier: SqliteFrontier) -> list[str | list[Mark]]:
    return [x.url if isinstance(x, SeenPage) else list(x) for x in frontier.observed()]


def test_marks_come_again_after_the_page_after_which_they_were_heard(tmp_path: Path) -> None:
    frontier = opened(tmp_path)
    frontier.mark([GOOD])
    assert told(frontier) == [[GOOD]]
    read(frontier, "p1")
    append(tmp_path / NAME, [BAD])
    assert told(frontier) == [[BAD]]
    assert told(frontier) == []
    read(frontier, "p2")
    read(frontier, "lost", done=False)
    append(tmp_path / NAME, [Mark("http://a/3", None)])
    told(frontier)
    frontier.close()
    again = opened(tmp_path)
    read(again, "p4")
    assert told(again) == [[GOOD], "p1", [BAD], "p2", [Mark("http://a/3", None)]]
    again.close()
    third = opened(tmp_path)
    assert told(third) == [[GOOD], "p1", [BAD], "p2", [Mark("http://a/3", None)], "p4"]
    third.close()


def test_what_stands_there_is_not_told_twice(tmp_path: Path) -> None:
    frontier = opened(tmp_path)
    for _ in range(2):
        frontier.mark([GOOD, BAD])
    assert told(frontier) == [[GOOD, BAD]]
    frontier.close()
    assert marks_in(tmp_path) == [GOOD, BAD]


def test_torn_and_foreign_lines_are_left_out_and_keep_their_place(tmp_path: Path) -> None:
    frontier = opened(tmp_path)
    (tmp_path / NAME).write_bytes(b'not a mark\n{"url": "http://a/1", "mark": "fine"}\n\xff\xfe\n{"url": "http://a')
    assert told(frontier) == []
    append(tmp_path / NAME, [GOOD])
    assert told(frontier) == [[GOOD]]
    read(frontier, "p1")
    frontier.close()
    again = opened(tmp_path)
    assert told(again) == [[GOOD], "p1"]
    again.close()


def test_a_folder_that_cannot_be_written_to_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadStore, match="not kept"):
        append(tmp_path / "none" / NAME, [GOOD])


def test_the_page_of_a_link_is_the_one_that_was_written_last(tmp_path: Path) -> None:
    frontier = opened(tmp_path)
    read(frontier, "p1")
    page = frontier.page(b"p1")
    assert page is not None
    assert page.url == "p1"
    assert frontier.page(b"p2") is None
    frontier.close()
