"""Content relevance: how much of a text speaks of classes near the topic (*Huang et al. 2010*, Definitions 4 and 5)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping

from fcacrawler.ontology.model import Ontology


def distances(ontology: Ontology, topics: Iterable[str]) -> dict[str, int]:
    """d(Ck, T): edges from each class to the nearest of the topic's classes; classes out of reach are left out.

    >>> from fcacrawler.ontology.model import OntologyClass
    >>> o = Ontology("o", (OntologyClass("book", parents=("product",)), OntologyClass("car", parents=("product",)),
    ...                    OntologyClass("island"), OntologyClass("product")))
    >>> distances(o, ["book"])
    {'book': 0, 'product': 1, 'car': 2}
    """
    far = {iri: 0 for iri in topics if iri in ontology.by_iri}
    queue = deque(far)
    while queue:
        here = queue.popleft()
        for near in ontology.edges[here]:
            if near not in far:
                far[near] = far[here] + 1
                queue.append(near)
    return far


def class_weights(ontology: Ontology, topics: Iterable[str], discount: float) -> dict[str, float]:
    """W(Ck) = n^d(Ck, T), 0 < n < 1 (Definition 4, Eq. 1). Classes out of reach weigh nothing and are left out.

    >>> from fcacrawler.ontology.model import OntologyClass
    >>> o = Ontology("o", (OntologyClass("book", parents=("product",)), OntologyClass("product")))
    >>> class_weights(o, ["book"], 0.5)
    {'book': 1.0, 'product': 0.5}
    """
    return {iri: discount**d for iri, d in distances(ontology, topics).items()}


def raw_relevance(frequencies: Mapping[str, int], weights: Mapping[str, float]) -> float:
    """S_pc(D) = Σ f(Ck, D)·W(Ck) (Definition 5, Eq. 2): as printed, unbounded, growing with the text's length.

    >>> raw_relevance({"book": 3, "product": 2, "car": 7}, {"book": 1.0, "product": 0.5})
    4.0
    """
    return sum(n * weights[iri] for iri, n in frequencies.items() if iri in weights)


def squash(density: float, half: float) -> float:
    """x / (x + half): 0 at 0, a half at ``half``, below 1 for ever, rising all the way.

    >>> squash(0.0, 0.05), squash(0.05, 0.05), round(squash(0.15, 0.05), 9)
    (0.0, 0.5, 0.75)
    """
    return density / (density + half) if density > 0 else 0.0
