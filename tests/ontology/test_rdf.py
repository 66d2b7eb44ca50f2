"""RDF in and out, in every format, from every vocabulary; and RDF that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fcacrawler.ontology.export import graph_of, write_graph
from fcacrawler.ontology.model import Ontology, OntologyClass, Relation, Word
from fcacrawler.ontology.options import ENDINGS
from fcacrawler.ontology.rdf import FORMATS, BadOntology, ontology_of, parse_graph, read_graph, read_ontology, spaced
from fcacrawler.ontology.validate import cycles, findings
from tests.ontology.model import BOOKS, in_iris

TURTLE = """
@prefix : <urn:t#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix schema: <https://schema.org/> .
"""


def read(text: str) -> Ontology:
    return ontology_of(parse_graph((TURTLE + text).encode(), "turtle", "test"), "test")


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_the_built_in_ontology_is_as_rich_as_promised() -> None:
    commerce = read_ontology("ecommerce")
    words = {w for c in commerce.classes for w in c.words}
    assert len(commerce.classes) >= 100
    assert sum(w.language == "en" for w in words) >= 500
    assert sum(w.language == "de" for w in words) >= 500
    assert not [f for f in findings(commerce) if f.error]
    names = {c.name for c in commerce.classes}
    assert {"buyer", "seller", "product", "payment", "delivery", "contract", "book", "novel", "paperback"} <= names
    aligned = [iri for c in commerce.classes for iri in (*c.same_as, *c.related)]
    assert sum("schema.org" in iri for iri in aligned) >= 50
    assert sum("goodrelations" in iri for iri in aligned) >= 20


@pytest.mark.parametrize("rdf_format", sorted(set(FORMATS.values())))
def test_the_built_in_ontology_survives_every_format(rdf_format: str) -> None:
    commerce = read_ontology("ecommerce")
    again = parse_graph(graph_of(commerce).serialize(format=rdf_format).encode(), rdf_format, "again")
    assert ontology_of(again, "ecommerce") == commerce


def test_a_file_is_read_by_its_ending(tmp_path: Path) -> None:
    for suffix in FORMATS:
        file = str(tmp_path / f"shop{suffix}")
        write_graph(graph_of(in_iris(BOOKS)), file)
        assert [c.words for c in read_ontology(file).classes] == [c.words for c in in_iris(BOOKS).classes]


def test_skos_concepts_are_classes() -> None:
    o = read("""
        :food a skos:Concept ; skos:prefLabel "Lebensmittel"@de-AT, "food"@en ; skos:narrower :cheese .
        :cheese a skos:Concept ; skos:altLabel "Käse"@de ; skos:hiddenLabel "Kase"@de ; skos:related :wine .
        :wine skos:broader :food ; skos:exactMatch schema:Wine .
    """)
    assert [c.iri for c in o.classes] == ["urn:t#cheese", "urn:t#food", "urn:t#wine"]
    assert o.by_iri["urn:t#cheese"].parents == o.by_iri["urn:t#wine"].parents == ("urn:t#food",)
    assert o.by_iri["urn:t#cheese"].words == (Word("Käse", "de"), Word("Kase", "de"))
    assert o.by_iri["urn:t#food"].words == (Word("Lebensmittel", "de"), Word("food", "en"))
    assert o.by_iri["urn:t#wine"].same_as == ("https://schema.org/Wine",)
    assert o.edges["urn:t#cheese"] == ("urn:t#food", "urn:t#wine")


def test_owl_relations_come_from_domains_unions_and_restrictions() -> None:
    o = read("""
        :A a owl:Class . :B a owl:Class . :C a owl:Class .
        :r a owl:ObjectProperty ; rdfs:domain [ owl:unionOf (:A :B) ] ; rdfs:range :C ; rdfs:subPropertyOf :q .
        :B rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :has ; owl:someValuesFrom :A ] .
        :s a owl:ObjectProperty ; schema:domainIncludes :A ; schema:rangeIncludes :B ; owl:inverseOf :t .
    """)
    ends = {(r.name, r.domain[-1:], r.range[-1:]) for r in o.relations}
    assert ends == {("r", "A", "C"), ("r", "B", "C"), ("has", "B", "A"), ("s", "A", "B")}
    assert next(r for r in o.relations if r.name == "r").parents == ("urn:t#q",)
    assert next(r for r in o.relations if r.name == "s").inverse == "urn:t#t"


def test_a_class_without_labels_is_called_what_its_iri_ends_in_where_that_can_be_read() -> None:
    o = read(":BookStore a owl:Class . :c_1234 a owl:Class .")
    assert o.by_iri["urn:t#BookStore"].words == (Word("book store"),)
    assert o.by_iri["urn:t#c_1234"].words == ()


def test_what_validation_finds() -> None:
    o = read("""
        :A rdfs:subClassOf :B ; rdfs:label "thing" . :B rdfs:subClassOf :C ; rdfs:label "Thing" .
        :C rdfs:subClassOf :A . :x1 a owl:Class . :C rdfs:label "island" . :D a owl:Class ; rdfs:label "d"@en .
        :r a owl:ObjectProperty ; rdfs:domain :D ; rdfs:range :Nowhere .
    """)
    assert cycles(o) == [("urn:t#A", "urn:t#B", "urn:t#C")]
    texts = [f.text for f in findings(o) if f.error]
    assert texts == [
        "the class hierarchy runs in a circle: thing → Thing → island → thing",
        "class urn:t#x1 has no word and will match no page: give it a label",
    ]
    notes = "\n".join(f.text for f in findings(o) if not f.error)
    assert "the word 'thing' (any language) is of thing, Thing" in notes
    assert "urn:t#r refers to urn:t#Nowhere" in notes
    assert "d and 0 more are not connected with the rest" in notes


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("bad.ttl", ":A a", "is not valid turtle"),
        ("bad.rdf", "<rdf:RDF>", "is not valid xml"),
        ("bad.jsonld", "{", "is not valid json-ld"),
        ("far.jsonld", '{"@context": "https://schema.org/", "@id": "a"}', "is not fetched"),
        ("far1.jsonld", '{"@context": [["http://e.test/context"]]}', "is not fetched"),
        ("far3.jsonld", '{"@context": [{}, [[], [{}, "context"]]], "@id": "a"}', "is not fetched"),
        ("far4.jsonld", '{"@context": {"a": {"@context": ["x"]}}}', "is not fetched"),
        ("deep.jsonld", "[" * 100_000, "is not valid json-ld"),
        ("deep2.jsonld", "[" * 500 + '{"@context": "x"}' + "]" * 500, "is not fetched"),
        ("far2.jsonld", '[{"a": {"@context": [{}, "//evil"]}}]', "is not fetched"),
        ("empty.ttl", "", "holds no class"),
        ("table.csv", "a,b", "neither built in nor an RDF file"),
    ],
)
def test_invalid_rdf_is_one_clear_message(tmp_path: Path, name: str, text: str, said: str) -> None:
    with pytest.raises(BadOntology, match=said):
        read_ontology(write(tmp_path, name, text))


def test_a_missing_file_and_a_folder_are_clear_too(tmp_path: Path) -> None:
    with pytest.raises(BadOntology, match="No such file"):
        read_ontology(str(tmp_path / "none.ttl"))
    (tmp_path / "folder.ttl").mkdir()
    with pytest.raises(BadOntology, match="Is a directory"):
        read_ontology(str(tmp_path / "folder.ttl"))


def test_xml_entities_do_not_read_files(tmp_path: Path) -> None:
    secret = write(tmp_path, "secret.txt", "hidden")
    xml = f"""<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file://{secret}">]>
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:s="http://www.w3.org/2000/01/rdf-schema#">
        <s:Class rdf:about="urn:t#A"><s:label>a&x;</s:label></s:Class></rdf:RDF>"""
    try:
        words = read_ontology(write(tmp_path, "x.rdf", xml)).classes[0].words
    except BadOntology:
        return
    assert "hidden" not in words[0].text


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=100)
@given(
    suffix=st.sampled_from(sorted(FORMATS)),
    data=st.binary(max_size=60),
    head=st.sampled_from([b"", b"<a>", b"[{", b"@prefix : <u:> . :a "]),
)
def test_any_bytes_are_read_or_refused_with_a_message(tmp_path: Path, suffix: str, data: bytes, head: bytes) -> None:
    file = tmp_path / f"fuzz{suffix}"
    file.write_bytes(head + data)
    with pytest.raises(BadOntology):
        read_ontology(str(file))


names = st.sampled_from("ABCDE")
words = st.builds(
    Word,
    st.text("abc xyz", min_size=1).map(str.strip).filter(bool).map(lambda t: " ".join(t.split())),
    st.sampled_from(["", "en", "de"]),
)
classes = st.builds(
    OntologyClass,
    names.map("urn:t#{}".format),
    st.lists(words, min_size=1, unique=True).map(tuple),
    st.lists(names.map("urn:t#{}".format), unique=True).map(lambda ps: tuple(sorted(ps))),
)
relations = st.builds(
    Relation, st.just("urn:t#r"), names.map("urn:t#{}".format), names.map("urn:t#{}".format), st.just((Word("r"),))
)


@settings(max_examples=40)
@given(st.lists(classes, min_size=1, max_size=4, unique_by=lambda c: c.iri), st.lists(relations, unique=True))
def test_what_is_written_reads_the_same(some: list[OntologyClass], others: list[Relation]) -> None:
    o = Ontology("test", tuple(sorted(some, key=lambda c: c.iri)), tuple(others))
    again = ontology_of(parse_graph(graph_of(o).serialize(format="nt").encode(), "nt", "again"), "test")
    for c in o.classes:
        assert set(again.by_iri[c.iri].words) == set(c.words)
        assert again.by_iri[c.iri].parents == c.parents
        assert {w.language: w for w in reversed(again.by_iri[c.iri].words)} == {
            w.language: w for w in reversed(c.words)
        }
    described = {c.iri for c in o.classes}
    assert {(r.domain, r.range) for r in again.relations} == {(r.domain, r.range) for r in o.relations}
    assert described <= set(again.by_iri)


def test_names_that_programs_write_are_read_as_words() -> None:
    assert spaced("eBook") == "e Book"
    assert spaced("bücherRegal") == "bücher Regal"


def test_the_crawl_knows_the_endings_of_the_files_that_can_be_written() -> None:
    assert set(ENDINGS) == set(FORMATS)


def test_the_graph_of_the_built_in_ontology_says_whose_it_is() -> None:
    assert "BSD-3-Clause" in {str(o) for o in read_graph("ecommerce").objects()}
