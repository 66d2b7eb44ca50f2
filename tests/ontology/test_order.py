"""The order ``ontology``: its ranks by hand, what it learns, how it explains, and what it owes the crawl."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given as given_examples
from hypothesis import settings
from hypothesis import strategies as st

from fcacrawler.crawl.crawl import Crawl
from fcacrawler.crawl.options import CrawlOptions
from fcacrawler.frontier.memory import MemoryFrontier
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.judge.profile import Profile
from fcacrawler.judge.topic_judge import TopicJudge
from fcacrawler.ontology.export import write_graph
from fcacrawler.ontology.history import learned_counts, learned_graph, learned_lines
from fcacrawler.ontology.options import OntologyOptions
from fcacrawler.ontology.rdf import read_graph
from fcacrawler.ontology.topics import UnknownTopic
from fcacrawler.orders import Given
from fcacrawler.orders.meanings import meanings
from fcacrawler.orders.papers.ontology import OntologyOrder
from fcacrawler.page import key_of, keys_of, terms, vector, words_in_urls
from fcacrawler.values.links import Candidate, Evidence, Link
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.topics import Topic
from fcacrawler.values.verdicts import Judged
from tests.ontology.databases import sqlite

SHOP = "http://shop.test/"
BOOK = "A novel by a well-known author, paperback, from a small publisher. The book has many chapters and readers."
LAMP = "A lamp with a linen shade. Its price is low, its delivery quick, its warranty long. Add to basket."


def url(name: str) -> str:
    return SHOP + name


def page(name: str, text: str = "", links: str = "", depth: int = 1, evidence: tuple[Evidence, ...] = ()) -> SeenPage:
    """Links are "name=anchor text; name=…"."""
    pairs = [pair.split("=") for pair in links.split(";") if pair.strip()]
    made = tuple(Link(url(n.strip()), a.strip(), "", k) for k, (n, a) in enumerate(pairs))
    return SeenPage(url(name), name, "en", depth, (), vector(text, "en"), made, evidence, text)


def candidate(name: str, *parents: SeenPage) -> Candidate:
    evidence = tuple(
        Evidence(p.url, link.anchor, link.context, link.position, len(p.links))
        for p in parents
        for link in p.links
        if link.url == url(name)
    )
    return Candidate(*key_of(url(name))[:1], url(name), "shop.test", 1, evidence)


def given(topic: str = "book", **options: Any) -> Given:
    profile = Profile(Topic(topic), vector, words_in_urls)
    chosen = {f"ontology_{name}" if name else "ontology": value for name, value in options.items()}
    return Given(Topic(topic), profile, TopicJudge(profile), ontology=OntologyOptions(**chosen))


def order(topic: str = "book", **options: Any) -> OntologyOrder:
    return OntologyOrder(given(topic, **options))


def observe(o: OntologyOrder, p: SeenPage, relevance: float = 0.0) -> float:
    return o.observe(p, Judged(relevance, relevance))


def test_the_rank_of_a_link_by_hand() -> None:
    """Topic book, n = 1/2, half = 1/10, nothing added to short texts, no learning.

    The parent "book novel lamp lamp": 1 + 1/4 + 0 of 5 words with its title "p": x = 1.25/4 (p is no word).
    W(lighting): lighting → furniture → product → book, 1/8 each: x = (1 + 1/4 + 2/8)/4 = 3/8; S = x/(x + 1/10).
    The link "paperback": book format → paperback, 1/4 of 1 word.
    """
    o = order(discount=0.5, half=0.1, short=0, learning="off")
    parent = page("p", "book novel lamp lamp", "x=paperback", depth=0)
    content_of_parent = (3 / 8) / (3 / 8 + 1 / 10)
    assert observe(o, parent) == pytest.approx(content_of_parent)
    words = (1 / 4) / (1 / 4 + 1 / 10)
    content = (words + content_of_parent) / 2
    profile = vector("book", "en")  # one word: ω = 1
    likeness = 1 / math.sqrt(1 + 1 + 4)  # of book, novel, lamp twice
    assert list(profile.values()) == [1.0]
    link = (0 + 1.0 * likeness) / 2  # the anchor has not the topic's word; no child has been crawled: λ = 1
    found = o.explain(candidate("x", parent))
    assert found.features["content"] == pytest.approx(content)
    assert found.features["link"] == pytest.approx(link)
    assert o.rank([candidate("x", parent)]) == [pytest.approx((content + link) / 2)]


def test_children_on_the_topic_reinforce_their_parents() -> None:
    o = order(short=0, half=0.1)
    hub = page("hub", BOOK, "a=one; b=two; c=three; d=four", depth=0)
    observe(o, hub)
    assert o.explain(candidate("d", hub)).features["reinforcement"] == 1.0
    for name, text in (("a", BOOK), ("b", LAMP), ("c", LAMP)):
        observe(o, page(name, text))
    o.weigh_anew()  # what a crawl does after every 25 pages
    assert o.explain(candidate("d", hub)).features["reinforcement"] == pytest.approx((1 + 0.5) / (3 + 0.5))


def test_the_mean_of_the_parents_counts_and_not_their_sum() -> None:
    o = order()
    good, bad = page("good", BOOK, "x=more", depth=0), page("bad", LAMP, "x=more", depth=0)
    observe(o, good)
    observe(o, bad)
    one, both = candidate("x", good), candidate("x", good, bad)
    assert o.rank([both])[0] < o.rank([one])[0]
    assert o.rank([candidate("unheard")]) == [0.0]


def crawled(**options: Any) -> OntologyOrder:
    """An order after ten pages on books and ten on lamps that call themselves products for readers."""
    o = order(short=0, half=0.2, every=5, **options)
    for n in range(10):
        observe(o, page(f"b{n}", BOOK))
        observe(o, page(f"l{n}", LAMP + " For readers: this product, this article, this item."))
    o.weigh_anew()
    return o


def test_classes_on_topic_pages_gain_weight_and_classes_elsewhere_lose_it() -> None:
    knowledge = crawled().knowledge
    names = {c.name: c.iri for c in knowledge.ontology.classes}
    gained = {n: knowledge.weights[names[n]] / knowledge.prior[names[n]] for n in ("author", "product", "library")}
    assert knowledge.counts.pages == 20
    assert knowledge.counts.on_topic == 10
    assert gained["author"] == pytest.approx((10 + 5 * 0.5) / (10 + 5) / 0.5)  # on 10 pages, all on topic: 5/3
    assert gained["product"] == pytest.approx((0 + 5 * 0.5) / (10 + 5) / 0.5)  # on 10 pages, none on topic: 1/3
    assert gained["library"] == 1.0


def test_as_printed_they_go_the_other_way_and_without_learning_nowhere() -> None:
    printed = crawled(learning="printed").knowledge
    names = {c.name: c.iri for c in printed.ontology.classes}
    assert printed.weights[names["author"]] < printed.prior[names["author"]]
    off = crawled(learning="off").knowledge
    assert off.weights == off.prior


def test_what_was_learned_is_written_with_its_history_and_a_crawl_starts_from_it(tmp_path: Path) -> None:
    first = crawled().knowledge
    file = str(tmp_path / "learned.ttl")
    write_graph(learned_graph(first), file)
    read = learned_counts(read_graph(file))
    assert (read.pages, read.on_topic, read.seen) == (20, 10, first.counts.seen)
    assert Counter(read.hits) == Counter(first.counts.hits)
    names = {c.iri: c.name for c in first.ontology.classes}
    lines = learned_lines(read_graph(file), names)
    author = next(line for line in lines if line.startswith("author "))
    assert author.startswith("author 0.30 → 0.41 (6 pages) → 0.44 (11 pages)")
    second = order(**{"": file, "short": 0, "half": 0.2})
    assert second.knowledge.weights == pytest.approx(first.weights)
    observe(second, page("b", BOOK), 0.9)
    second.weigh_anew()
    assert second.knowledge.counts.pages == 21
    other = order("lamp", **{"": file})
    assert other.knowledge.counts.pages == 0  # learned for another topic


def test_an_explanation_names_classes_weights_words_and_parts() -> None:
    o = crawled()
    found = o.explain_page(page("b0", BOOK))
    assert found.base_concept["intent"] == ["book"]
    before, now = found.current_concept["weights"]["author"]
    assert (before, now) == (0.3, 0.5)
    assert ("author", "author", 0.5) in found.matched
    assert ("paperback", "paperback") in {(word, name) for word, name, _ in found.matched}
    parent = page("b0", BOOK, "x=hardcover novel")
    told = o.explain(candidate("x", parent))
    assert told.int_ == told.features["content"]
    assert told.ext == told.features["link"]
    assert all(meanings(told.features)[name] for name in told.features)
    assert (found.w, found.int_) == (0.0, found.rank)
    assert told.rank == pytest.approx(told.w * told.ext + (1 - told.w) * told.int_)
    assert {w for w, _, _ in told.matched} == {"hardcover", "novel"}
    assert told.base_concept["extent"] == [url("b0")]


def test_a_database_joins_the_ontology_of_a_crawl(tmp_path: Path) -> None:
    with_database = order(**{"": f"ecommerce, {sqlite(tmp_path)}", "short": 0, "learning": "off"})
    without = order(short=0, learning="off")
    text = "Mara Lindqvist signs on Friday"  # an author of the sample shop's
    assert observe(without, page("x", text)) == 0.0
    assert observe(with_database, page("x", text)) > 0.0


def test_what_comes_into_a_database_while_crawling_joins_the_ontology(tmp_path: Path) -> None:
    """Rules 1 and 2 make a class of the new table and a property of its foreign key; its names become words."""
    database = sqlite(tmp_path, "CREATE TABLE book (isbn TEXT PRIMARY KEY, title TEXT);")
    o = order(**{"": f"ecommerce,{database}", "short": 0, "reread": 2, "every": 1000})
    parent = page("p", BOOK, "x=Hesperia; y=harbour", depth=0)
    observe(o, parent)
    before = o.rank([candidate("x", parent), candidate("y", parent)])
    assert before[0] == before[1]
    sqlite(
        tmp_path,
        """CREATE TABLE bindery (name TEXT PRIMARY KEY);
        INSERT INTO bindery VALUES ('Hesperia'), ('Nadir'), ('Quince');
        DROP TABLE book;
        CREATE TABLE book (isbn TEXT PRIMARY KEY, title TEXT, bindery TEXT REFERENCES bindery (name));
        INSERT INTO book VALUES ('1', 'A', 'Hesperia'), ('2', 'B', 'Nadir'), ('3', 'C', 'Quince');""",
    )
    observe(o, page("q", BOOK, depth=2))  # the second page: the database is read again
    after = o.rank([candidate("x", parent), candidate("y", parent)])
    assert after[0] > after[1]
    names = {c.name: c.iri for c in o.knowledge.ontology.classes}
    assert o.knowledge.prior[names["bindery"]] == o.knowledge.prior[names["author"]] == 0.3  # a step from book
    assert o.explain(candidate("x", parent)).matched == (("hesperia", "bindery", 0.3),)


def test_a_database_that_is_gone_or_has_lost_the_topic_changes_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    database = sqlite(tmp_path, "CREATE TABLE tome (isbn TEXT PRIMARY KEY, title TEXT);")
    o = order("tome", **{"": database, "reread": 1})
    known = o.knowledge.ontology
    sqlite(tmp_path, "DROP TABLE tome; CREATE TABLE lamp (no TEXT PRIMARY KEY);")
    observe(o, page("p", BOOK))
    (tmp_path / "shop.db").unlink()
    observe(o, page("q", BOOK))
    assert o.knowledge.ontology == known
    assert "the ontology is not read again" in caplog.text


def test_a_topic_that_the_ontology_has_not_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UnknownTopic, match="nearest names are"):
        order("boook")


WEB = [
    page("s", BOOK, "a=a novel; b=lamps; c=poetry", depth=0),
    page("a", BOOK, "d=thriller; b=lamps"),
    page("b", LAMP, "e=delivery; f=warranty; a=novel"),
    page("c", BOOK + " poems and verse", "s=home; g=author"),
    page("d", BOOK, "h=publisher"),
    page("e", "", "i=payment"),
    page("g", "An author", ""),
]
OPTIONS: list[dict[str, Any]] = [
    {},
    {"learning": "off"},
    {"learning": "printed"},
    {"context": "pagerank"},
    {"relevance": "raw"},
    {"matches": "all"},
    {"nouns": False},
    {"hits": "judge"},
    {"propagation": 0.5},
    {"priority": "product"},
    {"reread": 2},
]


def fetches(**options: Any) -> list[str]:
    told = given(every=2, **options)
    frontier, o = MemoryFrontier(FrontierOptions()), OntologyOrder(told)
    crawl = Crawl(CrawlOptions(patience=0, tunnel=10**6), frontier, told.judge, o, keys_of)
    pages = {p.url: p for p in WEB}
    crawl.seed([Candidate(key_of(url("s"))[0], url("s"), "shop.test", 0)])
    names = []
    while (entry := crawl.next(lambda host: True)) is not None:
        names.append(entry.candidate.url.removeprefix(SHOP))
        crawl.finished(entry.candidate.key)
        if (found := pages.get(entry.candidate.url)) is not None:
            crawl.visit(replace(found, depth=entry.candidate.depth, evidence=entry.candidate.evidence))
    return names


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_everything_is_fetched_once_and_always_in_the_same_order(options: dict[str, Any]) -> None:
    names = fetches(**options)
    assert sorted(names) == sorted("sabcdefghi")
    assert fetches(**options) == names


def test_books_come_before_lamps() -> None:
    names = fetches(short=20)
    assert max(map(names.index, "acdh")) < min(map(names.index, "ef"))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_ranks_lie_in_the_unit_and_asking_for_them_changes_nothing(options: dict[str, Any]) -> None:
    told = given(every=2, **options)
    o = OntologyOrder(told)
    for p in WEB:
        rank = o.observe(p, told.judge.observe(p))
        assert 0 <= rank <= 1
        asked = [candidate("b", *WEB[:2]), candidate("zz"), candidate("d", WEB[1])]
        first = list(o.rank(asked))
        assert all(0 <= r <= 1 for r in first)
        assert [o.explain(c).rank for c in asked] == first == list(o.rank(asked))
        why = o.explain_page(p)
        assert why.rank == why.features["content"]


words = st.lists(st.sampled_from("book novel lamp author price rain the".split()), max_size=12).map(" ".join)


@settings(max_examples=40)
@given_examples(words, words, words)
def test_more_words_of_the_topic_never_lower_a_page_of_one_length(one: str, other: str, filler: str) -> None:
    o = order(learning="off")
    count = Counter(terms(one, "en"))
    better = page("x", f"{one} {filler} book")
    worse = page("y", f"{one} {filler} rain")
    assert observe(o, better) >= observe(o, worse)
    assert count == Counter(terms(one, "en"))
