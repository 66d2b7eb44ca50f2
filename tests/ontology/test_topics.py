"""The user's topic finds its class, or hears what is near; two ontologies become one."""

from __future__ import annotations

import pytest

from fcacrawler.ontology.learned import join
from fcacrawler.ontology.model import Ontology, OntologyClass, Relation, Word
from fcacrawler.ontology.rdf import read_ontology
from fcacrawler.ontology.topics import UnknownTopic, topic_classes
from fcacrawler.ontology.words import Reader
from fcacrawler.page import terms

READER = Reader(terms)
COMMERCE = read_ontology("ecommerce")
IRI = "urn:fcacrawler:ecommerce#"


@pytest.mark.parametrize("topic", ["book", "Books", " book ", "Buch", "Bücher", IRI + "Book", "Book"])
def test_a_topic_is_found_in_any_inflection_and_language_and_by_iri(topic: str) -> None:
    assert topic_classes(COMMERCE, topic, READER) == (IRI + "Book",)


def test_a_phrase_is_a_topic_as_a_whole() -> None:
    assert topic_classes(COMMERCE, "children's books", READER) == (IRI + "ChildrensBook",)


def test_a_topic_that_is_no_class_is_told_with_the_nearest_names() -> None:
    with pytest.raises(UnknownTopic, match=r"'papreback' is no class .* nearest names are paperback"):
        topic_classes(COMMERCE, "papreback", READER)
    with pytest.raises(UnknownTopic, match="topmost classes are"):
        topic_classes(COMMERCE, "xqzw", READER)
    with pytest.raises(UnknownTopic):
        topic_classes(COMMERCE, "", READER)


def test_a_word_of_two_classes_is_a_topic_of_both() -> None:
    o = Ontology("o", (OntologyClass("a:A", (Word("bank"),)), OntologyClass("b:B", (Word("bank"),))))
    assert topic_classes(o, "bank", READER) == ("a:A", "b:B")


def test_ontologies_join_at_their_words_and_alignments() -> None:
    learned = Ontology(
        "shop.ttl",
        (
            OntologyClass("db:books", (Word("books"), Word("The Tide Clock"))),
            OntologyClass("db:ebook", (Word("tablet edition"),), ("db:books",), same_as=("https://schema.org/EBook",)),
            OntologyClass("db:stamp", (Word("stamp"),), ("db:books",)),
        ),
        (Relation("db:books.stamp", "db:books", "db:stamp", (Word("stamp"),)),),
    )
    both = join(COMMERCE, learned, READER)
    assert len(both.classes) == len(COMMERCE.classes) + 1
    assert Word("The Tide Clock") in both.by_iri[IRI + "Book"].words
    assert Word("tablet edition") in both.by_iri[IRI + "Ebook"].words
    assert IRI + "Book" in both.by_iri[IRI + "Ebook"].parents
    assert both.by_iri["db:stamp"].parents == (IRI + "Book",)
    assert "db:stamp" in both.edges[IRI + "Book"]
