"""What makes a large harvest quick to be asked answers as what is slow and plain does."""

from __future__ import annotations

import random
from contextlib import closing
from math import log
from pathlib import Path

import numpy as np
import pytest

from fcacrawler.app.searching import index
from fcacrawler.page.text.stems import stems_of
from fcacrawler.search import Filter, Index, Opened
from fcacrawler.search.asking import greatest
from fcacrawler.search.index import read_index
from fcacrawler.search.nearness import nearness, rows, signs
from fcacrawler.search.postings import WEIGHTS, Postings, quoted
from fcacrawler.search.snippets import WORD, _places, snippet
from tests.search.harvests import harvest, item

SOME = ("tea", "leaf", "cup", "water", "pot", "rare")


def pages(first: int, count: int) -> list[object]:
    dice = random.Random(first)
    many = [*SOME[:-1]] * 4 + ["rare", "milk", "sugar"]
    return [
        item(f"http://{n}.test/", dice.choice(many), " ".join(dice.choices(many, k=dice.randrange(2, 30))))
        for n in range(first, first + count)
    ]  # fmt: skip


def plain(folder: Path, stems: list[str]) -> dict[int, float]:
    """As FTS5 has it, all stems asked for at once."""
    with closing(read_index(folder)) as db:
        match = " OR ".join(map(quoted, stems))
        found = db.execute(f"SELECT rowid, -bm25(words, {WEIGHTS}) FROM words WHERE words MATCH ?", (match,))
        return dict(found.fetchall())


def told(scores: np.ndarray) -> dict[int, float]:
    return {int(n): float(scores[n]) for n in np.flatnonzero(scores)}


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = harvest(tmp_path_factory.mktemp("jobs") / "job", pages(0, 120))
    index(folder)
    return folder


def test_stems_that_are_kept_add_up_to_what_all_of_them_say_at_once(job: Path) -> None:
    kept = Postings()
    with closing(read_index(job)) as db:
        for stems in (["tea"], ["rare", "tea"], [*SOME], ["nowhere", "cup"], ["nowhere"], []):
            assert told(kept.scores(db, dict.fromkeys(stems, 1.0))) == pytest.approx(
                plain(job, stems) if stems else {}, rel=1e-5
            )


def test_bm25_of_a_stem_by_hand(tmp_path: Path) -> None:
    """tea: 4 in the title and 1 in the text of four words; two words a page on the mean; one page of three has it.
    leaf: two of three have it, so that it says next to nothing."""
    three = [item("http://a.test/", "Tea", "tea leaf leaf"), item("http://b.test/", "Cup", "leaf")]
    index(harvest(tmp_path / "job", [*three, item("http://c.test/", "", "")]))
    with closing(read_index(tmp_path / "job")) as db:
        tea, leaf = (told(Postings().scores(db, {stem: 1.0})) for stem in ("tea", "leaf"))
    assert tea == pytest.approx({1: log(2.5 / 1.5) * 5 * 2.2 / (5 + 1.2 * (0.25 + 0.75 * 4 / 2))})
    assert leaf == pytest.approx({1: 1e-6 * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 2)), 2: 1e-6 * 2.2 / (1 + 1.2)})


def test_what_sqlite_writes_otherwise_is_asked_of_it(tmp_path: Path) -> None:
    """A micro sign is a Greek letter there."""
    index(harvest(tmp_path / "job", [item("http://a.test/", "", "5µm"), item("http://b.test/", "", "5 m")]))
    with closing(read_index(tmp_path / "job")) as db:
        assert [*told(Postings().scores(db, {"5µm": 1.0}))] == [1]
    assert plain(tmp_path / "job", ["5µm"]).keys() == {1}


def test_stems_in_a_row_are_one_more_that_has_a_weight(job: Path) -> None:
    with closing(read_index(job)) as db:
        found = told(Postings().scores(db, {"tea": 1.0, "tea leaf": 0.25}))
    one, row = plain(job, ["tea"]), plain(job, ["tea leaf"])
    assert 0 < len(row) < len(one)
    assert found == pytest.approx({n: score + 0.25 * row.get(n, 0.0) for n, score in one.items()}, rel=1e-5)


def test_what_is_kept_has_a_bound(job: Path) -> None:
    kept = Postings(most=300)
    with closing(read_index(job)) as db:
        for stem in [*SOME, *SOME]:
            assert told(kept.scores(db, {stem: 1.0})) == pytest.approx(plain(job, [stem]), rel=1e-5)
            assert sum(64 + len(posting.numbers) for posting in kept._kept.values()) == kept._size <= 300
        for n in range(9):
            kept.scores(db, {f"nowhere{n}": 1.0})
    assert 1 < len(kept._kept) < 5


def test_pages_that_come_are_found_beside_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that come late; and an index that has grown much is read again."""
    monkeypatch.setattr("fcacrawler.search.postings.LATE", 10)
    folder = harvest(tmp_path / "job", pages(0, 110))
    kept = Postings()
    with closing(Index(folder, None, "none")) as into:
        into.catch_up(100)
        with closing(read_index(folder)) as db:
            for stem in SOME[:3]:
                kept.scores(db, {stem: 1.0})
            into.catch_up(3)  # fewer than a twentieth
            now, true = told(kept.scores(db, {"tea": 1.0, "cup": 1.0})), plain(folder, ["tea", "cup"])
            assert now.keys() == true.keys()
            assert max(now) > 100
            assert now == pytest.approx(true, rel=0.1)
            into.catch_up(10)
            assert told(kept.scores(db, {"tea": 1.0, "cup": 1.0})) == pytest.approx(
                plain(folder, ["tea", "cup"]), rel=1e-5
            )


def test_of_a_large_crawl_signs_find_what_is_nearest(tmp_path: Path) -> None:
    dice = np.random.default_rng(1)
    about = dice.normal(size=(40, 64))
    wide = about[dice.integers(0, 40, 4000)] + 0.7 * dice.normal(size=(4000, 64))
    wide /= np.linalg.norm(wide, axis=1, keepdims=True)
    wide[7] = 0
    wide.astype(np.float16).tofile(tmp_path / "v")
    narrow = rows(tmp_path / "v", 64)
    recall = []
    for n in range(0, 400, 10):
        query = narrow[n].astype(np.float32) + 0.05 * dice.normal(size=64).astype(np.float32)
        true = nearness(tmp_path / "v", narrow, query)
        fast = nearness(tmp_path / "v", narrow, query, [7, 3999, 5000], whole=1000)
        best = set(np.argsort(-true)[:10].tolist())
        recall.append(len(best & set(np.argsort(-fast)[:10].tolist())) / 10)
        looked = np.flatnonzero(fast)
        assert 100 <= len(looked) <= 122
        assert 3999 in looked
        assert fast[7] == 0
        assert fast[looked] == pytest.approx(true[looked], abs=0.02)
    assert np.mean(recall) >= 0.95


def test_vectors_that_come_are_compared_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fcacrawler.search.nearness.LATE", 5)
    wide = np.random.default_rng(2).normal(size=(90, 8)).astype(np.float16)
    query = wide[80].astype(np.float32)
    for whole in (1000, 1):
        path = tmp_path / f"{whole}"
        for count in (30, 32, 90):
            now = wide[:count].copy()
            now[28:30] = 0 if count == 30 else wide[28:30]  # two that come later than the next
            now.tofile(path)
            fresh = tmp_path / f"{whole} {count}"
            now.tofile(fresh)
            found = nearness(path, rows(path, 8), query, whole=whole)
            assert found.tolist() == nearness(fresh, rows(fresh, 8), query, whole=whole).tolist()


def test_the_greatest_are_those_of_a_whole_sort() -> None:
    dice = np.random.default_rng(3)
    for _ in range(50):
        values = dice.integers(0, 6, 40).astype(np.float32)  # with many equals
        among = np.flatnonzero(dice.random(40) < 0.7)
        most = int(dice.integers(1, 30))
        assert greatest(values, among, most) == among[np.argsort(-values[among], kind="stable")][:most].tolist()


def test_signs_of_more_numbers_than_a_word_has_and_of_fewer() -> None:
    one, other = np.ones((1, 70), np.float32), np.ones((1, 70), np.float32)
    other[0, [3, 65]] = -1
    assert signs(one).shape == (1, 2)
    assert int(np.bitwise_count(signs(one) ^ signs(other)).sum()) == 2


def test_filters_are_kept_until_something_is_new(job: Path, tmp_path: Path) -> None:
    folder = harvest(tmp_path / "job", pages(0, 40))
    with closing(Index(folder, None, "none")) as into:
        into.catch_up(20)
        with closing(Opened(folder, None)) as opened:
            only = Filter(relevant=True)
            assert len(opened.allowed(only)) == len(opened.allowed(only)) == 20
            assert len(opened.allowed(Filter(host="3.test"))) == 1
            into.catch_up(20)
            assert len(opened.allowed(only)) == 40


def test_a_snippet_is_the_same_where_the_beginning_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(4)
    texts = [" ".join(dice.choices(["tea", "cup", "pot", *["water"] * 40], k=900)) for _ in range(60)]
    for wanted in ({"tea"}, {"tea", "cup"}, {"tea", "cup", "pot"}, {"rare"}, set[str]()):
        monkeypatch.setattr("fcacrawler.search.snippets.SOON", 2_000)
        fast = [snippet(text, "en", wanted) for text in texts]
        monkeypatch.setattr("fcacrawler.search.snippets.SOON", 20_000)
        assert fast == [snippet(text, "en", wanted) for text in texts]


@pytest.mark.parametrize(
    "text",
    ["Race the racing car, race-car; racecar Racing.", "Zürich zürich ZÜRICH Z", "«Race»cars İZ race’s", "", "a" * 9],
)
def test_words_of_a_snippet_are_those_of_word_by_word(text: str) -> None:
    known = stems_of("en", True)
    for wanted in ({"race"}, {"race", "car"}, {"zürich", "z"}, {"aaaaaaaaa"}, set[str]()):
        slow = [(w.start(), w.end(), s) for w in WORD.finditer(text) if (s := known[w[0].lower()]) in wanted]
        assert list(_places(text, "en", wanted)) == slow
