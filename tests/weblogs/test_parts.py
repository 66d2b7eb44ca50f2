"""Learning in parts: what is learned is what the whole says, number for number; and SQL that other engines can read."""

from __future__ import annotations

import random
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import pytest
import sqlglot
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from sqlglot import ErrorLevel, exp

from fcacrawler.weblogs import LearnOptions, Thresholds, learn, pairs_of
from fcacrawler.weblogs.evidence import TABLES
from fcacrawler.weblogs.groups import GROUPS
from fcacrawler.weblogs.relations import sections
from tests.weblogs.conftest import DEFINITION, SAMPLES, words_and_pairs

HEADER = "user\tgroup\ttime\tquery\tstep\turl"
LINKS = [(f"http://p/{a}", f"http://p/{b}") for a in range(6) for b in range(6) if a % 3 == b % 4]
WORDS = ["auto", "racing", "motor", "sport", "auto racing", "motor sport", "pit stop auto"]


def rows(out: Path) -> list[list[tuple[object, ...]]]:
    """All that was learned: the rows of Ω, and the pairs of pages."""
    with duckdb.connect() as db:
        return [
            db.execute("FROM read_parquet(?) ORDER BY ALL", [str(path)]).fetchall() for path in (out, pairs_of(out))
        ]


@settings(max_examples=4, deadline=None, phases=[Phase.generate])  # to shrink takes minutes and shows no more
@given(
    st.randoms(use_true_random=True),
    st.integers(2, 9),
    st.integers(1, 3),
    st.sampled_from(sorted(GROUPS)),
    st.integers(1, 2),
    st.integers(1, 64),
)
def test_parts_say_what_the_whole_says(
    dice: random.Random, parts: int, others: int, groups: str, least: int, count_to: int
) -> None:
    """Walks that a gap ends, an access log's sessions, groups, links; and merged in other parts. Each learning draws a
    key of its own, so the cuts lie elsewhere each time.
    """
    log = [
        f"u{(user := dice.randrange(10))}\tg{user % 3}\t{1000 + 400 * dice.randrange(40)}\t{dice.choice(WORDS)}"
        f"\t{dice.randrange(3)}\thttp://p/{dice.randrange(6)}"
        for _ in range(150)
    ]
    limits = {**DEFINITION, "keyword_users": least, "users": least, "click_users": least, "count_to": count_to}
    thresholds = Thresholds(**limits, keywords_per_page=3, keywords_per_link=2, links_per_page=2)  # type: ignore[arg-type]
    with TemporaryDirectory() as folder:
        files = [Path(folder) / f"{i}.tsv" for i in range(2)]
        for i, file in enumerate(files):
            file.write_text("\n".join([HEADER, *log[i::2]]) + "\n")

        def learned(name: str, logs: list[Path], parts: int) -> list[list[tuple[object, ...]]]:
            options = LearnOptions(groups=groups, memory="500MB", parts=parts)
            learn(logs, LINKS, Path(folder) / name, words_and_pairs, str, options, thresholds)
            return rows(Path(folder) / name)

        whole = learned("whole.parquet", [*files, SAMPLES / "access.log"], 1)
        assert {"isa", "keyword"} <= {str(row[0]) for row in whole[0]}
        assert whole[1]
        assert learned("parts.parquet", [*files, SAMPLES / "access.log"], parts) == whole
        learned("merged.parquet", [files[1], SAMPLES / "access.log"], parts)
        assert learned("merged.parquet", files[:1], others) == whole


def test_each_part_is_told_of_and_one_part_is_not() -> None:
    told: list[str] = []
    with TemporaryDirectory() as folder:
        for parts in (1, 2):
            options, out = LearnOptions(parts=parts), Path(folder) / f"{parts}.parquet"
            learn([SAMPLES / "access.log"], [], out, words_and_pairs, str, options, Thresholds(), progress=told.append)
    assert told[: len(told) // 2].count("clicks") == 1
    assert [line for line in told if "clicks, part" in line] == ["clicks, part 1 of 2", "clicks, part 2 of 2"]
    assert told[-2:] == ["omega", "writing"]


def test_evidence_in_one_file_a_table_is_merged_too(tmp_path: Path) -> None:
    """As it was written before decision 441."""
    both, merged = tmp_path / "both.parquet", tmp_path / "merged.parquet"
    logs = [SAMPLES / "table3.tsv", SAMPLES / "own.tsv"]

    def learned(logs: list[Path], out: Path) -> list[list[tuple[object, ...]]]:
        options, thresholds = LearnOptions(parts=2), Thresholds(**DEFINITION)  # type: ignore[arg-type]
        learn(logs, LINKS, out, words_and_pairs, str, options, thresholds)
        return rows(out)

    learned(logs[:1], merged)
    evidence = tmp_path / "merged.evidence"
    for name in TABLES:
        parts = sorted(map(str, evidence.glob(f"{name}-*.parquet")))
        with duckdb.connect() as db:
            db.execute(f"COPY (FROM read_parquet({parts})) TO '{evidence / name}.parquet' (FORMAT parquet)")
        for part in parts:
            Path(part).unlink()
    assert learned(logs[1:], merged) == learned(logs, both)


NOT_THERE = {  # what engines lack, however it is written there
    "spark": ("QUALIFY",),
    "trino": ("QUALIFY", " SEMI ", " ANTI ", "GROUP BY ALL", "EXPLODE"),
    "clickhouse": ("GENERATE_SERIES", "UNNEST", "GROUP BY ALL", "<<", ">>"),
}


@pytest.mark.parametrize("engine", NOT_THERE)
def test_every_statement_can_be_said_to_other_engines(engine: str) -> None:
    """As far as SQLGlot knows them; test_clickhouse.py runs them there. Thresholds and parts are given as numbers."""
    statements = [statement for section in sections().values() for statement in section]
    assert len(statements) > 20
    for statement in statements:
        numbers = re.sub(r"getvariable\('\w+'\)", "7", statement)
        (said,) = sqlglot.transpile(
            numbers, read="duckdb", write=engine, unsupported_level=ErrorLevel.RAISE, comments=False
        )
        read = sqlglot.parse_one(said, read=engine, error_level=ErrorLevel.RAISE)
        assert isinstance(read, exp.Create), said
        assert not [f.name for f in read.find_all(exp.Anonymous)], said
        assert not [word for word in NOT_THERE[engine] if word in said.upper()], said
