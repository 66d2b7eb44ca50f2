"""A log that is read while it is written: the clicks are those of its walks, however often it is looked at."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fcacrawler.values.clicks import NO_CLICKS, clicks_of
from fcacrawler.weblogs import GrowingLog
from fcacrawler.weblogs.lines import BadFile
from tests.values.test_clicks import WALKS, told
from tests.weblogs.conftest import SAMPLES

HEADER = "user\ttime\tquery\tstep\turl\n"


def lines(walks: list[list[str]]) -> list[str]:
    """Users take turns."""
    clicks = [(n, step, page) for n, walk in enumerate(walks) for step, page in enumerate(walk)]
    return [f"u{n}\t{1000 + step}\ttea\t{step}\t{page}\n" for n, step, page in sorted(clicks, key=lambda c: c[1])]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
@given(WALKS, st.lists(st.integers(0, 400), max_size=4))
def test_clicks_are_those_of_the_walks_wherever_a_look_comes_between(
    tmp_path: Path, walks: list[list[str]], cuts: list[int]
) -> None:
    text = HEADER + "".join(lines(walks))
    path = tmp_path / "clicks.tsv"
    path.write_text("")
    log, found = GrowingLog(path, str), NO_CLICKS
    for cut in [*sorted(cuts), len(text)]:
        path.write_text(text[:cut])  # a line may be half written
        found += log.read()
    assert told(found) == told(clicks_of(walks))
    assert not len(log.read())
    assert log.rejected == 0


def test_a_walk_ends_after_half_an_hour_and_a_shorter_file_is_another_one(tmp_path: Path) -> None:
    path = tmp_path / "clicks.tsv"
    path.write_text(HEADER + "u\t1000\tq\t0\ta\nu\t2801\tq\t0\tb\nu\t2802\tq\t0\tc\nodd line\n" + 99 * "\n")
    log = GrowingLog(path, str)
    assert told(log.read()) == {("b", "c"): (1, 1, 0)}
    assert log.rejected == 1
    path.write_text('{"user": "v", "query": "q", "url": "d"}\n{"user": "v", "query": "q", "url": "e"}\n')
    assert told(log.read()) == {("d", "e"): (1, 1, 0)}


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="an access log has no whole URLs; scrapy learn --site reads it"):
        GrowingLog(SAMPLES / "access.log", str).read()
    with pytest.raises(BadFile, match=r"gone.tsv: cannot be read .*an empty file that may grow will do"):
        GrowingLog(tmp_path / "gone.tsv", str).read()
