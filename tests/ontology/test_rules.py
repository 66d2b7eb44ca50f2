"""Rules 1 to 3 on the sample shop: what is expected, as tables; from SQLite and from PostgreSQL."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from fcacrawler.ontology.database import SqlValues, connect, read_tables
from fcacrawler.ontology.export import graph_of
from fcacrawler.ontology.learned import ontology_of_rules
from fcacrawler.ontology.rdf import ontology_of, parse_graph
from fcacrawler.ontology.rules import Learned, Property, learn
from fcacrawler.ontology.topics import topic_classes
from fcacrawler.ontology.validate import findings
from fcacrawler.ontology.words import Reader
from fcacrawler.page import terms
from tests.ontology.databases import SHOP, sqlite, start_postgres

CLASSES = {
    "author": ("author", "writer"),  # equal numbers under a name that tells
    "book": ("book", "stock"),  # equal ISBNs
    **{
        name: (name,)
        for name in (
            "business_customer",
            "category",
            "colour",
            "country",
            "customer",
            "e_book",
            "edition",  # key of two columns, one of its own
            "event",
            "format",
            "order",
            "order line",
            "product",
            "publisher",
            "reading_sample",
            "review",
            "shelf",
            "sticker",
            "voucher",
            "wrapping",
        )
    },
}
NO_CLASSES = {"book_author", "import_log"}  # relates two others; has no key
PROPERTIES = {
    Property("publisher", "book", "publisher"),  # declared
    Property("format_id", "book", "format"),  # declared numbers
    Property("customer_no", "order", "customer"),
    Property("parent", "category", "category"),  # to itself, declared
    Property("country", "customer", "country"),  # not declared, by values
    Property("what's bought", "order line", "product"),
    Property("of_book", "reading_sample", "e_book"),  # the narrowest of e_book, book, product
    Property("is-part-of", "edition", "book", "has-part"),
    Property("has-part", "book", "edition", "is-part-of"),
    Property("is-part-of", "order line", "order", "has-part"),
    Property("has-part", "order", "order line", "is-part-of"),
}
PARENTS = {"book": ("product",), "e_book": ("book",), "business_customer": ("customer",)}


def learned_from(url: str, printed: bool = False) -> Learned:
    with connect(url) as connection:
        return learn(read_tables(connection), SqlValues(connection), printed)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> str:
    return sqlite(tmp_path_factory.mktemp("shop"))


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder:  # a socket's path is short
        yield from start_postgres(Path(folder))


def assert_expected(learned: Learned) -> None:
    assert dict(learned.classes) == CLASSES
    assert set(learned.properties) == PROPERTIES
    assert dict(learned.parents) == PARENTS


def test_the_sample_shop_gives_the_expected_classes_properties_and_sub_classes(shop: str) -> None:
    assert_expected(learned_from(shop))


def test_every_table_is_a_class_or_has_a_reason_not_to_be(shop: str) -> None:
    with connect(shop) as connection:
        tables = {t.name for t in read_tables(connection)}
    assert tables == {t for members in CLASSES.values() for t in members} | NO_CLASSES


def test_the_effects_say_what_each_rule_did_and_why(shop: str) -> None:
    told = {(e.rule, e.text) for e in learned_from(shop).effects}
    assert {
        (1, "table import_log left out: it has no primary key"),
        (1, "table writer merged with author: their primary keys hold the same values"),
        (1, "table book_author is no class: all of its key refers elsewhere, it relates author and book"),
        (2, "column book.publisher is a property to publisher: its values are among those of publisher.code"),
        (2, "edition is part of book: its key contains the foreign key isbn"),
        (3, "e_book is a sub-class of book: its keys are among those of book"),
    } <= told


def test_to_the_letter_numbers_that_count_rows_make_classes_equal(shop: str) -> None:
    printed = learned_from(shop, printed=True)
    assert printed.classes["format"] == ("colour", "format")
    assert Property("stars", "review", "format") in printed.properties
    assert Property("of_book", "reading_sample", "product") in printed.properties
    assert printed.parents["sticker"] == ("customer",)
    assert printed.parents["wrapping"] == ("shelf",)
    assert "event" in printed.classes  # empty keys are no equal keys, even so
    assert "voucher" in printed.classes


def test_what_is_learned_is_an_ontology_with_the_names_of_things(shop: str) -> None:
    with connect(shop) as connection:
        tables, values = read_tables(connection), SqlValues(connection)
        ontology = ontology_of_rules(learn(tables, values), tables, values, "shop", "en")
    words = {c.name: [w.text for w in c.words] for c in ontology.classes}
    assert words["format"] == ["format", "audio", "boxed set", "e-book", "hardback", "large print", "paperback"]
    assert words["author"][:2] == ["author", "writer"]
    assert words["order line"] == ["order line"]
    assert not [f for f in findings(ontology) if f.error]
    again = ontology_of(parse_graph(graph_of(ontology).serialize(format="xml").encode(), "xml", "shop"), "shop")
    assert [(c.iri, set(c.words), c.parents) for c in again.classes] == [
        (c.iri, set(c.words), c.parents) for c in ontology.classes
    ]
    assert topic_classes(again, "order lines", Reader(terms)) == ("urn:fcacrawler:database:order%20line",)
    part = next(r for r in again.relations if r.iri.endswith("edition.is-part-of"))
    assert part.inverse.endswith("book.has-part")


def test_names_of_many_things_are_no_words(shop: str) -> None:
    with connect(shop) as connection:
        tables, values = read_tables(connection), SqlValues(connection)
        ontology = ontology_of_rules(learn(tables, values), tables, values, "shop", names=5)
    assert [w.text for w in ontology.by_iri["urn:fcacrawler:database:format"].words] == ["format"]


def test_postgresql_gives_the_same_and_cannot_be_written(postgres: str) -> None:
    engine = create_engine(postgres.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        connection.exec_driver_sql(SHOP)
        connection.exec_driver_sql("CREATE TYPE mood AS ENUM ('glad', 'sad', 'so so')")
        connection.exec_driver_sql("CREATE TABLE feeling (mood mood PRIMARY KEY, note JSON, id UUID)")
    assert dict(learned_from(postgres).classes) == {"feeling": ("feeling",), **CLASSES}
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE feeling")
    assert_expected(learned_from(postgres))
    with connect(postgres) as connection, pytest.raises(Exception, match="read-only"):
        connection.execute(text("CREATE TABLE x (id INTEGER)"))
    engine.dispose()


def test_a_schema_of_postgresql_is_read_alone(postgres: str) -> None:
    engine = create_engine(postgres.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        connection.exec_driver_sql('CREATE SCHEMA "Other one"')
        connection.exec_driver_sql('CREATE TABLE "Other one"."Tome" (isbn TEXT PRIMARY KEY)')
        connection.exec_driver_sql(
            'CREATE TABLE "Other one"."Page" (isbn TEXT REFERENCES "Other one"."Tome", n INT, PRIMARY KEY (isbn, n))'
        )
        connection.exec_driver_sql("""INSERT INTO "Other one"."Tome" VALUES ('1'), ('2'), ('3')""")
        connection.exec_driver_sql("""INSERT INTO "Other one"."Page" VALUES ('1', 1), ('2', 1), ('3', 1)""")
    engine.dispose()
    with connect(postgres) as connection:
        tables = read_tables(connection, "Other one")
        learned = learn(tables, SqlValues(connection, "Other one"))
    assert dict(learned.classes) == {"Page": ("Page",), "Tome": ("Tome",)}
    assert Property("is-part-of", "Page", "Tome", "has-part") in learned.properties
