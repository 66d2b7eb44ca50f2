"""Small ontologies to test with. Words are separated by spaces; a final s is the only ending there is."""

from __future__ import annotations

from dataclasses import replace

from fcacrawler.ontology.model import Ontology, OntologyClass, Relation, Word
from fcacrawler.ontology.words import Reader


def stems(text: str, language: str) -> list[str]:
    return [word.removesuffix("s") for word in text.lower().split() if word not in ("the", "a", "of")]


READER = Reader(stems)


def in_iris(ontology: Ontology) -> Ontology:
    """The same, with names that RDF can hold."""

    def iri(name: str) -> str:
        return f"urn:t:{name}"

    return Ontology(
        ontology.name,
        tuple(replace(c, iri=iri(c.iri), parents=tuple(map(iri, c.parents))) for c in ontology.classes),
        tuple(replace(r, iri=iri(r.iri), domain=iri(r.domain), range=iri(r.range)) for r in ontology.relations),
    )


def shop(**words: str) -> Ontology:
    """A class for each keyword: "Novel_Book" is a sub-class of "Book"; its words are divided by commas."""
    classes = []
    for name, said in words.items():
        own, *above = name.split("_")
        entries = tuple(Word(w.strip(), "en") for w in said.split(",") if w.strip())
        classes.append(OntologyClass(own, entries, tuple(above)))
    return Ontology("test", tuple(sorted(classes, key=lambda c: c.iri)))


BOOKS = Ontology(
    "books",
    (
        *shop(
            Author="author",
            Book_Product="book",
            Fiction_Book="fiction",
            Laptop_Product="laptop",
            Novel_Fiction="novel",
            Product="product",
            Weather="rain",
        ).classes,
    ),
    (Relation("writtenBy", "Book", "Author"),),
)
