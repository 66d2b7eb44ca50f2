"""How the ontology crawler is set."""

from __future__ import annotations

from dataclasses import dataclass

from fcacrawler.values.options import at_least, between, one_of, option

ENDINGS = (".ttl", ".n3", ".nt", ".rdf", ".owl", ".xml", ".jsonld", ".json")  # of files with an ontology


@dataclass(frozen=True, slots=True)
class OntologyOptions:
    """Of the order ``ontology``. Where the paper leaves a choice open or prints it wrongly, the choice is an option."""

    ontology: str = option(
        "ecommerce",
        "what the order ontology knows: ecommerce, RDF files and database URLs, with commas between; they are joined",
        argument="ontology",
    )
    ontology_reread: int = option(
        0,
        "pages after which the databases among them are read again: what has come into them meanwhile joins the "
        "ontology; 0: never",
        at_least(0),
    )
    ontology_out: str = option(
        "out/ontology.ttl",
        "where the spider ontology writes its ontology with the learned weights; '' for nowhere",
        lambda v: None if not v or v.endswith(ENDINGS) else f"must end in one of {' '.join(ENDINGS)}",
    )
    ontology_discount: float = option(
        0.3, "n of W = n^d: what a class loses with each step away from the topic", between(0.01, 0.99)
    )
    ontology_relevance: str = option(
        "normalised", "content relevance: normalised (in [0, 1]) or raw (as printed)", one_of("normalised", "raw")
    )
    ontology_half: float = option(0.015, "weighted class words per word at which relevance is 1/2", at_least(0.0001))
    ontology_short: int = option(
        200, "words of no class that every text is given, so that a page of three words is not the best", at_least(0)
    )
    ontology_matches: str = option(
        "longest", "class words: longest (none inside another) or all (as printed)", one_of("longest", "all")
    )
    ontology_nouns: bool = option(True, "tell nouns from verbs, as in 'to book' (English, German)")
    ontology_learning: str = option(
        "lift", "σ of learned weights: lift, printed (its inverse) or off", one_of("lift", "printed", "off")
    )
    ontology_hits: str = option(
        "content",
        "a page hits the topic if its content relevance (content) or what the judge says of it (judge) is above γ",
        one_of("content", "judge"),
    )
    ontology_smoothing: float = option(5.0, "pages that speak for σ = 1 before any is seen", at_least(0.01))
    ontology_bound: float = option(4.0, "σ stays between 1/bound and bound", at_least(1))
    ontology_propagation: float = option(
        0.0, "how much of its neighbours' σ a class takes, along the ontology's graph", between(0, 1)
    )
    ontology_every: int = option(25, "pages between two lessons", at_least(1))
    ontology_context: str = option(
        "anchor", "PR of link priority: anchor (their likeness to the topic) or pagerank", one_of("anchor", "pagerank")
    )
    ontology_damping: float = option(0.85, "D of PageRank", between(0.01, 0.99))
    ontology_parents: float = option(0.05, "parents with less PRS than this do not count", between(0, 1))
    ontology_priority: str = option(
        "sum", "Eq. 9: the weighted sum as printed, or the product that its text speaks of", one_of("sum", "product")
    )
    ontology_content: float = option(0.5, "r1: weight of content against links (r2 = 1 - r1)", between(0, 1))
