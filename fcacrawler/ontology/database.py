"""A real database, read and never written, through SQLAlchemy: its tables and answers about their values."""

from __future__ import annotations

import sqlite3
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, String, cast, create_engine, except_, func, inspect, select, types
from sqlalchemy import column as sql_column
from sqlalchemy import table as sql_table
from sqlalchemy.engine import URL, Engine, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.sql import ColumnElement, quoted_name

from fcacrawler.ontology.relational import Column, Columns, ForeignKey, Table
from fcacrawler.values.errors import FcaError

FAMILIES: tuple[tuple[type[types.TypeEngine[Any]], str], ...] = (
    (types.Boolean, ""),
    (types.Integer, "integer"),
    (types.Uuid, "text"),
    (types.String, "text"),
    (types.Numeric, "number"),
    (types.Date, "date"),
    (types.DateTime, "date"),
)
NAMING = ("name", "title", "label", "term", "bezeichnung", "titel")
LONGEST_NAME = 60


class DatabaseError(FcaError):
    """A database that cannot be reached or read."""


@contextmanager
def connect(address: str) -> Iterator[Connection]:
    """A connection that cannot write: SQLite's file is opened read-only, PostgreSQL's transaction is."""
    url = _url(address)
    shown = url.render_as_string(hide_password=True)
    try:
        engine = _engine(url)
    except (ImportError, NoSuchModuleError) as error:
        remedy = "pip install 'psycopg[binary]'" if "postgres" in url.drivername else "install its SQLAlchemy driver"
        raise DatabaseError(f"no driver for database {shown}: {error}; {remedy}") from error
    try:
        with engine.connect() as connection:
            yield connection.execution_options(postgresql_readonly=True)
    except SQLAlchemyError as error:
        said = " ".join(str(error.__cause__ or error).split())[:300]
        raise DatabaseError(f"database {shown} cannot be read: {said}") from error
    finally:
        engine.dispose()


def _url(address: str) -> URL:
    try:
        return make_url(address)
    except ArgumentError as error:
        form = "as in sqlite:///shop.db or postgresql+psycopg://user@host/shop"
        raise DatabaseError(f"{address!r} is no database URL; write one {form}") from error


def _engine(url: URL) -> Engine:
    if url.get_backend_name() == "sqlite":
        if not url.database or not Path(url.database).is_file():
            raise DatabaseError(f"database {url.render_as_string()} cannot be read: there is no such file")
        file = f"{Path(url.database).resolve().as_uri()}?mode=ro"
        return create_engine("sqlite://", creator=lambda: sqlite3.connect(file, uri=True))
    if url.get_backend_name() == "postgresql":
        if url.drivername == "postgresql":
            url = url.set(drivername="postgresql+psycopg")
        return create_engine(url, connect_args={"connect_timeout": 10})
    return create_engine(url)


def read_tables(connection: Connection, schema: str | None = None) -> tuple[Table, ...]:
    """All tables with their keys, by name."""
    look = inspect(connection)
    columns, keys = look.get_multi_columns(schema), look.get_multi_pk_constraint(schema)
    foreign, unique = look.get_multi_foreign_keys(schema), look.get_multi_unique_constraints(schema)
    indexes = look.get_multi_indexes(schema)
    if not columns:
        raise DatabaseError(f"the database holds no table{f' in schema {schema!r}' if schema else ''}")
    tables = []
    for place in columns:
        alone: list[list[str | None]] = [list(u["column_names"]) for u in unique.get(place) or ()]
        alone += [list(i["column_names"]) for i in indexes.get(place) or () if i["unique"]]
        key = keys.get(place)
        tables.append(
            Table(
                place[1],
                tuple(Column(c["name"], family(c["type"]), [c["name"]] in alone) for c in columns[place]),
                tuple(key["constrained_columns"] if key else ()),
                tuple(
                    ForeignKey(tuple(f["constrained_columns"]), f["referred_table"], tuple(f["referred_columns"]))
                    for f in foreign.get(place) or ()
                    if f["referred_schema"] in (None, schema)
                ),
            )
        )
    return tuple(sorted(tables, key=lambda t: t.name))


def family(kind: types.TypeEngine[Any]) -> str:
    """What kind of values a column type holds.

    >>> family(types.BigInteger()), family(types.Text()), family(types.Boolean()), family(types.LargeBinary())
    ('integer', 'text', '', '')
    """
    return next((name for each, name in FAMILIES if isinstance(kind, each)), "")


@dataclass(frozen=True, slots=True)
class Sketch:
    """A few of a column's values, chosen so that two columns choose alike: those whose hash is a multiple of rate."""

    rate: int
    hashes: frozenset[int]

    def may_be_in(self, other: Sketch) -> bool:
        """False if a value here is surely not there."""
        if self.rate >= other.rate:
            return self.hashes <= other.hashes
        return all(h in other.hashes for h in self.hashes if h % other.rate == 0)


def sketch(values: Iterable[Hashable], most: int = 64) -> Sketch:
    """The sketch of some values: all of them where they are few.

    >>> few, many = sketch([3, 5]), sketch(range(1000))
    >>> few.may_be_in(many), sketch([3, 1024]).may_be_in(many), len(many.hashes) <= 64
    (True, False, True)
    """
    rate, hashes = 1, set[int]()
    for value in values:
        h = hash(value)
        if h % rate == 0:
            hashes.add(h)
            while len(hashes) > most:
                rate *= 2
                hashes = {h for h in hashes if h % rate == 0}
    return Sketch(rate, frozenset(hashes))


class SqlValues:
    """Answers by SELECT. Names go into SQL as quoted identifiers only; counts and sketches are remembered.

    Whether one column's values are among another's is asked of the database only where the sketches allow it: of a
    thousand tables nearly every pair is told apart in memory.
    """

    def __init__(self, connection: Connection, schema: str | None = None) -> None:
        self._connection = connection
        self._schema = schema
        self._counts: dict[tuple[str, Columns], int] = {}
        self._sketches: dict[tuple[str, Columns], Sketch] = {}

    def distinct(self, table: Table, columns: Columns) -> int:
        known = self._counts.get((table.name, columns))
        if known is None:
            rows = self._rows(table, columns).distinct().subquery()
            known = int(self._connection.scalar(select(func.count()).select_from(rows)) or 0)
            self._counts[table.name, columns] = known
        return known

    def included(self, table: Table, columns: Columns, other: Table, others: Columns) -> bool:
        if self.distinct(table, columns) > self.distinct(other, others):
            return False
        if not self._sketch(table, columns).may_be_in(self._sketch(other, others)):
            return False
        outside = except_(self._rows(table, columns), self._rows(other, others)).limit(1)
        return self._connection.execute(outside).first() is None

    def names(self, table: Table, limit: int) -> Sequence[str]:
        for name in NAMING:
            column = next((c for c in table.columns if c.name.lower() == name and c.family == "text"), None)
            if column and self.distinct(table, (column.name,)) <= limit:
                found = self._connection.scalars(self._rows(table, (column.name,)).distinct())
                return sorted(n for n in map(str, found) if 0 < len(n) <= LONGEST_NAME)
        return ()

    def _sketch(self, table: Table, columns: Columns) -> Sketch:
        known = self._sketches.get((table.name, columns))
        if known is None:
            rows = self._connection.execute(self._rows(table, columns), execution_options={"yield_per": 5000})
            known = self._sketches[table.name, columns] = sketch(tuple(row) for row in rows)
        return known

    def _rows(self, table: Table, columns: Columns) -> Any:
        chosen = self._columns(table, columns)
        return select(*chosen).where(*(c.is_not(None) for c in chosen))

    def _columns(self, table: Table, names: Columns) -> list[ColumnElement[Any]]:
        """Columns under their quoted names; what is text is compared as text (enumerations, UUIDs)."""
        source = sql_table(
            quoted_name(table.name, True), *(sql_column(quoted_name(n, True)) for n in names), schema=self._schema
        )
        kinds = zip(names, table.family(names), strict=True)
        return [cast(source.c[n], String) if kind == "text" else source.c[n] for n, kind in kinds]
