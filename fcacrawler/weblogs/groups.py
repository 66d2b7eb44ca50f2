"""Interest groups: which users' clicks may be put together.

Fills ``member(user, grp)``, which wins over the group that the log gives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import duckdb


def given(db: duckdb.DuckDBPyConnection) -> None:
    """As the log says. Users of whom it does not say are one group."""
    db.execute("CREATE TABLE member (user UBIGINT, grp UBIGINT)")


def one(db: duckdb.DuckDBPyConnection) -> None:
    """All users are one group."""
    db.execute("CREATE TABLE member AS SELECT DISTINCT user, 0::UBIGINT AS grp FROM click")


GROUPS: Mapping[str, Callable[[duckdb.DuckDBPyConnection], None]] = {"given": given, "one": one}
