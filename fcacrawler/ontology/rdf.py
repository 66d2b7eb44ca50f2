"""RDF → an ontology: RDFS and OWL classes, SKOS concepts, labels. rdflib stays at this room's edge."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.sax import SAXException

from rdflib import OWL, RDF, RDFS, SKOS, BNode, Graph, Literal, Namespace, URIRef
from rdflib.collection import Collection
from rdflib.exceptions import Error as RdfError
from rdflib.term import Node

from fcacrawler.ontology.model import Ontology, OntologyClass, Relation, Word, local_name
from fcacrawler.values.errors import FcaError
from fcacrawler.values.files import BadFile, read_bytes

FORMATS = {
    ".ttl": "turtle",
    ".n3": "turtle",
    ".nt": "nt",
    ".rdf": "xml",
    ".owl": "xml",
    ".xml": "xml",
    ".jsonld": "json-ld",
    ".json": "json-ld",
}
BUILT_IN = ("ecommerce",)
UNREADABLE = (  # what rdflib's parsers raise on bytes that are not their format
    SyntaxError,
    ValueError,
    TypeError,
    LookupError,
    RecursionError,
    AttributeError,
    AssertionError,
    RecursionError,
    SAXException,
    RdfError,
)
LARGEST = 1 << 29  # bytes of a file
NOWHERE = "http://ontology.invalid/"  # what relative IRIs are relative to
SCHEMA = (Namespace("https://schema.org/"), Namespace("http://schema.org/"))
LABELS = ((SKOS.prefLabel, 0), (RDFS.label, 1), (SKOS.altLabel, 2), (SKOS.hiddenLabel, 3))
SAME = (OWL.equivalentClass, OWL.equivalentProperty, OWL.sameAs, SKOS.exactMatch)
NEAR = (SKOS.closeMatch, SKOS.relatedMatch, SKOS.broadMatch, SKOS.narrowMatch)


class BadOntology(FcaError):
    """An ontology that cannot be read, or holds no class."""


def read_ontology(name: str) -> Ontology:
    """The built-in ontology of that name, or the one in that file."""
    return ontology_of(read_graph(name), local_name(Path(name).stem))


def read_graph(name: str) -> Graph:
    """The triples of a built-in ontology or of a file; the file's ending says its format."""
    if name in BUILT_IN:
        return parse_graph(files("fcacrawler.ontology").joinpath(f"{name}.ttl").read_bytes(), "turtle", name)
    path = Path(name)
    rdf_format = FORMATS.get(path.suffix.lower())
    if rdf_format is None:
        known = f"{', '.join(BUILT_IN)}, or a file that ends in {' '.join(FORMATS)}"
        raise BadOntology(f"ontology {name!r} is neither built in nor an RDF file; there is {known}")
    try:
        data = read_bytes(path, LARGEST)
    except BadFile as error:
        raise BadOntology(f"ontology {error}") from None
    return parse_graph(data, rdf_format, name)


def parse_graph(data: bytes, rdf_format: str, name: str) -> Graph:
    """The triples of a document in a format that rdflib knows; nothing else is fetched for it."""
    try:
        if rdf_format == "json-ld":
            _refuse_remote_contexts(json.loads(data), name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # rdflib's JSON-LD parser uses what rdflib deprecates
            return Graph().parse(data=data, format=rdf_format, publicID=NOWHERE)
    except UNREADABLE as error:
        said = " ".join(str(error).split())[:200] or type(error).__name__
        raise BadOntology(f"ontology {name!r} is not valid {rdf_format}: {said}") from error


def _refuse_remote_contexts(tree: Any, name: str) -> None:
    """A JSON-LD file may not make a crawl fetch something else."""
    if isinstance(tree, list):
        for branch in tree:
            _refuse_remote_contexts(branch, name)
    elif isinstance(tree, dict):
        contexts = [tree.get("@context")]
        while any(isinstance(c, list) for c in contexts):
            contexts = [inner for c in contexts for inner in (c if isinstance(c, list) else [c])]
        remote = next((c for c in contexts if isinstance(c, str)), None)
        if remote is not None or "@import" in tree:
            raise BadOntology(
                f"ontology {name!r} refers to the context {remote!r}, which is not fetched: write it inline"
            )
        for branch in tree.values():
            _refuse_remote_contexts(branch, name)


def ontology_of(graph: Graph, name: str) -> Ontology:
    """The classes, relations and words that a graph holds."""
    iris = sorted(_class_iris(graph))
    if not iris:
        raise BadOntology(f"ontology {name!r} holds no class: neither owl:Class, rdfs:Class nor skos:Concept")
    classes = tuple(_class(graph, iri) for iri in iris)
    return Ontology(name, classes, tuple(sorted(set(_relations(graph)), key=lambda r: (r.iri, r.domain, r.range))))


def _class_iris(graph: Graph) -> set[URIRef]:
    found: set[Node] = set()
    for kind in (OWL.Class, RDFS.Class, SKOS.Concept):
        found.update(graph.subjects(RDF.type, kind))
    for link in (RDFS.subClassOf, SKOS.broader, SKOS.narrower):
        for one, other in graph.subject_objects(link):
            found.update((one, other))
    return {n for n in found if isinstance(n, URIRef) and n not in (OWL.Thing, RDFS.Resource)}


def _class(graph: Graph, iri: URIRef) -> OntologyClass:
    above = {
        *graph.objects(iri, RDFS.subClassOf),
        *graph.objects(iri, SKOS.broader),
        *graph.subjects(SKOS.narrower, iri),
    }
    parents = sorted(str(p) for p in above if isinstance(p, URIRef) and p not in (OWL.Thing, RDFS.Resource))
    return OntologyClass(str(iri), _words(graph, iri), tuple(parents), *_matches(graph, iri))


def _matches(graph: Graph, iri: URIRef) -> tuple[tuple[str, ...], tuple[str, ...]]:
    same = sorted({str(o) for p in SAME for o in graph.objects(iri, p) if isinstance(o, URIRef)})
    near = sorted({str(o) for p in NEAR for o in graph.objects(iri, p) if isinstance(o, URIRef)})
    return tuple(same), tuple(near)


def _words(graph: Graph, iri: URIRef) -> tuple[Word, ...]:
    """Labels by language, preferred ones first; the end of the IRI where there are none and it can be read."""
    ranked: dict[Word, int] = {}
    for predicate, kind in LABELS:
        for label in graph.objects(iri, predicate):
            text = " ".join(spaced(str(label)).split())
            if isinstance(label, Literal) and text:
                ranked.setdefault(Word(text, (label.language or "").split("-")[0].lower()), kind)
    if not ranked and re.fullmatch(r"[^\W\d][^\W\d_]+(?:[-_][^\W\d_]+)*", local_name(iri)):
        return (Word(spaced(local_name(iri)).lower()),)
    return tuple(sorted(ranked, key=lambda w: (w.language, ranked[w], w.text)))


def spaced(label: str) -> str:
    """Names that programs write, as words.

    >>> spaced("BookStore"), spaced("order_line"), spaced("e-book"), spaced("DVD")
    ('Book Store', 'order line', 'e-book', 'DVD')
    """
    return label if " " in label else re.sub(r"(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])|_+", " ", label).strip()


def _relations(graph: Graph) -> Iterator[Relation]:
    """Object properties with their ends, OWL restrictions on classes, and SKOS associations."""
    for iri in sorted(_property_iris(graph)):
        domains = _ends(graph, iri, (RDFS.domain, *(s.domainIncludes for s in SCHEMA))) or [""]
        ranges = _ends(graph, iri, (RDFS.range, *(s.rangeIncludes for s in SCHEMA))) or [""]
        for domain in domains:
            for end in ranges:
                if not (domain and end) and _restrictions_on(graph, iri):
                    continue
                yield _relation(graph, iri, domain, end)
    for node in graph.subjects(RDF.type, OWL.Restriction):
        prop = graph.value(node, OWL.onProperty)
        for subject in graph.subjects(RDFS.subClassOf, node):
            for filler in {*graph.objects(node, OWL.someValuesFrom), *graph.objects(node, OWL.allValuesFrom)}:
                if isinstance(prop, URIRef) and isinstance(subject, URIRef) and isinstance(filler, URIRef):
                    yield _relation(graph, prop, str(subject), str(filler))
    for one, other in graph.subject_objects(SKOS.related):
        low, high = sorted((str(one), str(other)))
        yield Relation(str(SKOS.related), low, high)


def _property_iris(graph: Graph) -> set[URIRef]:
    found: set[Node] = set(graph.subjects(RDF.type, OWL.ObjectProperty)) | set(graph.subjects(RDF.type, RDF.Property))
    return {n for n in found if isinstance(n, URIRef)}


def _restrictions_on(graph: Graph, iri: URIRef) -> bool:
    return next(graph.subjects(OWL.onProperty, iri), None) is not None


def _ends(graph: Graph, iri: URIRef, predicates: Iterable[URIRef]) -> list[str]:
    """Classes at one end of a property; a union stands for its members."""
    ends: set[str] = set()
    for predicate in predicates:
        for node in graph.objects(iri, predicate):
            union = graph.value(node, OWL.unionOf) if isinstance(node, BNode) else None
            members = Collection(graph, union) if union is not None else [node]
            ends.update(str(m) for m in members if isinstance(m, URIRef))
    return sorted(ends)


def _relation(graph: Graph, iri: URIRef, domain: str, end: str) -> Relation:
    parents = tuple(sorted(str(p) for p in graph.objects(iri, RDFS.subPropertyOf) if isinstance(p, URIRef)))
    inverse = graph.value(iri, OWL.inverseOf) or graph.value(None, OWL.inverseOf, iri)
    other = str(inverse) if isinstance(inverse, URIRef) else ""
    return Relation(str(iri), domain, end, _words(graph, iri), parents, other, *_matches(graph, iri))
