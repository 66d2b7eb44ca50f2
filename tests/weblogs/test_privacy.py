"""Nothing that is stored says who clicked, or what only a few have asked for."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import duckdb

from fcacrawler.values.omega import Omega


def everything(folder: Path) -> str:
    """All values of all Parquet files in a folder, as text."""
    return "\n".join(
        str(row)
        for path in sorted(folder.rglob("*.parquet"))
        for row in duckdb.connect().execute("FROM read_parquet(?)", [str(path)]).fetchall()
    )


def test_users_and_rare_queries_and_pages_are_not_stored(learned: Callable[..., Omega], tmp_path: Path) -> None:
    log = tmp_path / "log.tsv"
    shared = [f"user{i}\tcommon words\thttp://everyone.example/" for i in range(3)]
    alone = ["user1\tmy illness\thttp://clinic.example/me", "user2\tmy illness\thttp://clinic.example/me"]
    log.write_text("\n".join(["user\tquery\turl", *shared, *alone]) + "\n")
    learned(log, out=tmp_path / "omega.parquet", keyword_users=3)
    stored = everything(tmp_path)
    assert "common words" in stored
    assert "http://everyone.example/" in stored
    for secret in ("user1", "illness", "clinic"):
        assert secret not in stored


def test_the_key_is_its_owners_alone_and_no_temporary_file_is_left(
    learned: Callable[..., Omega], tmp_path: Path
) -> None:
    log = tmp_path / "log.tsv"
    log.write_text("user\tquery\turl\nu\tq\thttp://a/\n")
    learned(log, out=tmp_path / "omega.parquet")
    evidence = tmp_path / "omega.evidence"
    assert stat.S_IMODE(evidence.stat().st_mode) == 0o700
    assert stat.S_IMODE((evidence / "key").stat().st_mode) == 0o600
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "log.tsv",
        "omega.clicks.parquet",
        "omega.evidence",
        "omega.parquet",
    ]
