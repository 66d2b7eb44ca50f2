"""A relational database as the rules see it: tables with their keys, and questions about the values they hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

Columns = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column whose values can be compared with another's of the same family."""

    name: str
    family: str  # integer, text, number, date; "" for what is not compared (pictures, documents, flags)
    unique: bool = False  # declared so: each value names one row


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """A declared reference."""

    columns: Columns
    table: str
    to: Columns


@dataclass(frozen=True)
class Table:
    """R with pkey(R) and fkey(R)."""

    name: str
    columns: tuple[Column, ...]
    key: Columns = ()
    foreign: tuple[ForeignKey, ...] = ()

    @cached_property
    def foreign_columns(self) -> frozenset[str]:
        return frozenset(c for f in self.foreign for c in f.columns)

    @cached_property
    def kinds(self) -> Mapping[str, str]:
        """Column → family."""
        return {c.name: c.family for c in self.columns}

    def family(self, columns: Columns) -> Columns:
        """What kinds of values the columns hold."""
        return tuple([self.kinds[c] for c in columns])


class Values(Protocol):
    """What the rules ask about the data. Missing values (NULL) are no values."""

    def distinct(self, table: Table, columns: Columns) -> int:
        """|R(A)|: how many different values the columns hold together."""
        ...

    def included(self, table: Table, columns: Columns, other: Table, others: Columns) -> bool:
        """R(A) ⊆ R'(A')."""
        ...

    def names(self, table: Table, limit: int) -> Sequence[str]:
        """What the rows are called, where a column tells and there are at most ``limit`` of them; else none."""
        ...
