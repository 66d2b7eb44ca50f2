"""Every sample is told by its content, gzipped or not, and read to the last click."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from fcacrawler.values.omega import Omega
from fcacrawler.weblogs.formats import tell
from fcacrawler.weblogs.formats.access import parse as parse_access
from fcacrawler.weblogs.formats.own import parser_of_tsv
from fcacrawler.weblogs.lines import head
from tests.weblogs.conftest import SAMPLES

NAMES = {
    "own.tsv": "tsv",
    "table3.tsv": "tsv",
    "own.jsonl": "jsonl",
    "aol.txt": "aol",
    "orcas.tsv": "orcas",
    "sogou.txt": "sogou",
    "access.log": "access",
}


@pytest.mark.parametrize("name", NAMES)
def test_the_format_is_told_from_the_content(name: str) -> None:
    path = SAMPLES / name
    found, _ = tell(path, [line.decode(errors="replace") for line in head(path)])
    assert found.name == NAMES[name]


@pytest.mark.parametrize("name", NAMES)
def test_a_gzipped_log_gives_the_same(name: str, learned: Callable[..., Omega], tmp_path: Path) -> None:
    zipped = tmp_path / "anything"
    zipped.write_bytes(gzip.compress((SAMPLES / name).read_bytes()))
    plain = learned(SAMPLES / name)
    assert plain.clicks
    assert learned(zipped) == plain


def test_the_same_story_in_three_formats_gives_the_same_relations(learned: Callable[..., Omega]) -> None:
    tsv, jsonl, aol = (learned(SAMPLES / name, groups="one") for name in ("own.tsv", "own.jsonl", "aol.txt"))
    assert tsv == jsonl == aol
    assert ("auto racing", "motor sport") in tsv.isa


def test_sogou_is_read_as_gb18030_and_a_line_of_utf8_among_it_too(
    learned: Callable[..., Omega], tmp_path: Path
) -> None:
    sample = (SAMPLES / "sogou.txt").read_bytes()
    assert ("方程式赛车", "汽车比赛") in learned(SAMPLES / "sogou.txt").isa
    mixed = tmp_path / "mixed.txt"
    mixed.write_bytes(sample + "00:10:00\t1\t[ﬁa™]\t1 1\thttp://x.example/\n".encode())
    assert "一" in learned(mixed).clicks


def test_a_line_of_windows_1252_among_utf8_is_read(learned: Callable[..., Omega], tmp_path: Path) -> None:
    log = tmp_path / "log.tsv"
    log.write_bytes(b"user\tquery\turl\nu\tcaf\xc3\xa9\thttp://a/\nv\tcaf\xe9\thttp://a/\n")
    assert learned(log).clicks == {"café": 2}


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(learned: Callable[..., Omega], tmp_path: Path) -> None:
    log = tmp_path / "log.tsv"
    log.write_bytes(b"\xef\xbb\xbfuser\tquery\turl\r\nu\tracing\thttp://a/\r\n")
    assert learned(log).clicks == {"racing": 1}


def test_columns_may_stand_in_any_order_and_clicks_are_counted() -> None:
    parse = parser_of_tsv(["url\tclicks\tquery\tuser"])
    assert parse is not None
    click = parse("http://a/\t7\tracing\tu1")
    assert click is not None
    assert (click.user, click.query, click.url, click.clicks) == ("u1", "racing", "http://a/", 7)


def test_a_page_view_belongs_to_the_latest_search_of_its_user_unless_a_gap_lies_between(
    learned: Callable[..., Omega],
) -> None:
    omega = learned(SAMPLES / "access.log")
    assert omega.clicks == {"auto racing": 3, "motor sport": 2, "rose pruning": 2}
    assert learned(SAMPLES / "access.log", gap=5).clicks == {"auto racing": 2, "motor sport": 1, "rose pruning": 2}
    assert learned(SAMPLES / "access.log", gap=7200).clicks["auto racing"] == 4


@pytest.mark.parametrize(
    "line",
    [
        '1.2.3.4 - - [10/Oct/2025:13:55:36 +0000] "GET /logo.png HTTP/1.1" 200 5 "http://s/?q=cars" "Firefox"',
        '1.2.3.4 - - [10/Oct/2025:13:55:36 +0000] "GET /page HTTP/1.1" 404 5 "http://s/?q=cars" "Firefox"',
        '1.2.3.4 - - [10/Oct/2025:13:55:36 +0000] "POST /page HTTP/1.1" 200 5 "http://s/?q=cars" "Firefox"',
        '1.2.3.4 - - [10/Oct/2025:13:55:36 +0000] "GET /page HTTP/1.1" 200 5 "http://s/?q=cars" "Googlebot/2.1"',
        '1.2.3.4 - - [10/Oct/2025:13:55:36 +0000] "-" 408 0 "-" "-"',
    ],
)
def test_pictures_failures_posts_and_robots_are_no_clicks(line: str) -> None:
    assert parse_access(line) is None
