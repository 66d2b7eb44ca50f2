"""Who is asked what, what several say, what is learned: with numbers worked by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from fcacrawler.engines import Keyword, Lesson, Performance, Said, expanded, fused
from fcacrawler.engines.asking import Answered
from fcacrawler.engines.fusion import allotted, joined
from fcacrawler.engines.performance import KEPT, learn
from fcacrawler.engines.readers import Result
from fcacrawler.values.omega import Omega, Support
from fcacrawler.vectors import load_vectors
from fcacrawler.vectors.static import Static


def answered(engine: str, urls: str, weight: float = 1.0) -> Answered:
    return Answered(engine, "tea", weight, tuple(Result(f"http://{u}.test/", u, f"of {engine}") for u in urls))


def test_ranks_are_fused_by_performance() -> None:
    found = fused(
        [answered("good", "ab"), answered("poor", "cb"), answered("good", "d", 0.5)], {"good": 0.8, "poor": 0.2}
    )
    a, b, c, d = Fraction(8, 210), Fraction(8, 220) + Fraction(2, 220), Fraction(2, 210), Fraction(4, 210)
    assert [(one.title, one.score) for one in found] == [
        (name, round(float(score / b), 4)) for name, score in [("b", b), ("a", a), ("d", d), ("c", c)]
    ]
    assert found[0].engines == (("good", 2), ("poor", 2))


def test_what_is_known_of_a_page_counts() -> None:
    texts: list[str] = []

    def near(found: Sequence[str]) -> list[float]:
        texts.extend(found)
        return [0.0, 0.9]

    found = fused([answered("x", "ab")], {"x": 1.0}, near=near)
    assert texts == ["a. of x. ", "b. of x. "]
    assert [(one.title, one.score) for one in found] == [("b", 1.0), ("a", round((0.1 / 21) / (1.0 / 22), 4))]


def test_ties_stay_in_the_order_in_which_they_came() -> None:
    found = fused([answered("x", "ba"), answered("y", "ab")], {"x": 0.5, "y": 0.5})
    assert [one.title for one in found] == ["b", "a"]
    assert fused([], {}) == []


def test_keywords_go_to_engines_as_seats_to_parties() -> None:
    asked = allotted("tea", [f"k{n}" for n in range(9)], {"a": 0.6, "b": 0.3})
    # quotients .6, .3 | .3, .3 | .2 …: a; a and b at .3, the first of the file; b; a; a (full: topic and four)
    assert [words for words, _ in asked["a"]] == ["tea", "tea k0", "tea k1", "tea k3", "tea k4"]
    assert [words for words, _ in asked["b"]] == ["tea", "tea k2", "tea k5", "tea k6", "tea k7"]


def test_a_keyword_that_says_the_topic_is_asked_for_itself() -> None:
    assert joined("green tea", "teas of Japan") == "green teas of Japan"
    assert joined("tea", "tea") == "tea"


def test_performance_is_a_share_weighed_by_likeness() -> None:
    lessons = (Lesson("1", "x", "a", 10, 9), Lesson("2", "y", "a", 10, 0), Lesson("1", "x", "b", 4, 0))
    shares = Performance(lessons).of(
        ["a", "b", "new"], "t", lambda words, others: [{"x": 1.0, "y": -0.5}[o] for o in others]
    )
    assert shares == {
        "a": pytest.approx((2 + 9) / (4 + 10 + 1)),  # the second, of no likeness, with s = .1
        "b": pytest.approx(2 / 8),
        "new": 0.5,
    }


def test_the_file_is_bounded_and_what_is_strange_in_it_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "engines.learned.jsonl"
    learn(path, [Lesson("1", "tea", "a", 4, 1), Lesson("1", "tea", "b", 4, 1)])
    with path.open("a") as file:
        file.write('\n{"x": 1}\nnull\n[[[\n{"crawl":"z","words":7,"engine":"a","named":1,"relevant":1}\n')
    learn(path, [Lesson("1", "tea", "a", 9, 8)])  # the crawl has gone on
    assert Performance.read(path).lessons == (Lesson("1", "tea", "b", 4, 1), Lesson("1", "tea", "a", 9, 8))
    for n in range(100):
        learn(path, [Lesson(f"{n}-{k}", "w" * 300, "a", 1, 1) for k in range(100)])
    assert path.stat().st_size < 600_000
    assert len(Performance.read(path).lessons) == KEPT
    assert Performance.read(path).lessons[-1].crawl == "99-99"
    assert Performance.read(tmp_path / "none").lessons == ()


def test_what_was_said_is_kept_and_told_by_what_was_fetched(tmp_path: Path) -> None:
    said = Said("id", "tea", {"a": ("u", "v", "w", "y"), "b": ("x",)}, ("u", "v", "w", "x"))
    said.write(tmp_path / "engines.json")
    assert Said.read(tmp_path / "engines.json") == said
    known = {"u": True, "v": False, "y": True}
    assert said.lessons(known.get) == [Lesson("id", "tea", "a", 4, 2), Lesson("id", "tea", "b", 1, 0)]
    assert said.lessons(lambda url: None) == []  # a crawl that could fetch nothing
    assert Said("id", "tea", {"a": tuple("abcdefghijklm")}, ("a",)).lessons(lambda url: True)[0].named == 10
    for text in ("", "[]", "{}", '{"urls": 3}', "[" * 100_000, json.dumps({"crawl": 1, "words": 2, "urls": {"a": 3}})):
        (tmp_path / "engines.json").write_text(text)
        assert Said.read(tmp_path / "engines.json") is None


def test_keywords_tell_where_they_come_from_and_take_turns() -> None:
    omega = Omega(
        {"tea": 9, "oolong": 5, "leaf": 5, "drink": 5}, {("oolong", "tea"): Support(users=9)},
        {("tea", "leaf"): Support(users=3), ("drink", "tea"): Support(users=5)},
    )  # fmt: skip
    results = [Result("http://a.test/", "Matcha", "Matcha is a powder"), Result("http://b.test/", "Cups", "for matcha")]
    found = expanded("tea", omega, lambda words, most: [("teas", 0.9), ("coffee", 0.6), ("car", 0.1)], results)
    assert found == [
        Keyword("oolong", "the log: ISA of tea"),
        Keyword("matcha", "in 2 of the first 2 results"),
        Keyword("drink", "the log: Part-Of, the whole of tea"),
        Keyword("coffee", "near in meaning (0.60)"),
        Keyword("leaf", "the log: Part-Of, a part of tea"),
    ]  # "teas" is the topic itself
    assert expanded("tea") == []


def test_a_topic_is_said_in_other_languages_word_by_word() -> None:
    """The nearest word that is at home there; none where one word of the topic has none."""
    near = {
        "green": [("verde", 0.9), ("greens", 0.9), ("grün", 0.8)],
        "tea": [("tee", 0.7), ("thé", 0.65), ("té", 0.5)],
    }
    found = expanded("green tea", abroad=lambda word, most: near[word], languages=["de", "es", "en"])
    assert found == [Keyword("grün tee", "in de, by its vectors", alone=True)]
    questions = allotted("green tea", ["grün tee", "cup"], {"one": 0.5}, alone={"grün tee"})
    assert questions == {"one": [("green tea", 1.0), ("grün tee", 0.5), ("green tea cup", 0.5)]}


@pytest.mark.parametrize(
    ("words", "languages", "said"),
    [("railway", "de", "bahn"), ("Garten", "de en", "garden"), ("honey", "es", "miel"), ("beekeeping", "de", "")],
)
def test_the_vectors_that_ship_know_words_of_other_languages(words: str, languages: str, said: str) -> None:
    vectors = load_vectors("static")
    assert isinstance(vectors, Static)
    found = expanded(words, abroad=vectors.abroad, languages=languages.split())
    assert [keyword.words for keyword in found] == ([said] if said else [])
