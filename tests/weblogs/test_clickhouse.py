"""``relations.sql`` run by ClickHouse, as SQLGlot says it there: what is learned is what DuckDB learns."""

from __future__ import annotations

import json
import random
from dataclasses import asdict
from pathlib import Path

import pytest
import sqlglot

from fcacrawler.weblogs import Thresholds
from fcacrawler.weblogs.evidence import TABLES, Evidence, workspace
from fcacrawler.weblogs.groups import given
from fcacrawler.weblogs.learn import read
from fcacrawler.weblogs.relations import CREATE, IN_PARTS, prepare, run, sections
from tests.weblogs.conftest import DEFINITION, SAMPLES, words_and_pairs
from tests.weblogs.test_parts import HEADER, LINKS, WORDS

session = pytest.importorskip("chdb.session", reason="no ClickHouse to run it: pip install chdb")

SETTINGS = {
    "join_use_nulls": 1,
    "prefer_column_name_to_alias": 1,
    "default_table_engine": "'Memory'",
    "output_format_json_quote_64bit_integers": 0,
}
LEARNED = {"omega": "kind, a, b, users, pages, clicks, lift, confidence", "pair": "a, b, users, there, back"}


@pytest.mark.parametrize("parts", [1, 3])
def test_clickhouse_learns_the_same(tmp_path: Path, parts: int) -> None:
    """Walks, an access log's sessions, links, bounds that cut; whole and in parts."""
    dice = random.Random(5)
    log = tmp_path / "log.tsv"
    log.write_text(
        "\n".join(
            [HEADER]
            + [
                f"u{(user := dice.randrange(10))}\tg{user % 3}\t{1000 + 400 * dice.randrange(40)}\t{dice.choice(WORDS)}"
                f"\t{dice.randrange(3)}\thttp://p/{dice.randrange(6)}"
                for _ in range(150)
            ]
        )
    )
    limits = {**DEFINITION, "click_users": 1, "keywords_per_page": 3, "keywords_per_link": 2, "links_per_page": 2}
    thresholds = Thresholds(**limits)  # type: ignore[arg-type]
    there = session.Session(str(tmp_path / "clickhouse"))
    there.query("CREATE DATABASE learn ENGINE = Atomic")
    there.query("USE learn")
    for name, value in SETTINGS.items():
        there.query(f"SET {name} = {value}")
    with workspace("500MB", 2, tmp_path) as (db, _):
        evidence = Evidence(db, words_and_pairs, str, b"k" * 32, parts)
        for file in (log, SAMPLES / "access.log"):
            read(file, evidence, "", 0.05, lambda message: None)
        evidence.link(LINKS)
        evidence.flush()
        given(db)
        for name in (*TABLES, "member"):
            db.execute(f"COPY {name} TO '{tmp_path / name}.parquet' (FORMAT parquet)")
            there.query(f"CREATE TABLE {name} AS SELECT * FROM file('{tmp_path / name}.parquet')")
        prepare(db, thresholds)
        for _ in run(db, "queries", "omega", parts):
            pass
        for statement in said(thresholds, parts):
            there.query(statement)
        for name, columns in LEARNED.items():
            ours = sorted(db.execute(f"SELECT {columns} FROM {name}").fetchall())
            lines = there.query(f"SELECT {columns} FROM {name}", "JSONCompactEachRow").data().splitlines()
            assert sorted(tuple(json.loads(line)) for line in lines) == ours
            assert len(ours) > 9
    there.close()


def said(thresholds: Thresholds, parts: int) -> list[str]:
    """All statements as ``relations.run`` runs them, in ClickHouse's words, with thresholds and parts as numbers."""
    found = []
    for heading, statements in sections().items():
        rounds = parts if heading.endswith(IN_PARTS) else 1
        for part in range(rounds):
            numbers = asdict(thresholds) | {"parts": parts, "part": part}
            numbers["count_to"] = max(thresholds.count_to, thresholds.users)
            for statement in statements:
                text = CREATE.sub(r"INSERT INTO \1", statement) if part else statement
                for name, number in numbers.items():
                    text = text.replace(f"getvariable('{name}')", str(number))
                found += sqlglot.transpile(text, read="duckdb", write="clickhouse", comments=False)
    return found
