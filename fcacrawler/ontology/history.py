"""Learned weights as RDF, with the ontology and their history; and back, so that a crawl can start from them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from rdflib import RDF, BNode, Graph, Literal, Namespace, URIRef

from fcacrawler.ontology.export import graph_of
from fcacrawler.ontology.knowledge import TopicKnowledge
from fcacrawler.ontology.rdf import BadOntology, read_graph
from fcacrawler.ontology.statistics import Counts

FCA = Namespace("urn:fcacrawler:learning#")
CRAWL = URIRef("urn:fcacrawler:learning")


def learned_graph(knowledge: TopicKnowledge) -> Graph:
    """The ontology with what was learned: Nc, Nt and the topic of the crawl; of each class W, W', n_o, n_to and a
    lesson for each time when W' has moved noticeably."""
    graph, counts = graph_of(knowledge.ontology), knowledge.counts
    graph.bind("fca", FCA)
    graph.add((CRAWL, RDF.type, FCA.Crawl))
    graph.add((CRAWL, FCA.pages, Literal(counts.pages)))
    graph.add((CRAWL, FCA.onTopic, Literal(counts.on_topic)))
    for topic in knowledge.topics:
        graph.add((CRAWL, FCA.topic, URIRef(topic)))
    for iri, weight in knowledge.prior.items():
        c = URIRef(iri)
        graph.add((c, FCA.prior, Literal(weight)))
        graph.add((c, FCA.weight, Literal(round(knowledge.weights[iri], 6))))
        if seen := counts.seen.get(iri, 0):
            graph.add((c, FCA.pagesWith, Literal(seen)))
            graph.add((c, FCA.onTopicWith, Literal(counts.hits.get(iri, 0))))
    for lesson in knowledge.history:
        for iri, weight in lesson.weights.items():
            node = BNode()
            graph.add((URIRef(iri), FCA.lesson, node))
            graph.add((node, FCA.pages, Literal(lesson.pages)))
            graph.add((node, FCA.onTopic, Literal(lesson.on_topic)))
            graph.add((node, FCA.weight, Literal(round(weight, 6))))
    return graph


def check_out(out: str) -> None:
    """Raises BadOntology if what is learned may not be written there: only what a crawl has written is written over."""
    if not os.path.lexists(out):
        return
    try:
        ours = (CRAWL, RDF.type, FCA.Crawl) in read_graph(out)
    except BadOntology:
        ours = False
    if not ours:
        raise BadOntology(f"FCA_ONTOLOGY_OUT={out}: the file is there, and no crawl has written it: name another one")


def learned_topics(graph: Graph) -> tuple[str, ...]:
    """The classes that the crawl was about whose learning a graph holds; none for a graph without."""
    return tuple(sorted(str(t) for t in graph.objects(CRAWL, FCA.topic)))


def learned_counts(graph: Graph) -> Counts:
    """What a crawl has counted, as far as the graph tells; parts are never more than their whole."""
    pages = _number(graph.value(CRAWL, FCA.pages))
    seen = {str(c): min(pages, _number(n)) for c, n in graph.subject_objects(FCA.pagesWith)}
    hits = {str(c): min(seen.get(str(c), 0), _number(n)) for c, n in graph.subject_objects(FCA.onTopicWith)}
    return Counts(pages, min(pages, _number(graph.value(CRAWL, FCA.onTopic))), seen, hits)


def learned_lines(graph: Graph, names: Mapping[str, str]) -> list[str]:
    """What was learned, in words, the greatest changes first: "author 0.30 → 0.41 (25 pages) → 0.58 (400 pages)"."""
    lines = []
    for c, prior in graph.subject_objects(FCA.prior):
        lessons = sorted(
            (_number(graph.value(n, FCA.pages)), str(graph.value(n, FCA.weight))) for n in graph.objects(c, FCA.lesson)
        )
        if lessons:
            before, now = float(str(prior)), float(lessons[-1][1])
            steps = "".join(f" → {float(weight):.2f} ({pages} pages)" for pages, weight in lessons)
            lines.append((-abs(now / before - 1), f"{names.get(str(c), str(c))} {before:.2f}{steps}"))
    return [line for _, line in sorted(lines)]


def _number(node: Any) -> int:
    value = node.toPython() if isinstance(node, Literal) else 0
    return value if isinstance(value, int) and value >= 0 else 0
