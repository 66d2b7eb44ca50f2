"""Items as typed Parquet: DuckDB reads their lines and writes the columns, some thousands at a time."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import fields
from itertools import islice
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory
from types import MappingProxyType
from typing import Any

from fcacrawler.formats.card import Card
from fcacrawler.items import PageItem
from fcacrawler.values.errors import BadOutput
from fcacrawler.values.extras import extras

TYPES = MappingProxyType(
    {
        **dict.fromkeys(
            "url final_url title language parent anchor topic text content_hash duplicate_of mark kind description "
            "author published modified site licence canonical".split(),
            "VARCHAR",
        ),
        **dict.fromkeys(("status", "depth", "out_links", "changed_after"), "INTEGER"),
        **dict.fromkeys(("semrank", "rank_before_fetch", "semrank_before", "language_certainty"), "DOUBLE"),
        **dict.fromkeys(("relevant", "relevant_before", "changed", "text_cut"), "BOOLEAN"),
        **dict.fromkeys(("fetched_at", "gone"), "TIMESTAMPTZ"),
        **dict.fromkeys(("path", "quality_flags"), "VARCHAR[]"),
        **dict.fromkeys(("keywords", "quality"), "MAP(VARCHAR, DOUBLE)"),
        "signals": "MAP(VARCHAR, VARCHAR)",
        "record": 'STRUCT(file VARCHAR, "offset" BIGINT, length BIGINT, url VARCHAR)',
    }
)  # field → type of its column; all others, explanation and product too, are JSON as text
_FIELDS = tuple(f.name for f in fields(PageItem))  # which every table has; others where an item has them
_LARGEST = 64 << 20  # bytes of a line
_ROWS = 2048  # of a row group: some tens of MB


def write(items: Iterable[str], place: Path, card: Card) -> int:
    """One file."""
    with TemporaryDirectory(prefix="fca-parquet-") as folder:
        parts, count = [], 0
        for part, size in _parts(items, Path(folder), card):
            parts.append(str(part))
            count += size
        _join(parts, place, card)
    return count


def write_parts(items: Iterable[str], place: Path, card: Card) -> int:
    """A folder of files, each of ``card.part`` items."""
    return sum(size for _, size in _parts(items, place, card))


def _parts(items: Iterable[str], folder: Path, card: Card) -> Iterator[tuple[Path, int]]:
    plain = _plain(items, card)
    for number, lines in enumerate(iter(lambda: list(islice(plain, card.part)), [])):
        part = folder / f"part-{number:05}.parquet"
        names = card.fields or tuple(dict.fromkeys((*_FIELDS, *(name for item in lines for name in item))))
        with NamedTemporaryFile("w", encoding="utf-8", errors="replace", suffix=".jsonl") as file:
            for item in lines:
                file.write(json.dumps(item, ensure_ascii=False) + "\n")
            file.flush()
            _copy(f"read_json({_quoted(file.name)}, {_columns(names)})", part)
        yield part, len(lines)


def _plain(items: Iterable[str], card: Card) -> Iterator[dict[str, Any]]:
    """Items that any reader of JSON takes: numbers that are none left out, what has no type of its own as text."""
    for item in card.noting(map(json.loads, items)):
        for name, value in item.items():
            if name not in TYPES and value is not None:
                item[name] = json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value)
        yield _finite(item)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(one) for name, one in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _columns(names: Iterable[str]) -> str:
    told = ", ".join(f"{_quoted(name)}: {_quoted(TYPES.get(name, 'VARCHAR'))}" for name in names)
    return f"columns = {{{told}}}, format = 'newline_delimited', maximum_object_size = {_LARGEST}"


def _join(parts: list[str], place: Path, card: Card) -> None:
    if parts:
        _copy(f"read_parquet([{', '.join(map(_quoted, parts))}], union_by_name = true)", place)
    else:  # a table all the same, with no row
        with NamedTemporaryFile("w", suffix=".jsonl") as file:
            _copy(f"read_json({_quoted(file.name)}, {_columns(card.fields or _FIELDS)})", place)


def _copy(source: str, place: Path) -> None:
    with extras():
        import duckdb

    settings: Any = {"threads": 1, "memory_limit": "1GB", "autoinstall_known_extensions": False}
    try:
        with duckdb.connect(config=settings) as db:
            db.execute("SET preserve_insertion_order = true")
            db.execute("SET TimeZone = 'UTC'")
            db.execute(
                f"COPY (SELECT * FROM {source}) TO {_quoted(str(place))} "
                f"(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {_ROWS})"
            )
    except duckdb.Error as error:
        raise BadOutput(f"{place}: Parquet cannot be written: {str(error).splitlines()[0]}") from None


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
