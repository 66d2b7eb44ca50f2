"""Files of marks: what a line is, and what is wrong with one that is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.app.marks import contradicted, read_marks, standing
from fcacrawler.values.errors import BadOptions, BadRecord
from fcacrawler.values.marks import Mark, dump_mark, load_mark

MARKS = st.builds(Mark, st.text(min_size=1, max_size=50), st.sampled_from([True, False, None]), st.text(), st.text())


def test_lines_are_tabs_or_json_and_urls_canonical(tmp_path: Path) -> None:
    file = tmp_path / "marks.tsv"
    file.write_text(
        "url\tmark\twho\n# from the last crawl\n\nHTTP://A.test/x#top\tgood\n"
        '{"url": "http://b.test", "mark": "bad", "who": "ann", "when": "2026-01-01"}\nhttp://c.test/\tNone\tbob\tlate\n'
    )
    read = read_marks(file)
    assert read.marks == (
        Mark("http://a.test/x", True),
        Mark("http://b.test/", False, "ann", "2026-01-01"),
        Mark("http://c.test/", None, "bob", "late"),
    )
    assert read.told == ""


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"\x7fELF\x00\xff\xfe", "no text in UTF-8"),
        (b"", "no mark in it"),
        (b"# nothing\n", "no mark in it"),
        (b"http://a.test/\tfine\nhttp://a.test/\tgood\nhttp://a.test/ bad", "no mark in line 1, 3; a line is URL"),
        (b"mailto:a@b\tgood\n" * 9, "no mark in line 1, 2, 3, 4, 5 and 4 more;"),
        (b'{"url": "http://a.test/"}', "no mark in line 1;"),
        (b"{" * 30_000, "no mark in line 1;"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, body: bytes, why: str) -> None:
    file = tmp_path / "marks"
    file.write_bytes(body)
    with pytest.raises(BadOptions, match=why):
        read_marks(file)
    with pytest.raises(BadOptions, match="No such file"):
        read_marks(tmp_path / "none")


def test_of_contradictions_the_later_counts_and_it_is_told(tmp_path: Path) -> None:
    file = tmp_path / "marks.tsv"
    file.write_text("".join(f"http://a.test/{n}\tgood\nhttp://a.test/{n}\tbad\n" for n in range(7)))
    read = read_marks(file)
    assert "are said of http://a.test/0, " in read.told
    assert read.told.endswith("and 2 more; the later counts")
    assert {mark.good for mark in standing(read.marks).values()} == {False}


def test_many_lines_are_read_in_one_go(tmp_path: Path) -> None:
    file = tmp_path / "marks.tsv"
    file.write_text("".join(f"http://a.test/{n}\t{'good' if n % 2 else 'bad'}\n" for n in range(100_000)))
    assert len(read_marks(file).marks) == 100_000


@given(MARKS)
def test_a_mark_is_read_as_it_was_written(mark: Mark) -> None:
    assert load_mark(dump_mark(mark)) == mark
    assert "\n" not in dump_mark(mark)


@given(st.text())
def test_any_other_line_is_refused(line: str) -> None:
    with pytest.raises(BadRecord):
        load_mark(line)


@given(st.lists(MARKS))
def test_what_stands_is_the_last_that_was_said(marks: list[Mark]) -> None:
    last = {mark.url: mark.good for mark in marks}
    assert {url: mark.good for url, mark in standing(marks).items()} == {u: g for u, g in last.items() if g is not None}
    said: dict[str, set[bool | None]] = {}
    for mark in marks:
        said.setdefault(mark.url, set()).add(mark.good)
    assert all({True, False} <= said[url] for url in contradicted(marks))
