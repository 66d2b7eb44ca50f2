"""An ontology → RDF again, in any of the formats it can be read from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rdflib import OWL, RDF, RDFS, SKOS, BNode, Graph, Literal, Namespace, URIRef

from fcacrawler.ontology.model import Ontology, Relation, Word
from fcacrawler.ontology.rdf import FORMATS, BadOntology

COMMERCE = Namespace("urn:fcacrawler:ecommerce#")
PREFIXES = {
    "": COMMERCE,
    "schema": Namespace("https://schema.org/"),
    "gr": Namespace("http://purl.org/goodrelations/v1#"),
}


def graph_of(ontology: Ontology) -> Graph:
    """The triples of an ontology: OWL classes with SKOS labels, object properties with domain and range."""
    graph = Graph()
    for prefix, namespace in PREFIXES.items():
        graph.bind(prefix, namespace)
    for c in ontology.classes:
        iri = URIRef(c.iri)
        graph.add((iri, RDF.type, OWL.Class))
        for parent in c.parents:
            graph.add((iri, RDFS.subClassOf, URIRef(parent)))
        _add_terms(graph, iri, c.words, ((OWL.equivalentClass, c.same_as), (SKOS.relatedMatch, c.related)))
    pairs = Counter(r.iri for r in ontology.relations)
    for relation in ontology.relations:
        _add_relation(graph, relation, alone=pairs[relation.iri] == 1)
    return graph


def write_graph(graph: Graph, out: str) -> None:
    """Into a file, in the format that its ending names."""
    suffix = Path(out).suffix.lower()
    if suffix not in FORMATS:
        raise BadOntology(f"{out!r} must end in one of {' '.join(FORMATS)}, which names the format to write")
    try:
        graph.serialize(out, format=FORMATS[suffix], encoding="utf-8")
    except OSError as error:
        raise BadOntology(f"{out!r} cannot be written: {error.strerror}") from error


def _add_relation(graph: Graph, relation: Relation, alone: bool) -> None:
    """A relation with several pairs of ends keeps each pair as a restriction on its domain."""
    iri = URIRef(relation.iri)
    if iri == SKOS.related:
        graph.add((URIRef(relation.domain), iri, URIRef(relation.range)))
        return
    graph.add((iri, RDF.type, OWL.ObjectProperty))
    if alone:
        for predicate, end in ((RDFS.domain, relation.domain), (RDFS.range, relation.range)):
            if end:
                graph.add((iri, predicate, URIRef(end)))
    elif relation.domain and relation.range:
        node = BNode()
        graph.add((URIRef(relation.domain), RDFS.subClassOf, node))
        graph.add((node, RDF.type, OWL.Restriction))
        graph.add((node, OWL.onProperty, iri))
        graph.add((node, OWL.someValuesFrom, URIRef(relation.range)))
    for parent in relation.parents:
        graph.add((iri, RDFS.subPropertyOf, URIRef(parent)))
    if relation.inverse:
        graph.add((iri, OWL.inverseOf, URIRef(relation.inverse)))
    _add_terms(
        graph, iri, relation.words, ((OWL.equivalentProperty, relation.same_as), (SKOS.relatedMatch, relation.related))
    )


def _add_terms(graph: Graph, iri: URIRef, words: Sequence[Word], matches: Sequence[tuple[Any, Sequence[str]]]) -> None:
    named: set[str] = set()
    for word in words:
        label = SKOS.altLabel if word.language in named else SKOS.prefLabel
        named.add(word.language)
        graph.add((iri, label, Literal(word.text, lang=word.language or None)))
    for predicate, others in matches:
        for other in others:
            graph.add((iri, predicate, URIRef(other)))
