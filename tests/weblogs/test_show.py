"""What an Ω says, read from its file."""

from __future__ import annotations

from math import e
from pathlib import Path

import duckdb
import pytest

from fcacrawler.values.errors import FcaError
from fcacrawler.values.omega import Support
from fcacrawler.weblogs import clicks_of, neighbourhood, strongest
from fcacrawler.weblogs.store import COLUMNS

ROWS = [
    ("keyword", "auto", "", 9, 0, 40, 1.0, 1.0),
    ("keyword", "racing", "", 9, 0, 60, 1.0, 1.0),
    ("isa", "auto", "car", 3, 2, 5, e, 0.5),  # ln 4 · 1 = 1.386
    ("isa", "auto", "motor", 1, 2, 5, e**2, 0.5),  # ln 2 · 2 = 1.386
    ("isa", "auto", "wheel", 9, 2, 5, 1.0, 0.5),  # ln 10 · 0 = 0
    ("isa", "car", "coach", 2, 2, 5, e**2, 0.5),  # ln 3 · 2 = 2.197
    ("isa", "pit", "stop", 9, 2, 5, 0.0, 0.5),  # no lift: 0
    ("part_of", "auto", "racing", 3, 2, 5, e, 0.5),
    ("part_of", "sport", "auto", 3, 2, 5, 1.0, 0.5),
]


@pytest.fixture
def omega(tmp_path: Path) -> Path:
    out = tmp_path / "omega.parquet"
    with duckdb.connect() as db:
        db.execute(
            "CREATE TABLE omega (kind VARCHAR, a VARCHAR, b VARCHAR, users BIGINT, pages BIGINT, clicks BIGINT,"
            " lift DOUBLE, confidence DOUBLE)"
        )
        db.executemany("INSERT INTO omega VALUES (?, ?, ?, ?, ?, ?, ?, ?)", ROWS)
        db.execute(f"COPY (SELECT {COLUMNS} FROM omega) TO '{out}' (FORMAT parquet)")
    return out


def test_relations_come_by_users_and_lift_and_then_by_name(omega: Path) -> None:
    found = strongest(omega, "isa", 4)
    assert [pair for pair, _ in found] == [("car", "coach"), ("auto", "car"), ("auto", "motor"), ("auto", "wheel")]
    assert found[0][1] == Support(2, 2, 5, e**2, 0.5)
    assert strongest(omega, "isa", 0) == strongest(omega, "isa", -1) == []


def test_a_keyword_is_told_with_its_clicks_and_what_stands_on_either_side(omega: Path) -> None:
    assert clicks_of(omega, "racing") == (60, 100)
    assert clicks_of(omega, "car's") == (0, 100)
    assert [(n.relation, n.keyword) for n in neighbourhood(omega, "auto", 2)] == [
        ("is a", "car"),
        ("is a", "motor"),
        ("part", "racing"),
        ("whole", "sport"),
    ]


def test_what_is_no_omega_is_told(tmp_path: Path) -> None:
    with pytest.raises(FcaError, match="there is no such file"):
        clicks_of(tmp_path / "none.parquet", "auto")
