"""What the parts of a rank are called in words, for people who ask why: of all orders that tell their parts."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from fcacrawler.orders.semrank.parts import MEANINGS as SEMRANK

ONTOLOGY = {
    "content": "how much its words speak of classes near the topic; of a link, the words there and on those pages",
    "link": "what the links say: context, likeness and reinforcement of the parents",
    "content of the words": "how much the words at the links speak of classes near the topic",
    "content of the parents": "how much the words of the pages that link there do",
    "context": "how near the links' words are to the topic, or its PageRank (FCA_ONTOLOGY_CONTEXT)",
    "likeness": "how like the topic it is",
    "likeness of the parents": "how like the topic the pages are that link there",
    "reinforcement": "what other links of those pages have led to",
}
BFS = {"depth": "links from the nearest seed", "pagerank": "PageRank among the pages and links that are known"}
TABLES: tuple[Mapping[str, str], ...] = (SEMRANK, ONTOLOGY, BFS)


def meanings(parts: Collection[str]) -> Mapping[str, str]:
    """The table in which all of these parts of one order stand; an empty one for an order without.

    >>> meanings(["depth"])["depth"], meanings(["x"])
    ('links from the nearest seed', {})
    """
    return next((table for table in TABLES if set(parts) <= table.keys()), {})
