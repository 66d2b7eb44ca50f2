"""What is wrong with an ontology, and what is only worth knowing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import networkx as nx

from fcacrawler.ontology.model import Ontology


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about an ontology: an error misleads the crawl, a note may be meant so."""

    error: bool
    text: str


def findings(ontology: Ontology) -> list[Finding]:
    """Errors first. A cycle or a class without words does not stop a crawl: both are walked and skipped safely."""
    found = [
        *_circles(ontology),
        *_wordless(ontology),
        *_undescribed(ontology),
        *_shared(ontology),
        *_islands(ontology),
    ]
    return sorted(found, key=lambda f: not f.error)


def cycles(ontology: Ontology) -> list[tuple[str, ...]]:
    """Circles in the class hierarchy, one for each group of classes that are all above one another.

    >>> from fcacrawler.ontology.model import OntologyClass
    >>> cycles(Ontology("o", (OntologyClass("a", parents=("b",)), OntologyClass("b", parents=("a",)))))
    [('a', 'b')]
    """
    graph = nx.DiGraph((c.iri, p) for c in ontology.classes for p in c.parents)
    found = []
    for group in nx.strongly_connected_components(graph):
        if len(group) > 1 or any(graph.has_edge(n, n) for n in group):
            found.append(tuple(one for one, _ in nx.find_cycle(graph.subgraph(sorted(group)), min(group))))
    return sorted(found)


def _circles(ontology: Ontology) -> Iterator[Finding]:
    for circle in cycles(ontology):
        path = " → ".join(_name(ontology, iri) for iri in (*circle, circle[0]))
        yield Finding(True, f"the class hierarchy runs in a circle: {path}")


def _wordless(ontology: Ontology) -> Iterator[Finding]:
    for c in ontology.classes:
        if not c.words:
            yield Finding(True, f"class {c.iri} has no word and will match no page: give it a label")


def _undescribed(ontology: Ontology) -> Iterator[Finding]:
    ends = [(c.iri, p) for c in ontology.classes for p in c.parents]
    ends += [(r.iri, end) for r in ontology.relations for end in (r.domain, r.range) if end]
    for iri, end in sorted(set(ends)):
        if end not in ontology.by_iri:
            yield Finding(False, f"{iri} refers to {end}, which is no class here: the edge is left out")


def _shared(ontology: Ontology) -> Iterator[Finding]:
    owners: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for c in ontology.classes:
        for word in c.words:
            owners[word.text.lower(), word.language].append(c.name)
    for (text, language), names in sorted(owners.items()):
        if len(names) > 1:
            yield Finding(False, f"the word {text!r} ({language or 'any language'}) is of {', '.join(names)}")


def _islands(ontology: Ontology) -> Iterator[Finding]:
    graph = nx.Graph()
    graph.add_nodes_from(ontology.edges)
    graph.add_edges_from((one, other) for one, others in ontology.edges.items() for other in others)
    parts = sorted(nx.connected_components(graph), key=lambda part: (-len(part), min(part)))
    for part in parts[1:]:
        first = _name(ontology, min(part))
        yield Finding(
            False, f"{first} and {len(part) - 1} more are not connected with the rest: weight 0 for its topics"
        )


def _name(ontology: Ontology, iri: str) -> str:
    return ontology.by_iri[iri].name if iri in ontology.by_iri else iri
