"""Databases as they come: hostile names, no keys, a thousand tables, out of reach. They are only read."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.ontology.database import DatabaseError, SqlValues, connect, read_tables, sketch
from fcacrawler.ontology.export import graph_of
from fcacrawler.ontology.learned import ontology_of_rules
from fcacrawler.ontology.rdf import ontology_of, parse_graph
from fcacrawler.ontology.rules import Property, learn
from tests.ontology.databases import sqlite

HOSTILE = [
    'x"; DROP TABLE victim; --',
    "o'brien's",
    "per%cent %(name)s %s :bind ?",
    "select",
    "naïve 本 \U0001f4d6",
    "new\nline",
    "[brackets]`ticks`",
    "a" * 200,
]


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def test_hostile_names_are_names_and_nothing_else(tmp_path: Path) -> None:
    sql = "CREATE TABLE victim (id INTEGER PRIMARY KEY);"
    for k, name in enumerate(HOSTILE):
        one, two, column = quoted(name), quoted(name + "2"), quoted(name + "x")
        sql += f"""CREATE TABLE {one} ({column} TEXT PRIMARY KEY, title TEXT);
            INSERT INTO {one} VALUES ('a{k}', 'b'), ('c{k}', 'd'), ('e{k}', 'f');
            CREATE TABLE {two} ({column} TEXT PRIMARY KEY REFERENCES {one} ({column}), {one} TEXT);
            INSERT INTO {two} VALUES ('a{k}', 'c');"""
    with connect(sqlite(tmp_path, sql)) as connection:
        tables, values = read_tables(connection), SqlValues(connection)
        learned = learn(tables, values)
        ontology = ontology_of_rules(learned, tables, values, "hostile")
    assert {"victim", *HOSTILE} <= set(learned.classes)
    assert all(learned.parents[name + "2"] == (name,) for name in HOSTILE)
    again = parse_graph(graph_of(ontology).serialize(format="turtle").encode(), "turtle", "again")
    assert len(ontology_of(again, "again").classes) == len(ontology.classes)


def test_a_database_file_is_not_changed_by_a_byte(tmp_path: Path) -> None:
    url = sqlite(tmp_path)
    before = hashlib.sha256((tmp_path / "shop.db").read_bytes()).digest()
    with connect(url) as connection:
        learn(read_tables(connection), SqlValues(connection))
    assert hashlib.sha256((tmp_path / "shop.db").read_bytes()).digest() == before
    assert [p.name for p in tmp_path.iterdir()] == ["shop.db"]
    with pytest.raises(DatabaseError, match="readonly database"), connect(url) as connection:
        connection.exec_driver_sql("CREATE TABLE x (id INTEGER)")


def test_a_database_without_keys_teaches_nothing_and_says_why(tmp_path: Path) -> None:
    with connect(sqlite(tmp_path, "CREATE TABLE a (x TEXT); CREATE TABLE b (x TEXT);")) as connection:
        learned = learn(read_tables(connection), SqlValues(connection))
    assert not learned.classes
    assert [e.text for e in learned.effects] == [f"table {t} left out: it has no primary key" for t in "ab"]


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("sqlite:////nowhere/at/all.db", "no such file"),
        ("sqlite://", "no such file"),
        ("not a url", "is no database URL"),
        ("postgresql://user:secret@127.0.0.1:1/shop", "Connection refused"),
        ("nosuch://host/db", "no driver"),
        ("mysql://host/db", "no driver"),
    ],
)
def test_a_database_out_of_reach_is_one_clear_message(url: str, said: str) -> None:
    with pytest.raises(DatabaseError, match=said) as caught, connect(url):
        pass
    assert "secret" not in str(caught.value)


def test_a_file_that_is_no_database_and_one_without_tables(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("this is no database at all, whatever its name may say")
    with pytest.raises(DatabaseError, match="not a database"), connect(f"sqlite:///{tmp_path}/text.db") as connection:
        read_tables(connection)
    with pytest.raises(DatabaseError, match="no table"), connect(sqlite(tmp_path, "", "empty.db")) as connection:
        read_tables(connection)


def test_a_declared_key_whose_values_are_elsewhere_is_no_property(tmp_path: Path) -> None:
    url = sqlite(
        tmp_path,
        """CREATE TABLE a (code TEXT PRIMARY KEY); INSERT INTO a VALUES ('x'), ('y'), ('z');
        CREATE TABLE b (id INTEGER PRIMARY KEY, good TEXT REFERENCES a (code), bad TEXT REFERENCES a (code));
        INSERT INTO b VALUES (1, 'x', 'x'), (2, NULL, 'elsewhere');""",
    )
    with connect(url) as connection:
        learned = learn(read_tables(connection), SqlValues(connection))
    assert learned.properties == (Property("good", "b", "a"),)


def test_the_keys_of_an_empty_schema_are_believed(tmp_path: Path) -> None:
    url = sqlite(
        tmp_path,
        """CREATE TABLE product (id INTEGER PRIMARY KEY);
        CREATE TABLE book (id INTEGER PRIMARY KEY REFERENCES product (id));
        CREATE TABLE review (id INTEGER PRIMARY KEY, of INTEGER REFERENCES book (id));""",
    )
    with connect(url) as connection:
        learned = learn(read_tables(connection), SqlValues(connection))
    assert dict(learned.parents) == {"book": ("product",)}
    assert learned.properties == (Property("of", "review", "book"),)


def test_columns_that_cannot_be_compared_are_left_alone(tmp_path: Path) -> None:
    url = sqlite(
        tmp_path,
        """CREATE TABLE a (k BLOB PRIMARY KEY, b BOOLEAN, untyped, j JSON); CREATE TABLE c (k BLOB PRIMARY KEY);
        INSERT INTO a VALUES (x'00', 1, 'x', '{}'); INSERT INTO c VALUES (x'00');""",
    )
    with connect(url) as connection:
        learned = learn(read_tables(connection), SqlValues(connection))
    assert set(learned.classes) == {"a", "c"}


@given(st.sets(st.integers(0, 300)), st.sets(st.integers(0, 300)), st.integers(1, 20))
def test_a_sketch_never_denies_an_inclusion(some: set[int], more: set[int], most: int) -> None:
    assert sketch(some, most).may_be_in(sketch(some | more, most))
    assert sketch(some).may_be_in(sketch(more)) is (some <= more) or len(some | more) > 64


@pytest.mark.slow
def test_a_thousand_tables_are_learned_from(tmp_path: Path) -> None:
    sql = ["BEGIN;"]
    for n in range(1000):
        sql.append(f"CREATE TABLE t{n} (code TEXT PRIMARY KEY, name TEXT, size INTEGER, other TEXT);")
        rows = ", ".join(f"('{n % 500}-{k}', 'thing {n} {k}', {k}, '{(n + 1) % 500}-{k}')" for k in range(5))
        sql.append(f"INSERT INTO t{n} VALUES {rows};")
    sql.append("COMMIT;")
    told: list[tuple[str, int, int]] = []
    with connect(sqlite(tmp_path, "\n".join(sql))) as connection:
        tables = read_tables(connection)
        learned = learn(tables, SqlValues(connection), progress=lambda *step: told.append(step))
    assert len(tables) == 1000
    assert len(learned.classes) == 500  # t1 and t501 hold the same keys
    assert len(learned.properties) == 500
    assert {what for what, _, _ in told} == {"Rule 1", "Rule 2", "Rule 3"}
