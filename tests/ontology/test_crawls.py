"""Whole crawls of the shop web through Scrapy: a foreign thesaurus in German, products, what is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fcacrawler.app.config import Config
from fcacrawler.ontology.export import graph_of
from fcacrawler.ontology.options import OntologyOptions
from fcacrawler.ontology.rdf import BadOntology, read_graph, read_ontology
from fcacrawler.spiders.ontology import OntologySpider
from fcacrawler.worlds import COMPUTED
from tests.crawling import Outcome, crawl
from tests.webs.shops import ShopsWorld

THESAURUS = str(Path(__file__).parent / "thesaurus_de.ttl")
WORLD = ShopsWorld()


@pytest.fixture(autouse=True)
def _shops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMPUTED, "shops", lambda recipe: WORLD)


def shops(pages: int, out: str = "", **arguments: Any) -> Outcome:
    settings = {"FCA_WORLD": "shops", "FCA_ONTOLOGY_OUT": out, "FCA_VECTORS": "none"}
    return crawl(OntologySpider, settings, pages=str(pages), **arguments)


def share(outcome: Outcome, label: str) -> float:
    relevant = WORLD.relevant(label)
    return sum(item.url in relevant for item in outcome.items) / len(outcome.items)


def test_a_foreign_thesaurus_in_german_leads_a_crawl_to_german_books() -> None:
    seeds = "http://www.werkhof.test/,http://www.buchfink.test/"
    outcome = shops(80, topic="Bücher", ontology=THESAURUS, seeds=seeds)
    assert len(outcome.items) == 80
    assert share(outcome, "buch") > 0.8
    explained = [item.explanation for item in outcome.items if item.relevant]
    assert {"Buch", "Roman"} <= {name for e in explained for _, name, _ in e["matched"]}


def test_only_what_a_crawl_has_written_is_written_over(tmp_path: Path) -> None:
    mine = tmp_path / "mine.ttl"
    mine.write_text(graph_of(read_ontology("ecommerce")).serialize(format="turtle"), "utf-8")
    before = mine.read_bytes()
    with pytest.raises(BadOntology, match="no crawl has written it: name another one"):
        OntologySpider.check(Config(ontology=OntologyOptions(ontology_out=str(mine))))
    shops(5, str(mine), topic="book")
    assert mine.read_bytes() == before
    learned = tmp_path / "learned.ttl"
    for _ in range(2):
        shops(5, str(learned), topic="book")
        OntologySpider.check(Config(ontology=OntologyOptions(ontology_out=str(learned))))


def test_items_carry_the_products_and_what_was_learned_is_kept(tmp_path: Path) -> None:
    out = str(tmp_path / "new" / "learned.ttl")
    outcome = shops(60, out, topic="book")
    sold = [item.product for item in outcome.items if item.product]
    assert len(sold) > 10
    assert all(isinstance(p["price"], float) and p["currency"] in ("EUR", "GBP", "USD") for p in sold)
    assert {"InStock"} <= {p["availability"] for p in sold} <= {"InStock", "OutOfStock"}
    assert read_ontology(out).classes == read_ontology("ecommerce").classes
    assert len(read_graph(out)) > len(read_graph("ecommerce"))
