"""What is learned while crawling, against the same by dense linear algebra, and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.judge.page_links import PageLinks
from fcacrawler.lowlevel.numbers import UNKNOWN
from fcacrawler.orders.semrank.features import loc, path, place
from fcacrawler.orders.semrank.folders import folders
from fcacrawler.orders.semrank.groups import GroupTable
from fcacrawler.orders.semrank.known import Groups, Known, Links, Said, Worth
from fcacrawler.orders.semrank.learning import Calibration, WordOutcomes
from fcacrawler.orders.semrank.neighbours import DOUBT, Neighbours, whole
from fcacrawler.orders.semrank.page_table import PageTable
from fcacrawler.orders.semrank.places import code, groups
from fcacrawler.page.text.short_texts import SPACE
from fcacrawler.values.verdicts import Judged
from tests.orders.pages import page

NOTHING = Said(np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0))


def known(harvest: PageTable, stands: list[list[int]], places: list[list[int]], rates: Groups | None = None) -> Known:
    """Candidates with a link each, and a name each."""
    each = np.arange(max(len(stands), len(places)))
    links = Links(
        np.arange(len(each) + 1),
        each,
        each,
        np.array([[*s, 0] for s in stands] or np.zeros((0, 3)), np.int64),
        NOTHING,
        NOTHING,
        np.array(places or np.zeros((0, 4)), np.int32),
        np.array(places or np.zeros((0, 4)), np.int32),
        np.full(len(each), UNKNOWN, np.int32),
        np.ones(len(each), np.int64),
    )
    rates = rates or GroupTable(1.0).known
    return Known(
        links, harvest.pages, rates, rates, np.zeros(1), np.zeros(1), Worth(np.zeros(1), np.zeros(1), 0.0), 0.0
    )


def locs(harvest: PageTable, parents: list[int], slots: list[int]) -> np.ndarray:
    found = np.empty(len(parents))
    loc(known(harvest, [[p, s] for p, s in zip(parents, slots, strict=True)], []), found)
    return found


def rates(places: GroupTable, urls: list[str], base: float) -> np.ndarray:
    harvest, found = PageTable(PageLinks()), np.empty(len(urls))
    harvest.base = base
    place(known(harvest, [], [folders(u) for u in urls], places.known), found)
    return found


def test_word_outcomes_are_the_ridge_regression_of_relevance_on_words() -> None:
    rng = np.random.default_rng(1)
    rows = rng.random((7, 4)) * (rng.random((7, 4)) < 0.6)
    relevance = rng.random(7)
    words = WordOutcomes(kept=100, pull=1.0, trust=0.6)
    for n, row in enumerate(rows):
        ids = np.flatnonzero(row)
        words.add(n, ids, row[ids])
    hint = np.zeros(SPACE)
    hint[:6] = rng.random(6)
    words.learn(relevance, hint)
    y = relevance - relevance.mean()
    hint = hint * 0.6 * y.std() / (rows @ hint[:4]).std()
    expected = np.linalg.solve(rows.T @ rows + np.eye(4), rows.T @ y + hint[:4])
    np.testing.assert_allclose(worth(words)[:4], expected, atol=1e-6)
    assert words.mean == pytest.approx(relevance.mean())


def test_by_hand_a_word_that_has_stood_at_no_link_is_worth_its_hint_in_anchors_urls_and_contexts() -> None:
    words = WordOutcomes(kept=100, pull=1.0, trust=0.6)
    for n in range(2):
        words.add(n, np.array([n]), np.array([1.0]))
    hint = np.zeros(SPACE)
    hint[[0, 5]] = 0.2, 0.7
    words.learn(np.array([1.0, 0.0]), hint)  # sd(y) is .5, that of what the hint makes of the two rows .1: three times
    assert worth(words)[[5, SPACE + 5, 2 * SPACE + 5]] == pytest.approx([2.1] * 3)
    assert worth(words)[:2] == pytest.approx([(0.5 + 0.6) / 2, -0.5 / 2])


def test_a_hint_that_says_nothing_of_the_links_so_far_is_not_blown_up() -> None:
    words = WordOutcomes(kept=100, pull=1.0, trust=0.6)
    for n in range(2):
        words.add(n, np.array([n]), np.array([1.0]))
    hint = np.zeros(SPACE)
    hint[5] = 0.1
    words.learn(np.array([1.0, 0.0]), hint)
    assert worth(words)[5] == pytest.approx(0.1 * 0.6 * 0.5 / 0.02)


def test_a_hint_may_be_written_over_when_it_has_been_told() -> None:
    words = WordOutcomes(kept=100, pull=1.0, trust=0.6)
    for n in range(2):
        words.add(n, np.array([n]), np.array([1.0]))
    hint = np.zeros(SPACE)
    hint[5] = 0.1
    words.learn(np.array([1.0, 0.0]), hint)
    before = worth(words)
    hint[:] = 7.0
    assert (worth(words) == before).all()


def test_where_all_pages_are_worth_the_same_the_hint_is_not_believed() -> None:
    words = WordOutcomes(kept=100, pull=1.0, trust=0.6)
    words.add(0, np.array([3]), np.array([1.0]))
    words.learn(np.array([1.0]), np.ones(SPACE))
    assert not worth(words).any()


def test_word_outcomes_remember_the_latest_pages_only() -> None:
    words = WordOutcomes(kept=4, pull=1.0, trust=0.6)
    for n in range(9):
        words.add(n, np.array([n]), np.array([1.0]))
    assert len(words) <= 5
    words.learn(np.linspace(0, 1, 9), np.zeros(SPACE))
    assert not worth(words)[:4].any()


def worth(words: WordOutcomes) -> np.ndarray:
    """Of every word, wherever it stands."""
    return words.worth.apart + words.worth.scale * np.tile(words.worth.hint, 3)


def none(score: np.ndarray) -> np.ndarray:
    """No features."""
    return np.zeros((len(score), 0))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60), st.integers(0, 99))
def test_a_calibrated_rank_is_a_probability_and_keeps_the_order(scores: list[float], seed: int) -> None:
    s = np.sort(np.array(scores))
    p = Calibration(10.0, 0.45, 5.0, 30.0)
    p.learn(s, none(s), np.random.default_rng(seed).random(len(s)))
    assert ((p(s, none(s)) >= 0) & (p(s, none(s)) <= 1)).all()
    assert (np.diff(p(s, none(s))) >= 0).all()


def test_calibration_finds_the_rate_at_which_links_turn_out_relevant() -> None:
    score = np.repeat([0.3, 0.7], 2000)
    outcome = np.concatenate([np.repeat([1.0, 0.0], [200, 1800]), np.repeat([1.0, 0.0], [1600, 400])])
    p = Calibration(10.0, 0.45, 5.0, 30.0)
    for _ in range(5):
        p.learn(score, none(score), outcome)
    assert p(np.array([0.3, 0.7]), np.zeros((2, 0))) == pytest.approx([0.1, 0.8], abs=0.01)


def test_without_picks_a_score_at_the_middle_is_even_odds() -> None:
    assert Calibration(10.0, 0.45, 5.0, 30.0)(np.array([0.45]), np.zeros((1, 3))) == pytest.approx([0.5])


def test_a_hopeless_link_has_no_chance_and_no_warning() -> None:
    with np.errstate(over="raise"):
        assert Calibration(10.0, 0.45, 5.0, 30.0)(np.array([-1e4, 1e4]), np.zeros((2, 3))) == pytest.approx([0.0, 1.0])


def picks(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A score that says nothing; of two features the second says which half of the picks are relevant."""
    rows = np.random.default_rng(3).random((n, 2))
    return np.full(n, 0.45), rows, (rows[:, 1] > 0.5).astype(float)


def test_a_feature_that_tells_what_the_score_does_not_gets_weight_by_and_by() -> None:
    learned = []
    for n in (20, 200, 1000):
        p = Calibration(10.0, 0.45, 5.0, 30.0)
        p.learn(*picks(n))
        learned.append(p.learned)
        assert abs(p.learned[0]) < 0.2 * p.learned[1]
    assert 0 < learned[0][1] < learned[1][1] < learned[2][1]


def test_after_learning_the_weights_are_those_where_the_log_loss_and_the_ridge_balance() -> None:
    score, rows, outcome = picks(60)
    p = Calibration(10.0, 0.45, 5.0, 30.0)
    for _ in range(10):
        p.learn(score, rows, outcome)
    wrong = outcome - p(score, rows)
    assert (rows - rows.mean(0)).T @ wrong == pytest.approx(30.0 * (rows.var(0) + 1e-4) * p.learned, abs=1e-6)
    assert [wrong @ score, wrong.sum()] == pytest.approx([0.5 * (p.at[0] - 10), 5 * (p.at[1] + 4.5)], abs=1e-6)


def test_a_folder_is_drawn_towards_the_folder_around_it_and_a_host_towards_the_base_rate() -> None:
    places = GroupTable(doubt=3.0)
    for n, url in enumerate(("http://e.org/a/1", "http://e.org/a/2", "http://e.org/3")):
        places.add([folders(url)], n, 0.0)
    places.refresh(np.array([0.9, 0.7, 0.2]))
    host = (0.9 + 0.7 + 0.2 + 3 * 0.4) / (3 + 3)
    folder = (0.9 + 0.7 + 3 * host) / (2 + 3)
    asked = ["http://e.org/a/new", "http://e.org/b/new", "http://e.org/", "http://other.org/a/x"]
    found = rates(places, asked, 0.4)
    assert found == pytest.approx([folder, host, host, 0.4])


def test_a_list_on_a_page_is_drawn_towards_those_of_the_host_these_to_all_like_it_and_these_to_their_kind() -> None:
    menu, text = code("~a/li/ul.menu"), code("a/p/div.text")
    #                  the same page's; of the same host; of another; another place of the layout
    stands = groups(np.array([menu, menu, menu, text]), np.array([7, 7, 8, 8]), np.array([1, 2, 3, 3]))
    layout = GroupTable(doubt=3.0)
    layout.add(stands[:1], 0, 0.0)
    layout.add(stands[1:3], 1, 0.0)  # found by two links
    layout.add(stands[3:], 2, 0.0)
    layout.refresh(np.array([0.9, 0.2, 1.0]))
    kind = path_ = (0.9 + 0.2 + 0.2 + 3 * 0.4) / (3 + 3)
    path_ = (0.9 + 0.2 + 0.2 + 3 * kind) / (3 + 3)
    host = (0.9 + 0.2 + 3 * path_) / (2 + 3)
    here = (0.9 + 3 * host) / (1 + 3)
    unknown = groups(np.array([code("")]), np.array([7]), np.array([1]))
    found = np.empty(2)
    k = known(PageTable(PageLinks()), [[0, 0], [1, 0], [2, 0]], [])
    asked = np.concatenate([stands[:1], groups(np.array([menu]), np.array([9]), np.array([4])), unknown])
    of = k.of._replace(first=np.array([0, 1, 3]), links=np.arange(3), paths=asked)
    path(k._replace(of=of, layout=layout.known, expected=0.4), found)
    elsewhere = (path_ + 0.4) / 2
    assert found == pytest.approx([here, elsewhere])


def test_pages_of_the_same_name_decide_and_strangers_leave_it_to_the_base_rate() -> None:
    near = Neighbours(np.array([1, 0, 0, 0], np.float32), room=2)
    axes = np.eye(4, dtype=np.float32)
    near.aim(axes[0])
    near.trust([1.0], 1.0)
    near.add(0, whole(axes[0]), 0.9)
    near.add(1, whole(axes[1]), 0.2)
    cosines = near.cosines(whole(axes[:3]))
    relevance = np.array([0.9, 0.2])
    found = near.relevance(cosines, relevance, 0.5)
    far = np.exp(-12.0)
    assert found[0] == pytest.approx((0.9 + 0.2 * far + 0.5 * DOUBT) / (1 + far + DOUBT))
    assert found[2] == pytest.approx((0.9 * far + 0.2 * far + 0.5 * DOUBT) / (2 * far + DOUBT))
    assert cosines[:, :2].tolist() == [[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]]


def test_the_latest_pages_of_either_kind_are_compared_with() -> None:
    near = Neighbours(np.zeros(4, np.float32), room=2)
    axes = np.eye(4, dtype=np.float32)
    for n, relevance in enumerate((0.9, 0.8, 0.7, 0.1)):
        near.add(n, whole(axes[n]), relevance)
    assert sorted(n for n, _ in near.nearest(whole(axes[0]), 9)) == [1, 2, 3]


@given(st.integers(0, 10**6), st.integers(1, 25))
def test_what_is_known_of_pages_grows_to_what_all_at_once_would_give(seed: int, size: int) -> None:
    """The harvest's slots and child rates against a look at all pages when all are there."""
    rng = np.random.default_rng(seed)
    links = [[f"p{m}" for m in dict.fromkeys(rng.integers(0, 2 * size, 4).tolist()) if m != n] for n in range(size)]
    relevance = {f"http://test/p{n}": float(rng.random()) for n in range(size)}
    linked = PageLinks()
    harvest = PageTable(linked)
    for n in range(size):
        parents = [p for p in range(n) if f"p{n}" in links[p]]
        found = page(f"p{n}", links=links[n], parents=[f"p{p}" for p in parents])
        evidence = tuple(
            type(e)(e.parent, "", "", links[p].index(f"p{n}"), 4) for e, p in zip(found.evidence, parents, strict=True)
        )
        found = type(found)(found.url, "", "en", 1, (), {}, found.links, evidence)
        placed = linked.add(found)
        harvest.add(found, Judged(0.0, 0.0, placed.number, placed.links, placed.parents))
    harvest.refresh(np.array(list(relevance.values())))
    worths = dict(zip(relevance, harvest.worth, strict=True))
    mean = sum(worths.values()) / size
    rates = harvest.pages.rates
    for n in range(size):
        children = [worths[f"http://test/{m}"] for m in links[n] if f"http://test/{m}" in worths]
        assert rates[n] == pytest.approx((sum(children) + 2 * mean) / (len(children) + 2))
        for position in range(len(links[n])):
            total, weight = rates[n], 1.0
            for k, w in enumerate((1.0, 0.7, 0.5, 0.35), 1):
                for at in (position - k, position + k):
                    if 0 <= at < len(links[n]) and f"http://test/{links[n][at]}" in worths:
                        total += w * worths[f"http://test/{links[n][at]}"]
                        weight += w
            slot = harvest.slot(n, position)
            assert harvest.slots(np.array([n]), np.array([position])) == slot
            assert locs(harvest, [n], [slot]) == pytest.approx([total / weight])


def test_where_links_led_is_forgotten_of_pages_long_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fcacrawler.orders.semrank.page_table.SLOTS", 8)
    linked = PageLinks()
    harvest = PageTable(linked)
    for n in range(4):  # each links to the next one, with a neighbour
        found = page(f"p{n}", links=[f"p{n + 1}", "other", "another"], parents=[f"p{n - 1}"] if n else [])
        placed = linked.add(found)
        harvest.add(found, Judged(1.0, 1.0, placed.number, placed.links, placed.parents))
    slots = [harvest.slot(n, 0) for n in range(4)]
    assert slots == [UNKNOWN, UNKNOWN, 6, 9]
    harvest.base = 0.0
    around = locs(harvest, [0, 1, 2, 3], [harvest.slot(n, 1) for n in range(4)])
    assert around.tolist() == [0.0, 0.0, 0.5, 0.0]  # the first links of p2 led to p3


def test_what_old_pages_say_of_their_folders_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fcacrawler.orders.semrank.groups.LATEST", 4)
    some, all_ = GroupTable(doubt=3.0), GroupTable(doubt=3.0)
    for n in range(11):
        for places in (some, all_):
            places.add([folders(f"http://e.org/{n % 2}/{n}")], n, 0.0)
        some.refresh(np.arange(n + 1) / 10)
    monkeypatch.setattr("fcacrawler.orders.semrank.groups.LATEST", 100)
    all_.refresh(np.arange(11) / 10)

    asked = [f"http://e.org/{n}/new" for n in range(3)]
    assert len(some._rows.values) == 5
    assert rates(some, asked, 0.4) == pytest.approx(rates(all_, asked, 0.4))


def test_of_pages_whose_links_places_are_forgotten_nothing_is_kept_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fcacrawler.orders.semrank.page_table.SLOTS", 8)
    linked = PageLinks()
    harvest = PageTable(linked)
    for n in range(40):
        found = page(f"p{n}", links=[f"p{n - 1}", "other", "another"])
        placed = linked.add(found)
        harvest.add(found, Judged(1.0, 1.0, placed.number, placed.links, placed.parents))
    assert len(harvest._starts.values) < 8
    assert [harvest.slot(n, 1) for n in (0, 36, 38, 39)] == [UNKNOWN, UNKNOWN, 115, 118]
    harvest.base = 0.0
    around = locs(harvest, [0, 36, 38, 39], [1, 109, 115, 118])
    assert around.tolist() == [0.0, 0.0, 0.5, 0.5]  # the first links of p38 and p39 led to the page before
