"""What the user named → one ontology: built-in ones, RDF files and databases, joined in the order named."""

from __future__ import annotations

from dataclasses import dataclass

from fcacrawler.ontology.history import learned_counts, learned_topics
from fcacrawler.ontology.learned import join, ontology_of_rules
from fcacrawler.ontology.model import Ontology, local_name
from fcacrawler.ontology.rdf import BadOntology, ontology_of, read_graph
from fcacrawler.ontology.rules import learn
from fcacrawler.ontology.statistics import NO_COUNTS, Counts
from fcacrawler.ontology.words import Reader


@dataclass(frozen=True, slots=True)
class Source:
    """An ontology, and what an earlier crawl has counted for which topics."""

    ontology: Ontology
    topics: tuple[str, ...] = ()
    counts: Counts = NO_COUNTS


def read_sources(names: str, reader: Reader) -> Source:
    """``ecommerce,shop.ttl,sqlite:///shop.db`` as one ontology.

    A database is learned from, by the rules' defaults. Counts are those of the first file that has any; a crawl starts
    from them if its topic is theirs.
    """
    sources = [_read(name.strip()) for name in names.split(",") if name.strip()]
    if not sources:
        raise BadOntology("no ontology is named; name ecommerce, an RDF file or a database")
    ontology = sources[0].ontology
    for source in sources[1:]:
        ontology = join(ontology, source.ontology, reader)
    counted = next((s for s in sources if s.counts.pages), Source(ontology))
    return Source(ontology, counted.topics, counted.counts)


def _read(name: str) -> Source:
    if "://" in name:
        from sqlalchemy.engine import make_url

        from fcacrawler.ontology.database import SqlValues, connect, read_tables

        with connect(name) as connection:
            tables, values = read_tables(connection), SqlValues(connection)
            database = make_url(name).database or "database"
            return Source(ontology_of_rules(learn(tables, values), tables, values, local_name(database)))
    graph = read_graph(name)
    return Source(ontology_of(graph, local_name(name)), learned_topics(graph), learned_counts(graph))
