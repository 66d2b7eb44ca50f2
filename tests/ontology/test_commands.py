"""The commands as a user types them, and what they answer to mistakes."""

from __future__ import annotations

from argparse import ArgumentParser
from importlib import import_module
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from fcacrawler.app.assembly import check_order
from fcacrawler.app.config import read_config
from fcacrawler.ontology.rdf import read_ontology
from fcacrawler.values.errors import FcaError
from fcacrawler.values.topics import Topic
from tests.ontology.databases import sqlite

THESAURUS = str(Path(__file__).parent / "thesaurus_de.ttl")


def scrapy(name: str, *arguments: str) -> int:
    """Run a command of ours; its exit code."""
    command = import_module(f"fcacrawler.commands.{name}").Command()
    command.settings = Settings()
    parser = ArgumentParser()
    command.add_options(parser)
    options, rest = parser.parse_known_args(arguments)
    command.run(rest, options)
    return int(command.exitcode)


def test_an_ontology_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert scrapy("ontology", "info", "ecommerce", "--topic", "book") == 0
    told = capsys.readouterr().out
    assert "193 classes" in told
    assert "\n  0 book\n" in told
    scrapy("ontology", "info", THESAURUS)
    assert "\n  Buch: Bücher, Titel\n    Roman: Debütroman, Krimi, Kriminalroman\n" in capsys.readouterr().out


def test_an_ontology_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert scrapy("ontology", "validate", "ecommerce") == 0
    assert "ecommerce: 0 errors" in capsys.readouterr().out
    bad = tmp_path / "circle.ttl"
    above = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>"
    bad.write_text(f"<urn:a> {above} <urn:b> . <urn:b> {above} <urn:a> .")
    assert scrapy("ontology", "validate", str(bad)) == 1
    assert "runs in a circle" in capsys.readouterr().out


def test_an_ontology_is_written_in_another_format(tmp_path: Path) -> None:
    out = str(tmp_path / "x.jsonld")
    assert scrapy("ontology", "export", THESAURUS, "--out", out) == 0
    assert len(read_ontology(out).classes) == 11


def test_what_a_stranger_called_a_class_cannot_reach_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hostile = tmp_path / "x.ttl"
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    hostile.write_text(f'<urn:a> a <http://www.w3.org/2002/07/owl#Class> ; {label} "tea\\u001b]0;pwned\\u0007" .')
    for action in ("info", "validate"):
        assert scrapy("ontology", action, str(hostile)) == 0
        told = capsys.readouterr().out
        assert not {c for c in told if not c.isprintable()} - {"\n"}
    assert "1 class" in told or "x: 0 errors" in told


def test_a_database_is_learned_from(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "shop.ttl")
    assert scrapy("learn-ontology", sqlite(tmp_path), "--out", out, "--language", "en") == 0
    told = capsys.readouterr().out
    assert "Rule 1: table writer merged with author: their primary keys hold the same values" in told
    assert "25 tables: 21 classes, 11 properties, 3 sub-classes" in told
    assert "e-book" in {w.text for c in read_ontology(out).classes for w in c.words}


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        (["ontology"], "scrapy ontology info ecommerce"),
        (["ontology", "show", "ecommerce"], "scrapy ontology info ecommerce"),
        (["ontology", "info", "nothing.ttl"], "No such file"),
        (["ontology", "info", "ecommerce", "--topic", "bok"], "nearest names are"),
        (["ontology", "export", "ecommerce", "--out", "x.pdf"], "must end in one of"),
        (["ontology", "export", "ecommerce", "--out", "no/such/folder/x.ttl"], "No such file or directory"),
        (["learn-ontology"], "sqlite:///shop.db"),
        (["learn-ontology", "sqlite:///x.db"], "--out shop.ttl"),
        (["learn-ontology", "sqlite:///nowhere.db", "--out", "x.ttl"], "no such file"),
    ],
)
def test_a_mistake_is_told_with_its_remedy(
    arguments: list[str], remedy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        assert scrapy(*arguments)
        told = capsys.readouterr().err
    except UsageError as error:
        told = str(error)
    assert remedy in told


@pytest.mark.parametrize(
    ("arguments", "topic", "remedy"),
    [
        ({}, "boook", "nearest names are book"),
        ({"ontology": "nothing.ttl"}, "book", "No such file"),
        ({"ontology": "sqlite:///nowhere.db"}, "book", "no such file"),
        ({"ontology": " , "}, "book", "no ontology is named"),
    ],
)
def test_a_crawl_that_cannot_work_is_refused_before_it_starts(
    arguments: dict[str, str], topic: str, remedy: str
) -> None:
    config = read_config({"FCA_VECTORS": "none"}, {"order": "ontology", **arguments})
    with pytest.raises(FcaError, match=remedy):
        check_order(config, Topic(topic))
    with pytest.raises(FcaError, match="must end in one of"):
        read_config({"FCA_ONTOLOGY_OUT": "learned.pdf"})
