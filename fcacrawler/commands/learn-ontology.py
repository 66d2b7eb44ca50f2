"""``scrapy learn-ontology DATABASE_URL --out shop.ttl``: what a relational database says about its business, as RDF."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.commands import OurCommand, plainly, say
from fcacrawler.ontology.options import ENDINGS
from fcacrawler.ontology.rules import learn


class Command(OurCommand, ScrapyCommand):
    takes = "DATABASE_URL --out shop.ttl [options]"
    does = "Learn an ontology from a relational database, by three rules; the database is only read"

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--out", default="", help=f"file to write; ends in {' '.join(ENDINGS)}")
        parser.add_argument("--schema", default=None, help="schema to read (default: the connection's own)")
        parser.add_argument("--language", default="", help="language of the names in the database, as en or de")
        parser.add_argument(
            "--printed", action="store_true", help="the rules to the letter: equal numbers are evidence"
        )

    @plainly
    def run(self, args: list[str], opts: Namespace) -> None:
        if len(args) != 1:
            raise UsageError("give one database, as in: scrapy learn-ontology sqlite:///shop.db --out shop.ttl")
        if not opts.out:
            raise UsageError("say where to write what is learned: --out shop.ttl")
        from fcacrawler.ontology.database import DatabaseError, SqlValues, connect, read_tables
        from fcacrawler.ontology.export import graph_of, write_graph
        from fcacrawler.ontology.learned import ontology_of_rules

        with connect(args[0]) as connection:
            tables, values = read_tables(connection, opts.schema), SqlValues(connection, opts.schema)
            learned = learn(tables, values, opts.printed, Progress())
            ontology = ontology_of_rules(learned, tables, values, Path(opts.out).stem, opts.language)
        for effect in learned.effects:
            say(f"Rule {effect.rule}: {effect.text}")
        if not ontology.classes:
            raise DatabaseError("no class was learned: the rules rest on primary keys, and no table has one")
        write_graph(graph_of(ontology), opts.out)
        words = sum(len(c.words) for c in ontology.classes)
        say(f"{len(tables)} tables: {len(ontology.classes)} classes, {len(ontology.relations)} properties, ", end="")
        say(f"{sum(map(len, learned.parents.values()))} sub-classes, {words} words written to {opts.out}")


class Progress:
    """A line on standard error every two seconds of a long run."""

    def __init__(self) -> None:
        self._told = time.monotonic()

    def __call__(self, what: str, done: int, of: int) -> None:
        if time.monotonic() - self._told > 2:
            self._told = time.monotonic()
            print(f"{what}: {done} of {of} tables", file=sys.stderr)
