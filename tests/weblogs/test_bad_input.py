"""Bad files fail with what is wrong and what to do; bad lines are counted and named; memory stays bounded."""

from __future__ import annotations

import gzip
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from fcacrawler.values.errors import FcaError
from fcacrawler.values.omega import Omega
from fcacrawler.weblogs import LearnOptions, Thresholds, learn, load_omega
from tests.weblogs.conftest import SAMPLES, words_and_pairs

GOOD = (SAMPLES / "own.tsv").read_bytes()


def refused(learned: Callable[..., Omega], path: Path, content: bytes, **options: object) -> str:
    path.write_bytes(content)
    with pytest.raises(FcaError) as error:
        learned(path, **options)
    assert str(path) in str(error.value)
    assert not list(path.parent.glob("*.parquet"))
    assert not list(path.parent.glob("*.evidence"))
    return str(error.value)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b"\n\n  \n", "is empty"),
        (gzip.compress(b""), "is empty"),
        (b"\x7fELF\x02\x01\x01\x00" + bytes(500), "binary"),
        (gzip.compress(os.urandom(3000) + bytes(3)), "binary"),
        ("user\tquery\turl\n".encode("utf-16"), "UTF-16"),
        (b"# some notes\nthat are no log\n", "no format fits"),
        (b"x" * 300_000, "no format fits"),
        (gzip.compress(GOOD * 50)[:-20], "cut off"),
        (gzip.compress(GOOD)[:20], "cut off"),
        (b"user\tquery\turl\n", "no clicks"),
    ],
)
def test_a_bad_file_is_refused_and_nothing_is_written(
    content: bytes, says: str, learned: Callable[..., Omega], tmp_path: Path
) -> None:
    assert says in refused(learned, tmp_path / "log", content)


def test_a_wrong_format_is_told(learned: Callable[..., Omega], tmp_path: Path) -> None:
    assert "does not look like aol" in refused(learned, tmp_path / "log", GOOD, format="aol")


def test_a_missing_file_is_told(learned: Callable[..., Omega], tmp_path: Path) -> None:
    with pytest.raises(FcaError, match="cannot be read"):
        learned(tmp_path / "nothing")


def test_too_many_bad_lines_refuse_a_file_and_name_the_first(learned: Callable[..., Omega], tmp_path: Path) -> None:
    text = refused(learned, tmp_path / "log", GOOD + b"bad\n" * 3)
    assert "3 of 20 lines" in text
    assert "line 18: 1 columns where the header has 6" in text


def test_bad_lines_among_many_good_ones_are_counted_with_number_and_reason(tmp_path: Path) -> None:
    log = tmp_path / "log"
    lines = [
        GOOD,
        b"v\tmotor\t1\t" + b"word " * 10_000 + b"\t1\thttp://a/\n",
        b"v\tmotor\t1\t" + b"w " * 300 + b"\t1\thttp://a/\n",
        b"\tmotor\t1\tracing\t1\thttp://a/\n",
        b"v\tmotor\t1\t" + b"\x81" + b"\t1\thttp://a/\n",
        b"one column\n",
        GOOD.partition(b"\n")[2] * 6,
    ]
    log.write_bytes(b"".join(lines))
    report = learn([log], [], tmp_path / "o.parquet", words_and_pairs, str, LearnOptions(), Thresholds()).files[0]
    assert report.rejected == 5
    assert [(r.line, r.why) for r in report.first] == [
        (18, "query of more than 1000 characters"),
        (19, "query of more than 50 words"),
        (20, "no user"),
        (21, "neither utf-8 nor cp1252"),
        (22, "1 columns where the header has 6"),
    ]


def test_one_line_of_a_hundred_megabytes_is_rejected_in_little_memory(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with log.open("wb") as file:
        file.write(GOOD)
        for _ in range(100):
            file.write(b"x" * 1_000_000)
        file.write(b"\n" + GOOD.partition(b"\n")[2] * 2)
    tracemalloc.start()
    try:
        report = learn([log], [], tmp_path / "o.parquet", words_and_pairs, str, LearnOptions(), Thresholds()).files[0]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [(r.line, r.why) for r in report.first] == [(18, "line of more than 1,048,576 bytes")]
    assert report.clicks == 48
    assert peak < 60_000_000  # of which 34 million for the table of what has come lately


def test_an_omega_that_is_none_is_told(tmp_path: Path) -> None:
    path = tmp_path / "omega.parquet"
    with pytest.raises(FcaError, match="no such file"):
        load_omega(path)
    path.write_text("something else")
    with pytest.raises(FcaError, match="is not an Ω"):
        load_omega(path)


def test_nothing_is_merged_into_an_omega_whose_evidence_or_key_is_gone(
    learned: Callable[..., Omega], tmp_path: Path
) -> None:
    out = tmp_path / "omega.parquet"
    learned(SAMPLES / "own.tsv", out=out)
    (tmp_path / "omega.evidence" / "key").unlink()
    with pytest.raises(FcaError, match="key was removed"):
        learned(SAMPLES / "own.tsv", out=out)
    (tmp_path / "omega.evidence").rename(tmp_path / "elsewhere")
    with pytest.raises(FcaError, match="evidence"):
        learned(SAMPLES / "own.tsv", out=out)


def test_what_was_not_kept_cannot_be_asked_for_later(learned: Callable[..., Omega], tmp_path: Path) -> None:
    out = tmp_path / "omega.parquet"
    learned(SAMPLES / "own.tsv", out=out, keyword_users=2)
    with pytest.raises(FcaError, match="has kept only keywords of 2 users"):
        learned(SAMPLES / "own.tsv", out=out, keyword_users=1)
