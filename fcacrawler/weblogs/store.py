"""Ω on disk: ``NAME.parquet`` is what was learned, to be used and shared; ``NAME.clicks.parquet`` beside it, the pairs
of pages that users clicked in one walk; ``NAME.evidence/`` is what merging needs.

The evidence is one Parquet file a table, under pseudonyms, and the key that makes them. Without the key no more logs
can be merged, and nobody can tell whose clicks they are.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fcacrawler.values.clicks import NO_CLICKS, Clicks
from fcacrawler.values.errors import FcaError
from fcacrawler.values.omega import Omega, Support
from fcacrawler.weblogs.evidence import CUT, TABLES
from fcacrawler.weblogs.relations import Thresholds

if TYPE_CHECKING:
    import duckdb

KEY = "key"
KEPT = "kept.json"

KEEP = {
    "queries": {"raw_term": "FROM term_here ORDER BY query"},
    "clicks": {"raw_event": "FROM event ORDER BY page, query, user"},
    "keywords": {"raw_keyword_name": "SELECT hash, text FROM submitted ORDER BY text"},
    "links": {
        "raw_page_name": """
            SELECT DISTINCT hash, text FROM raw_page_name JOIN clicked_page ON page = hash
            WHERE users >= least(getvariable('keyword_users'), getvariable('click_users')) ORDER BY text""",
        "raw_link": "FROM link ORDER BY source",
    },
}
"""Section of relations.sql → what is kept of each table, part by part: names only of what enough users have submitted
or clicked."""

COLUMNS = "kind, a, b, users, pages, clicks, lift, confidence"
PAIR = "a, b, users, there, back"
SUPPORTS = ("keyword_users", "click_users")


def evidence_of(out: Path) -> Path:
    return out.with_suffix(".evidence")


def pairs_of(out: Path) -> Path:
    """Where the clicks beside an Ω are."""
    return out.with_suffix(".clicks.parquet")


def key_of(out: Path) -> bytes:
    """The key of an Ω's pseudonyms; a new one if nothing has been learned into ``out``."""
    evidence = evidence_of(out)
    if out.is_dir():
        raise FcaError(f"{out} is a folder; give --out a file")
    if not evidence.exists() and _stale(evidence).exists():  # a kill between the two renames in ``save``
        _stale(evidence).rename(evidence)
    if not evidence.exists():
        if out.exists():
            raise FcaError(
                f"{out} is there but its evidence {evidence} is not, so nothing can be merged into it; "
                "give another --out, or remove it to learn anew"
            )
        return secrets.token_bytes(32)
    if not (evidence / KEY).exists():
        raise FcaError(f"{evidence}: its key was removed, so nothing can be merged into it; give another --out")
    return (evidence / KEY).read_bytes()


def load_evidence(db: duckdb.DuckDBPyConnection, out: Path, thresholds: Thresholds, parts: int) -> bool:
    """Put what was learned from before into the ``raw_…`` tables; False if there is nothing."""
    evidence = evidence_of(out)
    if not evidence.exists():
        return False
    kept = json.loads((evidence / KEPT).read_text())
    for what, least, before in (
        ("keywords", thresholds.keyword_users, kept["keyword_users"]),
        ("pages", thresholds.click_users, kept.get("click_users", kept["keyword_users"])),
    ):
        if least < before:
            raise FcaError(
                f"{evidence} has kept only {what} of {before} users or more; for {least} learn from all logs anew, "
                "into another --out"
            )
    for name in TABLES:
        part, by_part = (f", {CUT[name]} % {parts} AS part", "ORDER BY part") if name in CUT else ("", "")
        for path in sorted(evidence.glob(f"{name}*.parquet")):
            db.execute(f"INSERT INTO {name} BY NAME SELECT *{part} FROM read_parquet({quoted(path)}) {by_part}")
    return True


def events_kept(out: Path) -> int:
    """How many click events were learned into ``out`` before."""
    import duckdb

    if not (files := list(map(str, evidence_of(out).glob("raw_event*.parquet")))):
        return 0
    try:
        ((rows,),) = duckdb.execute("SELECT sum(num_rows)::BIGINT FROM parquet_file_metadata(?)", [files]).fetchall()
    except duckdb.Error:  # told where they are read
        return 0
    return int(rows)


class Keeping:
    """The evidence to be, written as soon as it is whole."""

    def __init__(self, db: duckdb.DuckDBPyConnection, folder: Path) -> None:
        self._db = db
        self.folder = folder / "evidence"
        self.folder.mkdir(mode=0o700)

    def keep(self, section: str, part: int) -> None:
        """What a part of a section of relations.sql leaves."""
        for name, rows in KEEP.get(section, {}).items():
            _write(self._db, rows, self.folder / f"{name}-{part}.parquet")


def save(db: duckdb.DuckDBPyConnection, out: Path, fresh: Path, key: bytes, thresholds: Thresholds) -> None:
    """Write Ω and pairs of pages and put the fresh evidence beside them; whatever happens, the old or the new ones are
    there, whole."""
    evidence, stale = evidence_of(out), _stale(evidence_of(out))
    shutil.rmtree(stale, ignore_errors=True)
    (fresh / KEPT).write_text(json.dumps({name: getattr(thresholds, name) for name in SUPPORTS}))
    (fresh / KEY).touch(mode=0o600)
    (fresh / KEY).write_bytes(key)
    omega, pairs = fresh.with_name("omega"), fresh.with_name("pairs")
    _write(db, f"SELECT {COLUMNS} FROM omega ORDER BY kind, a, b", omega)
    _write(db, f"SELECT {PAIR} FROM pair ORDER BY a, b", pairs)
    if evidence.exists():
        evidence.rename(stale)
    fresh.rename(evidence)
    os.replace(pairs, pairs_of(out))
    os.replace(omega, out)
    shutil.rmtree(stale, ignore_errors=True)


def _stale(evidence: Path) -> Path:
    return evidence.with_suffix(".evidence-old")


def _write(db: duckdb.DuckDBPyConnection, rows: str, path: Path) -> None:
    db.execute(f"COPY ({rows}) TO {quoted(path)} (FORMAT parquet, COMPRESSION zstd)")


def quoted(path: Path) -> str:
    """The path as an SQL literal."""
    return "'" + str(path).replace("'", "''") + "'"


def rows_of(path: Path, query: str, **given: str | int) -> list[tuple[Any, ...]]:
    """What a query finds in the table ``omega`` that ``scrapy learn`` wrote; what is large there stays on disk."""
    import duckdb

    if not path.exists():
        raise FcaError(f"{path}: there is no such file; `scrapy learn LOG --out {path}` makes one")
    if not path.is_file():
        raise FcaError(f"{path}: is no file; an Ω is what `scrapy learn LOG --out omega.parquet` writes")
    try:
        with duckdb.connect() as db:
            db.execute(f"CREATE VIEW omega AS SELECT {COLUMNS} FROM read_parquet({quoted(path)})")
            return db.execute(query, given).fetchall()
    except duckdb.Error as e:
        raise FcaError(f"{path}: is not an Ω that `scrapy learn` wrote ({str(e).splitlines()[0]})") from e


def load_omega(path: Path) -> Omega:
    """The Ω that ``scrapy learn`` wrote."""
    relations: dict[str, dict[tuple[str, str], Support]] = {"isa": {}, "part_of": {}}
    clicks = {}
    for kind, a, b, users, pages, count, lift, confidence in rows_of(path, "FROM omega"):
        if kind == "keyword":
            clicks[a] = count
        else:
            relations[kind][a, b] = Support(users, pages, count, lift, confidence)
    return Omega(clicks, relations["isa"], relations["part_of"])


def load_clicks(path: Path) -> Clicks:
    """The clicks that ``scrapy learn`` wrote beside an Ω; none if they are not there."""
    import duckdb

    pairs = pairs_of(path)
    if not pairs.exists():
        return NO_CLICKS
    try:
        with duckdb.connect() as db:
            rows = db.execute(f"SELECT {PAIR} FROM read_parquet(?)", [str(pairs)]).fetchnumpy()
    except duckdb.Error as e:
        raise FcaError(f"{pairs}: holds no clicks that `scrapy learn` wrote ({str(e).splitlines()[0]})") from e
    counts = np.column_stack([rows["users"], rows["there"], rows["back"]])
    return Clicks.of(rows["a"].tolist(), rows["b"].tolist(), counts)
