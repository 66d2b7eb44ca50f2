"""What was fetched is found: by its words, by what it means, in any language."""

from __future__ import annotations

import math
from bisect import bisect
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fcacrawler.app.config import Config
from fcacrawler.app.searching import opened
from fcacrawler.page.text.stems import stems
from fcacrawler.search import Filter, Index, Opened, Query, ask, browse
from fcacrawler.search.asking import alike
from fcacrawler.search.evidence import Unsure
from fcacrawler.search.snippets import snippet
from fcacrawler.values.errors import FcaError
from fcacrawler.vectors import VectorOptions
from fcacrawler.vectors.static import Rows, Static
from tests.search.harvests import fetch, found, frontier, harvest, item, urls

TEA, CAR = "http://tea.test/green", "http://cars.test/racing"
WORDS = replace(Config(), vectors=VectorOptions("none"))
PAGES = (
    item(TEA, "Green tea", "Leaves are steamed, dried and poured over with hot water.", relevant=True, semrank=0.9),
    item(CAR, "Motor racing", "Drivers race their cars around a circuit.", relevant=False, semrank=0.1),
    item("http://cars.test/wash", "Washing", "How to wash a racing car.", fetched_at="2026-06-01T00:00:00+00:00"),
    item("http://de.test/", "Reisen", "Die Züge fahren pünktlich durch die Berge.", language="de"),
    item("http://zh.test/", "赛车", "一级方程式赛车是最高级别的比赛。", language="zh"),
)


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return harvest(tmp_path_factory.mktemp("jobs") / "job", PAGES)


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return harvest(tmp_path_factory.mktemp("jobs") / "job", PAGES[:3])


@pytest.mark.parametrize(
    ("words", "best"),
    [
        ("steaming leaves", TEA),  # by stems
        ("GREEN TEA", TEA),
        ("http://cars.test/racing", CAR),  # by its URL
        ("Berg Zug", "http://de.test/"),  # by stems of the page's language
        ("比赛", "http://zh.test/"),  # where there are no spaces
        ("一級方程式", "http://zh.test/"),  # in traditional characters
        ("beverage", TEA),  # by what it means: the word is nowhere
        ("automobile race", CAR),
    ],
)
def test_the_page_that_was_meant_comes_first(job: Path, words: str, best: str) -> None:
    assert urls([job], words)[0] == best


@pytest.mark.parametrize(
    ("only", "left"),
    [
        (Filter(host="cars.test"), {CAR, "http://cars.test/wash"}),
        (Filter(language="de"), set()),
        (Filter(relevant=True), {"http://cars.test/wash"}),
        (Filter(least=0.5), {"http://cars.test/wash"}),
        (Filter(since="2026-05-31"), {"http://cars.test/wash"}),
        (Filter(since="2026-05-31", relevant=True, host="tea.test"), set()),
    ],
)
def test_filters_leave_only_such_pages(job: Path, only: Filter, left: set[str]) -> None:
    assert set(urls([job], "cars", only=only)) == left


def test_facets_count_what_was_found(job: Path) -> None:
    answer = found([job], "car")
    assert dict(answer.facets.hosts)["cars.test"] == 2
    assert answer.count == sum(n for _, n in answer.facets.hosts) == sum(n for _, n in answer.facets.languages)


def test_pages_come_in_pages(job: Path) -> None:
    everything = urls([job], "car tea", n=10)
    assert urls([job], "car tea", n=1) + urls([job], "car tea", n=1, skip=1) == everything[:2]
    assert urls([job], "car tea", skip=1000) == []


def test_copies_stand_under_their_original(tmp_path: Path) -> None:
    copies = [item(f"http://{n}.test/", "Green tea", "steamed leaves", duplicate_of=TEA) for n in "ab"]
    one = harvest(tmp_path / "1", [PAGES[0], *copies])
    (hit,) = found([one], "green tea").hits
    assert (hit.url, set(hit.copies)) == (TEA, {"http://a.test/", "http://b.test/"})
    other = harvest(tmp_path / "2", [PAGES[0], PAGES[1]])
    assert urls([one, other], "green tea")[:1] == [TEA]
    assert urls([one, other], "green tea").count(TEA) == 1


def test_several_harvests_are_searched_as_one(tmp_path: Path) -> None:
    one, other = harvest(tmp_path / "1", PAGES[:1]), harvest(tmp_path / "2", PAGES[1:3])
    assert urls([one, other], "tea leaves")[0] == TEA
    assert urls([one, other], "motor racing")[0] == CAR


def test_a_page_without_a_text_of_its_own_in_the_store_is_found_by_what_the_judge_read(tmp_path: Path) -> None:
    page = item(TEA, "Green", "steamed leaves")
    with closing(frontier(tmp_path / "job")) as into:
        into.done(fetch(into, page, replace(page, text="")))
    (hit,) = found([tmp_path / "job"], "steam").hits
    assert ("steamed", True) in hit.snippet


QUERIES = [
    'say "', "NEAR(tea", "tea AND", "title:tea", "tea*", "^tea", "(tea", "tea' OR 1=1 --", "{tea}", "tea\0", "-tea",
    "tea \ud800", "tea + - ~ \\", "tea " + " ".join(f"word{n}" for n in range(10_000)),
]  # fmt: skip


@pytest.mark.parametrize("words", QUERIES, ids=range(len(QUERIES)))
def test_whatever_is_typed_is_words(english: Path, words: str) -> None:
    assert urls([english], words)[0] == TEA


@pytest.mark.parametrize("words", ["", "  ", "?!", '"*"'])
def test_a_query_without_a_word_is_refused_with_a_remedy(job: Path, words: str) -> None:
    with pytest.raises(FcaError, match="no word to look for: say some"):
        found([job], words)


def test_what_is_left_out_of_a_long_query_is_told(job: Path) -> None:
    assert found([job], " ".join(f"word{n}" for n in range(150))).notes == (
        "only the first 64 of 150 different words are looked for",
    )


def test_a_score_is_the_sum_of_its_evidence(tmp_path: Path) -> None:
    """Four pages of two words with vectors that are given; worked by hand."""
    codes, book = np.array([[0], [1]], np.uint8), np.zeros((1, 256, 2), np.float16)
    book[0, :2] = np.eye(2)
    vectors = Static(["tea", "car"], Rows.of(codes, book, codes[:0], book, np.ones(2, np.float16)), ["en"])
    texts = ("tea tea", "tea car", "car car", "car")
    folder = harvest(tmp_path / "job", [item(f"http://{n}.test/", t, t) for n, t in enumerate(texts)])
    with closing(Index(folder, vectors, "two words")) as index:
        index.catch_up()
    with closing(Opened(folder, vectors)) as job:
        answer = {hit.url: hit.score for hit in ask([job], Query("tea")).hits}
        words = job.worded({"tea": 1.0}, Filter(), 10)
    cosines = np.array([1, math.sqrt(0.5), 0, 0])  # a zero is no vector's: such pages are not near to anything
    known = cosines[:2]
    z = (known - known.mean()) / known.std()
    assert z.tolist() == pytest.approx([1, -1])
    assert sorted(words) == [1, 2]
    p = 1 / (1 + math.exp(words[2] - words[1]))  # that the first is meant; the entropy of (p, 1 - p):
    entropy = -p * math.log(p) - (1 - p) * math.log(1 - p)
    titles = 1 + 6 * (entropy / math.log(500)) ** 2  # vectors are not sure of anything: the best z is 1
    assert answer["http://0.test/"] == pytest.approx(words[1] + 1 + titles * 6 * 1, abs=0.01)
    assert answer["http://1.test/"] == pytest.approx(words[2] - 1 + titles * 6 * 0.125, abs=0.01)


def test_vectors_that_are_sure_weigh_as_much_as_words_leave_open() -> None:
    """Of 300 pages three are near (z = 4), 500 by words are alike: v = min(1.6, 4 - 2.4), x = 1."""
    near = np.array([4.0] * 4 + [0.1] * 296, np.float32)
    alike = [2.0] * 500
    assert Unsure.of(alike, [near]) == pytest.approx((1.0, 1 + 15 * 1.6, 1 + 15 * 1.6))
    near[:4] = 2.6  # v = .2
    assert Unsure.of(alike, [near]) == pytest.approx((1.0, 1 + 15 * 0.2, 1 + 6))
    assert Unsure.of([50.0, 2.0], [near]) == pytest.approx((0.0, 1.0, 1.0), abs=1e-6)


def test_words_in_a_row_are_found_where_they_stand_so(tmp_path: Path) -> None:
    """By words alone the page with more of them would be first."""
    pages = [
        item("http://1.test/", "One", "a cup in the pot, the tea of a leaf. " * 3),
        item("http://2.test/", "Two", "They poured a pot of cup leaf tea."),
    ]
    others = [item(f"http://other.test/{n}", "", "The weather is fine today, the sun is out.") for n in range(30)]
    folder = harvest(tmp_path / "job", [*pages, *others], WORDS)
    assert urls([folder], "tea pot leaf cup")[0] == "http://1.test/"
    assert urls([folder], "pot of cup leaf tea")[0] == "http://2.test/"


def test_what_means_nearly_the_same_is_like_a_page_and_the_page_itself_is_not(job: Path) -> None:
    with opened([job]) as jobs:
        row = jobs[0].at(CAR)
        assert row is not None
        hits = alike(jobs, jobs[0], row, Query("")).hits
    assert hits[0].url == "http://cars.test/wash"
    assert CAR not in {hit.url for hit in hits}


def test_a_page_in_the_querys_language_comes_before_those_that_mean_something_alike(job: Path) -> None:
    assert urls([job], "pünktliche Züge")[0] == "http://de.test/"


def test_without_vectors_words_are_found(tmp_path: Path) -> None:
    folder = harvest(tmp_path / "job", PAGES, WORDS)
    assert urls([folder], "steaming") == [TEA]
    assert urls([folder], "beverage") == []


@pytest.mark.parametrize(
    ("text", "language", "words", "marked"),
    [
        ("It was a happy day", "en", "happiness", ["happy"]),
        ("Er fährt. Wir fahren.", "de", "Fahrt", ["fährt"]),
        ("在上海举行的赛车比赛", "zh", "比赛", ["比赛"]),
        ("nothing of it here", "en", "tea", []),
        ("", "en", "tea", []),
    ],
)
def test_a_snippet_marks_the_words_of_the_query(text: str, language: str, words: str, marked: list[str]) -> None:
    pieces = snippet(text, language, set(stems(words, language).split()))
    assert [piece for piece, is_marked in pieces if is_marked] == marked
    assert "".join(piece for piece, _ in pieces) == text


@pytest.mark.parametrize(
    ("language", "sentence", "asked"),
    [("zh", "神经网络由许多单元组成，", "线性代数"), ("ja", "機械はデータから学びます。", "線形代数")],
)
def test_a_snippet_without_spaces_is_cut_at_marks(language: str, sentence: str, asked: str) -> None:
    pieces = snippet(sentence * 30 + asked + "。" + sentence * 30, language, {asked})
    assert [text for text, found in pieces if found] == [asked]
    assert pieces[1][0] == sentence * (len(pieces[1][0]) // len(sentence))
    assert pieces[-2][0].endswith(sentence)


def test_a_snippet_is_where_most_of_the_words_stand() -> None:
    text = "tea " + "filler " * 200 + "green tea is steamed " + "filler " * 200
    pieces = snippet(text, "en", {"green", "tea", "steam"})
    assert [piece for piece, marked in pieces if marked] == ["green", "tea", "steamed"]
    assert pieces[0][0] == "… "
    assert sum(len(piece) for piece, _ in pieces) < 260


BOATS = [item(f"http://{n}.test/", f"Race {n}", "a race", keywords={"race": 1.0, w: 0.5}, semrank=0.9 - n / 100)
         for n, w in enumerate(["car"] * 6 + ["boat"] * 4 + ["horse"] * 3)]  # fmt: skip


def test_where_nothing_is_asked_for_the_first_pages_show_what_there_is(tmp_path: Path) -> None:
    with opened([harvest(tmp_path / "job", BOATS)]) as jobs:
        answer = browse(jobs, Query("", 3))
        assert sorted(bisect([6, 10], int(hit.title.split()[1])) for hit in answer.hits) == [0, 1, 2]  # one of each
        assert answer.facets.concepts == ((("race", "car"), 6), (("race", "boat"), 4), (("race", "horse"), 3))
        only = browse(jobs, Query("", only=Filter(concept=("race", "boat"))))
        assert [hit.number for hit in only.hits] == [7, 8, 9, 10]


def test_a_concept_narrows_what_is_found_by_words_and_by_meaning(tmp_path: Path) -> None:
    folder = harvest(tmp_path / "job", BOATS)
    assert len(urls([folder], "race", only=Filter(concept=("horse",)))) == 3
    assert urls([folder], "race", only=Filter(concept=('horse" OR "race',))) == []


def test_keywords_are_proposed_that_begin_so(tmp_path: Path) -> None:
    pages = [item(f"http://{n}.test/", "Race", "", keywords={"race car": 1.0, "racing": 0.5}) for n in range(2)]
    with opened(
        [harvest(tmp_path / "job", [*pages, item("http://3.test/", "", "raceway", keywords={"race": 1.0})])]
    ) as (job,):
        assert job.keywords("race", 5) == ["race car", "race"]
        assert job.keywords("Race C", 5) == ["race car"]
        assert job.keywords("way", 5) == []
